package io.siltstone.compaction.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.groups.Tuple.tuple;

import io.siltstone.compaction.strategy.Split;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTable;
import io.siltstone.type.CqlTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final String SIZE_TIERED = "SizeTieredCompactionStrategy";
  private static final String LEVELED = "LeveledCompactionStrategy";
  private static final String UNIFIED = "UnifiedCompactionStrategy";
  private static final String WINDOWS = "TimeWindowCompactionStrategy";

  /** 64 GiB in flushes of 256 MiB, compacted without a limit. */
  private static Workload workload(double overwrites, double deletes, long ttl) {
    return new Workload(
        64 * GIB,
        1024,
        256 * MIB,
        20 * MIB,
        overwrites,
        deletes,
        0,
        ttl,
        new Workload.Compaction(0, 2));
  }

  private static SimulationResult run(
      Workload workload, long seed, String name, String... options) {
    return new Simulation(schema(name, 0, options), workload, 4, seed).run();
  }

  private static TableSchema schema(String name, int gcGraceSeconds, String... options) {
    Map<String, String> compaction = new HashMap<>();
    compaction.put("class", name);
    for (int i = 0; i < options.length; i += 2) {
      compaction.put(options[i], options[i + 1]);
    }
    return TableSchema.builder("ks", "t")
        .partitionKey("k", CqlTypes.BLOB)
        .options(
            TableOptions.builder().compaction(compaction).gcGraceSeconds(gcGraceSeconds).build())
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {SIZE_TIERED, LEVELED, UNIFIED, WINDOWS})
  void theSameSeedGivesTheSameResult(String strategy) {
    Workload workload =
        new Workload(
            8 * GIB, 1024, 256 * MIB, 20 * MIB, 0.3, 0.1, 0, 2_500, new Workload.Compaction(0, 2));
    SimulationResult result = run(workload, 7, strategy);
    assertThat(run(workload, 7, strategy)).isEqualTo(result);
    assertThat(run(workload, 8, strategy)).isNotEqualTo(result);
  }

  @Test
  void withoutCompactionEveryFlushStays() {
    SimulationResult result = run(workload(0, 0, 0), 1, SIZE_TIERED, "enabled", "false");
    Measure end = result.end();
    assertThat(end.tables()).isEqualTo(256);
    assertThat(end.jobs()).isZero();
    assertThat(end.writeAmplification()).isCloseTo(1, within(0.01));
    assertThat(end.spaceAmplification()).isCloseTo(1, within(0.01));
    assertThat(end.reads().meanTables()).isEqualTo(1);
    assertThat(end.reads().meanFilters()).isGreaterThan(240);
    assertThat(result.measures()).hasSize(4);
    assertThat(result.measures().get(0).bytes().ingested()).isEqualTo(16 * GIB);
  }

  @Test
  void anEventHappensBeforeItsWriteByNoMoreThanIsAllowed() {
    SampledRows rows = new SampledRows(1000);
    for (int i = 0; i < 1000; i++) {
      rows.add(i, 1_000_000L * (10_000 + i), SampledRows.LIVE);
    }
    SampledTable.Scale scale = new SampledTable.Scale(1, 100, 10, new Workload.Times(0, 600));
    long greatest = Long.MIN_VALUE;
    long late = 0;
    for (int i = 0; i < rows.size(); i++) {
      long lateMillis = rows.time(i) / 1000 - scale.eventMillis(rows, i);
      assertThat(lateMillis).isBetween(0L, 600_000L);
      late += lateMillis;
      greatest = Math.max(greatest, scale.eventMillis(rows, i));
    }
    assertThat(late / rows.size()).isCloseTo(300_000, within(30_000L));
    assertThat(SampledTable.of(rows, scale, 1, 0, 0).live().maxEventTime())
        .contains(new LiveTable.EventTime(greatest, true));
  }

  @Test
  void theLastFlushHasWhatIsLeft() {
    Workload workload =
        new Workload(GIB, 1024, 700 * MIB, 20 * MIB, 0, 0, 0, 0, new Workload.Compaction(0, 2));
    Measure end = run(workload, 1, SIZE_TIERED).end();
    assertThat(end.bytes().ingested()).isEqualTo(GIB);
    assertThat(end.seconds()).isEqualTo(GIB / (20 * MIB));
    assertThat(end.tables()).isEqualTo(2);
    assertThat(end.bytes().onDisk()).isCloseTo(GIB, within(MIB));
  }

  @Test
  void sizeTiersWriteEachByteOncePerTier() {
    // 256 flushes are 4 to the power of 4: flushed, and merged four times.
    Measure end = run(workload(0, 0, 0), 1, SIZE_TIERED).end();
    assertThat(end.writeAmplification()).isCloseTo(5, within(0.05));
    assertThat(end.tables()).isEqualTo(1);
  }

  @Test
  void unifiedTiersWriteAsMuchAsSizeTiersInMoreTables() {
    Measure end = run(workload(0, 0, 0), 1, UNIFIED, "target_sstable_size", "1GiB").end();
    assertThat(end.writeAmplification()).isBetween(3.5, 5.5);
    assertThat(end.tables()).isGreaterThan(8);
    assertThat(end.bytes().debt()).isZero();
  }

  @Test
  void levelsOfFourFlushesAreAsReckonedByHand() {
    Workload workload =
        new Workload(
            256 * MIB, 1024, 64 * MIB, 20 * MIB, 0, 0, 0, 0, new Workload.Compaction(0, 2));
    Measure end = run(workload, 1, LEVELED).end();
    // Two flushes are too small for an SSTable of level 1 and are merged; with the third all move
    // to level 1 as SSTables of 160 and 32 MiB; the fourth waits for another.
    assertThat(end.jobs()).isEqualTo(2);
    assertThat(end.bytes().written()).isCloseTo((256 + 128 + 192) * MIB, within(MIB));
    assertThat(end.groups())
        .extracting(Measure.Group::name, Measure.Group::tables)
        .containsExactly(tuple("level 0", 1), tuple("level 1", 2));
    assertThat(end.reads().meanFilters()).isCloseTo(2, within(0.01));
  }

  @Test
  void windowsAreAsReckonedByHand() {
    // A flush a minute, ten in a window: eight are merged by four during the window, and all of it
    // into one after the window.
    Workload workload =
        new Workload(3600 * MIB, 1024, 60 * MIB, MIB, 0, 0, 0, 0, new Workload.Compaction(0, 2));
    Measure end =
        run(
                workload,
                1,
                WINDOWS,
                "compaction_window_unit",
                "MINUTES",
                "compaction_window_size",
                "10")
            .end();
    assertThat(end.groups()).extracting(Measure.Group::tables).containsExactly(1, 1, 1, 1, 1, 4);
    assertThat(end.jobs()).isEqualTo(6 * 2 + 5);
    assertThat(end.bytes().written()).isCloseTo((3600 + 6 * 480 + 5 * 600) * MIB, within(4 * MIB));
  }

  @Test
  void unifiedShardsAreAsReckonedByHand() {
    // Four flushes of 64 MiB become two halves of the token space, as quarters would be smaller
    // than 100 MiB; four of these become two quarters each.
    Workload workload =
        new Workload(GIB, 1024, 64 * MIB, 20 * MIB, 0, 0, 0, 0, new Workload.Compaction(0, 2));
    Measure end = run(workload, 1, UNIFIED).end();
    assertThat(end.jobs()).isEqualTo(4 + 2);
    assertThat(end.tables()).isEqualTo(4);
    assertThat(end.bytes().written()).isCloseTo(3 * GIB, within(4 * MIB));
    assertThat(end.reads().meanFilters()).isEqualTo(1);
  }

  @Test
  void overwritesAreAsReckonedByHand() {
    // 16 flushes of 1024 writes to 1000 keys: the first has all keys, the others 641 on average.
    Workload workload =
        new Workload(GIB, 65_536, 64 * MIB, 20 * MIB, 0, 0, 1000, 0, new Workload.Compaction(0, 2));
    Measure end = run(workload, 1, SIZE_TIERED, "enabled", "false").end();
    assertThat(end.bytes().live()).isEqualTo(1000 * 65_536);
    double each = 1000 * (1 - Math.pow(1 - 1 / 1000.0, 1024));
    assertThat(end.spaceAmplification()).isCloseTo((1000 + 15 * each) / 1000, within(0.1));
    assertThat(end.reads().meanTables()).isCloseTo((1000 + 15 * each) / 1000, within(0.3));
    assertThat(end.writeAmplification()).isCloseTo((1000 + 15 * each) / (16 * 1024), within(0.01));
  }

  @Test
  void aFlushHasWhatCameInSinceTheOneBefore() {
    // Six days of writing, of which the last three have not expired.
    long days = 3 * 86_400;
    Workload workload =
        new Workload(
            10_240 * GIB,
            1024,
            10_240 * GIB,
            20 * MIB,
            0,
            0,
            0,
            days,
            new Workload.Compaction(0, 2));
    Measure end = run(workload, 1, SIZE_TIERED).end();
    assertThat(end.bytes().live()).isCloseTo(days * 20 * MIB, within(20 * GIB));
  }

  @Test
  void moreFlushesThanCanBeFollowedAreRefused() {
    assertThat(Workload.leastFlushBytes(1L << 50)).isEqualTo(512 * MIB);
    assertThat(Workload.leastFlushBytes((1L << 50) + 1)).isEqualTo(512 * MIB + 1);
    assertThat(Workload.leastFlushBytes(1)).isEqualTo(1);
    assertThatThrownBy(
            () ->
                new Workload(
                    GIB << 10,
                    100,
                    1000,
                    20 * MIB,
                    0,
                    0,
                    0,
                    0,
                    new Workload.Compaction(64 * MIB, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("flushBytes = 1000, allowed 524288 or more");
  }

  @Test
  void levelsWriteMoreAndKeepLess() {
    Workload workload = workload(0.8, 0, 0);
    Measure levels = run(workload, 1, LEVELED).end();
    Measure tiers = run(workload, 1, SIZE_TIERED).end();
    assertThat(levels.writeAmplification()).isGreaterThan(1.5 * tiers.writeAmplification());
    assertThat(levels.reads().meanFilters()).isLessThan(6);
    assertThat(levels.groups()).extracting(Measure.Group::name).contains("level 1", "level 2");
    assertThat(levels.spaceAmplification()).isLessThan(1.4);
  }

  @Test
  void rowsThatAreFoundAreThoseThatWereWritten() {
    for (String strategy : List.of(SIZE_TIERED, LEVELED, UNIFIED)) {
      Measure end = run(workload(0.2, 0.2, 0), 3, strategy).end();
      // In 100 writes, 60 insert new keys and 20 delete a key.
      assertThat((double) end.bytes().live() / end.bytes().ingested())
          .as(strategy)
          .isCloseTo(0.4, within(0.02));
    }
  }

  @Test
  void whatExpiresIsDroppedWithItsWindow() {
    SimulationResult result =
        run(
            workload(0, 0, 1000),
            1,
            WINDOWS,
            "compaction_window_unit",
            "MINUTES",
            "compaction_window_size",
            "10",
            "expired_sstable_check_frequency_seconds",
            "0");
    // 3277 seconds of writing, of which the last 1000 and a window are live.
    assertThat(result.end().bytes().live()).isCloseTo(1000 * 20 * MIB, within(1500 * MIB));
    assertThat(result.end().bytes().onDisk()).isLessThan(1700 * 20 * MIB);
    assertThat(result.end().writeAmplification()).isLessThan(4);
  }

  @Test
  void whatIsNotRepairedKeepsItsTombstonesIfOnlyRepairedOnesMayGo() {
    // Four flushes of similar size, which are merged into one SSTable.
    Workload workload =
        new Workload(GIB, 1024, 256 * MIB, 20 * MIB, 0, 0.4, 0, 0, new Workload.Compaction(0, 2));
    String size = String.valueOf(GIB);
    Measure purged = run(workload, 1, SIZE_TIERED, "min_sstable_size", size).end();
    Measure kept =
        run(
                workload,
                1,
                SIZE_TIERED,
                "min_sstable_size",
                size,
                "only_purge_repaired_tombstones",
                "true")
            .end();
    assertThat(purged.bytes().onDisk()).isCloseTo(purged.bytes().live(), within(MIB));
    // Of 100 writes 40 turn a row into 32 bytes of tombstone.
    long tombstones = GIB * 4 / 10 * 32 / 1024;
    assertThat(kept.bytes().live()).isEqualTo(purged.bytes().live());
    assertThat(kept.bytes().onDisk() - kept.bytes().live()).isCloseTo(tombstones, within(MIB));
  }

  @Test
  void anExpiredTableIsReadIfOnlyRepairedOnesMayGo() {
    for (boolean mayPurge : new boolean[] {true, false}) {
      LiveSample sample =
          new LiveSample(
              new SampledTable.Scale(1, 100, 10, new Workload.Times(50, 0)), 0, mayPurge, 0);
      SampledRows sampledRows = new SampledRows(1);
      sampledRows.add(1, 1_000_000, SampledRows.LIVE);
      List<LiveTable> inputs = List.of(sample.add(sampledRows, 0, 1000).live());
      assertThat(sample.readBytes(inputs, false, 100_000)).isEqualTo(mayPurge ? 0 : 100);
      assertThat(sample.merge(inputs, 0, Split.NONE, true, 100_000, 100_000))
          .isEqualTo(mayPurge ? 0 : 10);
    }
  }

  @Test
  void anExpiredTableIsReadBesideWhatItMayShadow() {
    LiveSample sample =
        new LiveSample(new SampledTable.Scale(1, 100, 10, new Workload.Times(50, 0)), 0, true, 0);
    List<LiveTable> inputs = new ArrayList<>();
    for (long[] seconds : new long[][] {{1, 10}, {11, 20}, {15, 90}}) {
      SampledRows sampledRows = new SampledRows(2);
      sampledRows.add(1, 1_000_000 * seconds[0], SampledRows.LIVE);
      sampledRows.add(2, 1_000_000 * seconds[1], SampledRows.LIVE);
      inputs.add(sample.add(sampledRows, 0, 1000).live());
    }
    // The first two have expired; the others are newer than the first only.
    assertThat(sample.readBytes(inputs, false, 100_000)).isEqualTo(400);
    assertThat(sample.readBytes(inputs, true, 100_000)).isEqualTo(200);
    assertThat(sample.readBytes(inputs.subList(0, 2), false, 100_000)).isEqualTo(200);
    assertThat(sample.readBytes(inputs.subList(0, 1), false, 100_000)).isZero();
  }

  @Test
  void aJobPurgesWhatHadExpiredWhenItBegan() {
    // Flushed within 52 seconds, merged in 1024, and kept for 500.
    Workload workload =
        new Workload(GIB, 1024, 256 * MIB, 20 * MIB, 0, 0, 0, 500, new Workload.Compaction(MIB, 2));
    SimulationResult result = run(workload, 1, SIZE_TIERED, "min_sstable_size", "" + GIB);
    assertThat(result.atRest().jobs()).isEqualTo(1);
    assertThat(result.atRest().seconds()).isCloseTo(51 + 1024, within(2L));
    assertThat(result.atRest().writeAmplification()).isCloseTo(2, within(0.01));
  }

  @Test
  void keysThatAreLimitedAreOverwritten() {
    Workload workload =
        new Workload(
            64 * GIB, 1024, 256 * MIB, 20 * MIB, 0, 0, 1 << 20, 0, new Workload.Compaction(0, 2));
    Measure end = run(workload, 1, LEVELED).end();
    assertThat(end.bytes().live()).isCloseTo(GIB, within(50 * MIB));
    assertThat(end.bytes().onDisk()).isLessThan(4 * GIB);
  }

  @Test
  void whoIsTooSlowFallsBehindAndCatchesUp() {
    Workload slow =
        new Workload(
            64 * GIB, 1024, 256 * MIB, 20 * MIB, 0, 0, 0, 0, new Workload.Compaction(20 * MIB, 2));
    SimulationResult result = run(slow, 1, SIZE_TIERED);
    assertThat(result.maxDebtBytes()).isGreaterThan(4 * GIB);
    assertThat(result.end().seconds()).isEqualTo(64 * GIB / (20 * MIB));
    assertThat(result.atRest().seconds()).isGreaterThan(result.end().seconds() + 1000);
    assertThat(result.atRest().bytes().debt()).isZero();
    assertThat(result.maxTables())
        .isGreaterThan(run(workload(0, 0, 0), 1, SIZE_TIERED).maxTables());
  }

  @Test
  void aJobThatBeginsIsOneOfAPlanOfThatMoment() {
    // A window takes a minute to fill and two to be merged; of those that wait the newest comes
    // first.
    Workload slow =
        new Workload(
            64 * GIB, 1024, 256 * MIB, 20 * MIB, 0, 0, 0, 0, new Workload.Compaction(10 * MIB, 1));
    TableSchema schema =
        schema(WINDOWS, 0, "compaction_window_unit", "MINUTES", "min_threshold", "32");
    for (Measure measure : new Simulation(schema, slow, 16, 1).run().measures()) {
      List<Integer> tables = measure.groups().stream().map(Measure.Group::tables).toList();
      int current = tables.size() - 1;
      assertThat(tables.subList(Math.max(0, current - 5), current))
          .as("of the last five windows one was merged, of %s", tables)
          .contains(1);
    }
  }

  @Test
  void wrongWorkloadsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workload(0.7, 0.4, 0))
        .withMessage("overwriteShare and deleteShare together = 1.1, allowed 0 to 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Workload(1, 1, 2, 1, 0, 0, 0, 0, new Workload.Compaction(0, 1)))
        .withMessage("flushBytes = 2, allowed up to ingestBytes = 1");
    long much = 32_000L << 30;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Workload(much, 1, much, 1, 0, 0, 0, 0, new Workload.Compaction(0, 1)))
        .withMessage("ingestBytesPerSecond = 1, allowed 10865 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Workload(much, 1, much, 1L << 50, 0, 0, 0, 0, new Workload.Compaction(0, 1)))
        .withMessage("ingestBytesPerSecond = 1125899906842624, allowed up to 8796093022208");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Workload(much, 1, much, MIB, 0, 0, 0, 0, new Workload.Compaction(1, 1)))
        .withMessage("compactionBytesPerSecond = 1, allowed 10865 or more");
  }

  /** Merges of random tables against a map of what was written last. */
  @Test
  void mergesKeepTheNewestRowsAndPurgeExpiredOnes() {
    for (long seed = 0; seed < 12L * Integer.getInteger("siltstone.scale", 1); seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      long grace = random.nextInt(300);
      SampledTable.Scale scale =
          new SampledTable.Scale(1, 100, 10, new Workload.Times(random.nextBoolean() ? 0 : 200, 0));
      LiveSample sample = new LiveSample(scale, grace, true, 0);
      Map<Long, Long> timeOf = new TreeMap<>();
      Map<Long, Byte> kindOf = new TreeMap<>();
      long now = 1_000_000;
      for (int round = 0; round < 60; round++) {
        now += 1 + random.nextInt(20);
        SampledRows sampledRows = new SampledRows(4);
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
          long token = random.nextInt(50);
          byte kind = random.nextInt(3) == 0 ? SampledRows.DELETED : SampledRows.LIVE;
          sampledRows.add(token, 1_000_000 * now + i, kind);
        }
        SampledRows sorted = sampledRows.sorted();
        for (int i = 0; i < sorted.size(); i++) {
          timeOf.put(sorted.token(i), sorted.time(i));
          kindOf.put(sorted.token(i), sorted.kind(i));
        }
        sample.add(sorted, 0, 1000 * now);
        List<LiveTable> inputs = new ArrayList<>();
        for (SampledTable table : sample.tables()) {
          if (random.nextInt(4) == 0) {
            inputs.add(table.live());
          }
        }
        if (!inputs.isEmpty()) {
          Split split =
              List.of(Split.NONE, new Split.BySize(300), new Split.AtTokens(List.of(10L, 25L)))
                  .get(random.nextInt(3));
          assertThat(sample.areFree(inputs)).isTrue();
          sample.claim(inputs);
          assertThat(sample.areFree(inputs)).isFalse();
          sample.merge(inputs, 0, split, false, 1000 * now, 1000 * now);
        }
        check(sample, scale, timeOf, kindOf, now, seed);
      }
    }
  }

  private static void check(
      LiveSample sample,
      SampledTable.Scale scale,
      Map<Long, Long> timeOf,
      Map<Long, Byte> kindOf,
      long now,
      long seed) {
    long expected =
        timeOf.entrySet().stream()
            .filter(
                entry ->
                    kindOf.getOrDefault(entry.getKey(), SampledRows.DELETED) == SampledRows.LIVE
                        && (scale.times().ttlSeconds() == 0
                            || entry.getValue() / 1_000_000 + scale.times().ttlSeconds() > now))
            .count();
    Measurements.Reads reads = new Measurements(scale, 1).read(sample.tables(), 1000 * now);
    assertThat(reads.liveBytes()).as("seed %d", seed).isEqualTo(100 * expected);
    long bytes = 0;
    LiveTable previous = null;
    for (SampledTable table : sample.tables()) {
      bytes += table.live().onDiskBytes();
      if (previous != null) {
        assertThat(previous.firstKey()).isLessThanOrEqualTo(table.live().firstKey());
      }
      previous = table.live();
    }
    assertThat(sample.onDiskBytes()).isEqualTo(bytes);
    assertThat(sample.described(0).onDiskBytes()).isEqualTo(bytes);
  }
}
