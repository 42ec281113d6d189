package io.siltstone.liveset;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.partitioner.PartitionKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OverlapSweepTest {
  private static final long SEED = Long.getLong("siltstone.seed", 11);

  private record Span(PartitionKey first, PartitionKey last) {
    static Span of(long first, long last) {
      return new Span(key(first), key(last));
    }

    boolean has(PartitionKey key) {
      return first.compareTo(key) <= 0 && key.compareTo(last) <= 0;
    }
  }

  private static PartitionKey key(long token) {
    return PartitionKey.of(new byte[0], token);
  }

  private static List<Span> at(OverlapSweep<Span> sweep, PartitionKey key) {
    return sweep.at(key).stream().filter(span -> span.has(key)).toList();
  }

  @Test
  void findsAllThatHaveAKeyInWhateverOrderKeysCome() {
    Random random = new Random(SEED);
    for (int run = 0; run < 200; run++) {
      List<Span> spans = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        long first = random.nextInt(100);
        spans.add(Span.of(first, first + random.nextInt(random.nextBoolean() ? 4 : 60)));
      }
      spans.sort(Comparator.comparing(Span::first));
      OverlapSweep<Span> sweep = new OverlapSweep<>(spans, Span::first, Span::last);
      PartitionKey key = new PartitionKey();
      long token = 0;
      for (int i = 0; i < 100; i++) {
        token = random.nextInt(10) == 0 ? random.nextInt(160) : token + random.nextInt(5);
        // Pointed elsewhere each time, as that of a cursor.
        key.wrap(new byte[0], 0, 0, token);
        List<Span> found = at(sweep, key);
        assertThat(new HashSet<>(found))
            .as("seed %s, run %s, token %s of %s", SEED, run, token, spans)
            .isEqualTo(new HashSet<>(spans.stream().filter(span -> span.has(key)).toList()));
        assertThat(found).hasSize((int) spans.stream().filter(span -> span.has(key)).count());
      }
    }
  }

  @Test
  void looksAtNoMoreThanWhatBeginsAndEnds() {
    int count = 1000;
    List<Span> spans =
        IntStream.range(0, count).mapToObj(i -> Span.of(10L * i, 10L * i + 9)).toList();
    int[] asked = {0};
    OverlapSweep<Span> sweep =
        new OverlapSweep<>(
            spans,
            span -> {
              asked[0]++;
              return span.first();
            },
            span -> {
              asked[0]++;
              return span.last();
            });
    for (int token = 0; token < 10 * count; token++) {
      assertThat(at(sweep, key(token))).hasSize(1);
    }
    // Where it begins and ends for each key, and what comes and goes.
    assertThat(asked[0]).isLessThan(40 * count);
  }
}
