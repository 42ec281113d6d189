package io.siltstone.compaction.strategy;

import static io.siltstone.compaction.strategy.MadeUp.DAY_MILLIS;
import static io.siltstone.compaction.strategy.MadeUp.MIB;
import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the decisions of strategies over many invented SSTables with recorded checksums, so that
 * a faster planner decides nothing else. After an intended change, record what this test prints.
 * Wording is not part of it.
 */
class DecisionsTest {
  private static final int LIVE_SETS = 60;
  private static final List<LiveTables> LIVE =
      IntStream.rangeClosed(1, LIVE_SETS)
          .mapToObj(seed -> MadeUp.live(tables(new Random(seed))))
          .toList();

  @ParameterizedTest
  @CsvSource({
    "SizeTiered, '', bd343f06",
    "SizeTiered, min_threshold=2 max_threshold=5 bucket_high=2, 977aa65e",
    "Leveled, '', 76c54787",
    "Leveled, sstable_size_in_mb=20 fanout_size=4 max_threshold=8, 3348e37",
    "TimeWindow, '', 3f110ac4",
    "TimeWindow, compaction_window_unit=HOURS max_threshold=6 tombstone_threshold=0.1, c460f098",
    "Unified, '', f4bd19cd",
    "Unified, 'scaling_parameters=L4,N,T3 target_sstable_size=64MiB tombstone_threshold=0.1', eef09230",
    "Unified, scaling_parameters=T3 overlap_inclusion_method=SINGLE max_sstables_to_compact=7, 4dbb77f1",
    "Unified, scaling_parameters=T3 overlap_inclusion_method=NONE sstable_growth=0, d0d33f6b",
    "Unified, scaling_parameters=L10 sstable_growth=1 base_shard_count=12 min_sstable_size=0B, 89e6a90f",
  })
  void areThoseThatWereRecorded(String strategy, String options, String recorded) {
    String[] values = options.isEmpty() ? new String[0] : options.split("[ =]");
    Strategy decides = MadeUp.strategy(strategy + "CompactionStrategy", values);
    CRC32 checksum = new CRC32();
    int jobs = 0;
    for (LiveTables live : LIVE) {
      Plan plan = decides.plan(live, NOW);
      plan.jobs().forEach(job -> add(checksum, job));
      add(checksum, plan.debtBytes() + "\n");
      jobs += plan.jobs().size();
    }
    assertThat(jobs).isGreaterThan(LIVE_SETS);
    assertThat(Long.toHexString(checksum.getValue()))
        .as("%s %s", strategy, options)
        .isEqualTo(recorded);
  }

  private static void add(CRC32 checksum, Job job) {
    for (LiveTable input : job.inputs()) {
      add(checksum, input.descriptor().id() + " ");
    }
    add(checksum, job.level() + " " + job.split() + " " + job.ignoresOverlaps() + "\n");
  }

  private static void add(CRC32 checksum, String text) {
    checksum.update(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Up to 600 SSTables: some over all keys, some that divide these, some anywhere. */
  private static List<LiveTable> tables(Random random) {
    List<LiveTable> tables = new ArrayList<>();
    int most = 1 + random.nextInt(600);
    boolean isMixed = random.nextInt(4) == 0;
    while (tables.size() < most) {
      int parts = random.nextBoolean() ? 1 : 1 << random.nextInt(8);
      int level = random.nextInt(5);
      long bytes = (long) (MIB * StrictMath.exp(8 * random.nextDouble()));
      for (int part = 0; part < parts; part++) {
        tables.add(table(tables.size() + 1, random, isMixed, parts, part, level, bytes));
      }
    }
    return tables;
  }

  private static LiveTable table(
      int generation, Random random, boolean isMixed, int parts, int part, int level, long bytes) {
    long width = Long.MAX_VALUE / parts * 2;
    long first = Long.MIN_VALUE + 1 + part * width;
    long last = first + width - 1 - random.nextInt(1000);
    if (random.nextInt(5) == 0) {
      long one = random.nextLong();
      long other = random.nextLong();
      first = Math.min(one, other);
      last = Math.max(one, other);
    }
    long written = random.nextInt(1000);
    long gone = random.nextInt(4) == 0 ? NOW / 1000 - random.nextInt(3_000_000) : NOW / 500;
    MadeUp table =
        MadeUp.table(generation)
            .bytes(bytes + random.nextInt((int) MIB))
            .tokens(first, last)
            .times(
                (NOW - (written + random.nextInt(1000)) * DAY_MILLIS / 100) * 1000,
                (NOW - written * DAY_MILLIS / 100) * 1000)
            .writtenAt(NOW - written * DAY_MILLIS / 100)
            .level(level)
            .expiring(gone)
            .tombstones(random.nextInt(1000), NOW / 1000 - random.nextInt(3_000_000));
    if (random.nextInt(20) == 0) {
      table.claimed();
    }
    if (random.nextInt(50) == 0) {
      table.damaged();
    }
    if (isMixed && random.nextInt(3) == 0) {
      table.repaired();
    }
    return table.make();
  }
}
