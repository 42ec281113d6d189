package io.siltstone.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenCoverageTest {
  @Test
  void countsWhatCoversEachToken() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<LiveTable> tables = new ArrayList<>();
      int count = 1 + random.nextInt(12);
      for (int i = 0; i < count; i++) {
        long first = random.nextInt(1000);
        tables.add(MadeTables.of(i, first, first + random.nextInt(1000), 1 << 20));
      }
      TokenScale scale = TokenScale.of(Partitioner.BYTE_ORDERED, tables);
      TokenCoverage coverage = TokenCoverage.of(tables, scale);
      int most = 0;
      for (int token = 0; token < 2000; token++) {
        int at = token;
        int expected =
            (int)
                tables.stream()
                    .filter(t -> t.firstKey().token() <= at && t.lastKey().token() >= at)
                    .count();
        most = Math.max(most, expected);
        if (token > scale.least() && token < scale.greatest()) {
          // Between this token and the next, where no SSTable begins or ends.
          double share = scale.share(token) + 0.5 / (scale.greatest() - scale.least());
          int between =
              (int)
                  tables.stream()
                      .filter(t -> t.firstKey().token() <= at && t.lastKey().token() > at)
                      .count();
          assertThat(at(coverage, share)).as("seed %d, token %d", seed, token).isEqualTo(between);
        }
      }
      assertThat(coverage.most()).as("seed %d", seed).isEqualTo(most);
      assertThat(coverage.steps().get(0).from()).isZero();
      assertThat(coverage.steps().get(coverage.steps().size() - 1).to()).isEqualTo(1);
    }
  }

  private static int at(TokenCoverage coverage, double share) {
    for (TokenCoverage.Step step : coverage.steps()) {
      if (share < step.to()) {
        return step.count();
      }
    }
    return 0;
  }
}
