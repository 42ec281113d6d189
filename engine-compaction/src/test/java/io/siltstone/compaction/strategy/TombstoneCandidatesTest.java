package io.siltstone.compaction.strategy;

import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static io.siltstone.compaction.strategy.MadeUp.live;
import static io.siltstone.compaction.strategy.MadeUp.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TombstoneCandidatesTest {
  private static final long SEED = Long.getLong("siltstone.seed", 3);
  private static final double THRESHOLD = 0.3;

  @Test
  void aTableIsWorthItByTheShareOfKeysThatNothingOlderHas() {
    Random random = new Random(SEED);
    int worth = 0;
    int all = 0;
    for (int run = 0; run < 300; run++) {
      List<LiveTable> made = new ArrayList<>();
      for (int i = random.nextInt(15); i >= 0; i--) {
        long first = random.nextInt(100);
        long last = first + random.nextInt(random.nextBoolean() ? 5 : 80);
        long from = random.nextInt(50);
        made.add(
            table(i)
                .tokens(first, last)
                .times(from, from + random.nextInt(30))
                .tombstones(800, NOW / 1000 - 900_000)
                .make());
      }
      LiveTables live = live(made);
      TombstoneCandidates tombstoneCandidates =
          new TombstoneCandidates(
              new PurgeOptions(false, THRESHOLD, 0, false, false, 864_000), live, NOW);
      for (LiveTable table : live.tables()) {
        boolean isWorthIt =
            tombstoneCandidates.ratio(table) * plainShare(table, live.tables()) > THRESHOLD;
        assertThat(tombstoneCandidates.isWorthIt(table))
            .as("seed %s, run %s", SEED, run)
            .isEqualTo(isWorthIt);
        worth += isWorthIt ? 1 : 0;
        all++;
      }
    }
    assertThat(worth).isBetween(all / 10, all - all / 10);
  }

  private static double plainShare(LiveTable table, List<LiveTable> tables) {
    List<LiveTable> others =
        tables.stream()
            .filter(other -> !other.descriptor().equals(table.descriptor()))
            .filter(table::overlaps)
            .filter(other -> other.minTimestamp() <= table.maxTimestamp())
            .toList();
    long first = table.firstKey().token();
    long last = table.lastKey().token();
    if (others.isEmpty() || first == last) {
      return others.isEmpty() ? 1 : 0;
    }
    long covered =
        LongStream.range(first, last)
            .filter(
                token ->
                    others.stream()
                        .anyMatch(
                            other ->
                                other.firstKey().token() <= token
                                    && other.lastKey().token() > token))
            .count();
    return 1 - (double) covered / (last - first);
  }
}
