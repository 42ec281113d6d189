package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.model.CompactedSequences;
import io.siltstone.model.DatabaseEngine;
import io.siltstone.model.Sequence;
import io.siltstone.model.SequenceRunner;
import io.siltstone.model.SteppedClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * A database with a compaction service answers as the reference model does at any time, while
 * strategies compact in the background, are changed, and requests of all kinds come in; also after
 * a loss of power. Repeated with {@code -Dsiltstone.seed=N}, though threads may run differently;
 * enlarged with {@code -Dsiltstone.scale=N}.
 */
class ServiceModelTest {
  private static final int SEEDS = 4;
  private static final int OPERATIONS = 250;

  @Test
  void whatWasWrittenLateIsThereWhileItIsCompacted() {
    run(seed -> CompactedSequences.ofAnyTimestamps(seed, OPERATIONS));
  }

  @Test
  void whatIsForgottenDoesNotComeBack() {
    run(seed -> CompactedSequences.ofShortLivedTombstones(seed, OPERATIONS));
  }

  private static void run(LongFunction<Sequence> sequences) {
    Map<String, Integer> done = new TreeMap<>();
    SequenceRunner.seeds(
        SEEDS,
        seed -> {
          Sequence sequence = RandomStrategies.in(sequences.apply(seed));
          List<RequestedCompaction> compactions = new ArrayList<>();
          new SequenceRunner(
                  (of, clock) -> {
                    RequestedCompaction compaction = compaction(seed, clock);
                    compactions.add(compaction);
                    return DatabaseEngine.open(seed, compaction, compaction, of, clock);
                  })
              .run(sequence);
          compactions.forEach(
              compaction -> {
                compaction.requireSound("seed " + seed);
                compaction.count(done);
              });
        });
    System.out.println("jobs done: " + done);
    if (Long.getLong("siltstone.seed") == null) {
      assertThat(done)
          .containsKeys(
              "SizeTieredCompactionStrategy",
              "LeveledCompactionStrategy",
              "TimeWindowCompactionStrategy",
              "UnifiedCompactionStrategy",
              "major",
              "user-defined",
              "split",
              "garbage-collect",
              "scrub");
    }
  }

  private static RequestedCompaction compaction(long seed, SteppedClock clock) {
    Random random = new Random(seed);
    return new RequestedCompaction(
        CompactionOptions.builder()
            .bytesPerSecond(0)
            .compactors(1 + random.nextInt(3))
            .pipelineThreads(random.nextInt(3))
            .subCompactions(1 + random.nextInt(3))
            .readAheadBytes(random.nextBoolean() ? 0 : 256 << 10)
            .historySize(Integer.MAX_VALUE)
            .clock(clock)
            .build());
  }
}
