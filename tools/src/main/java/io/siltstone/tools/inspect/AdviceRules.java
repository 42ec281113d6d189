package io.siltstone.tools.inspect;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.tools.terminal.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The rules of advice, all of them here, each with its reason.
 *
 * <p>Chunk length: a read of a row fetches whole chunks, so chunks much larger than what it looks
 * at are read for nothing; smaller ones compress worse and need more memory for their offsets.
 * Strategy: many SSTables per read call for levels; a time series that expires calls for windows,
 * whose files go as a whole; levels that serve nobody cost writes. Nothing is advised whose gain is
 * small.
 */
final class AdviceRules {
  /** A chunk length is worth a change if reads fetch less than this share of what they do now. */
  static final double WORTH_READ_SHARE = 0.8;

  /** ... and if the data does not grow by more than this: disk is paid for all data, always. */
  static final double MOST_GROWTH = 1.15;

  /** Or the data shrinks to this share while reads fetch hardly more. */
  static final double WORTH_DISK_SHARE = 0.85;

  /** What reads may fetch more for that. */
  static final double MOST_MORE_READ = 1.1;

  /** Of less data than fits in few chunks nothing is said. */
  static final long LEAST_DATA_BYTES = 256 * 1024;

  /** Data that does not get below this does not pay for decompression. */
  static final double NO_COMPRESSION_RATIO = 0.95;

  /** Data that gets below this pays. */
  static final double COMPRESSION_RATIO = 0.8;

  /** Share of the data compressed in another way than the table says from which on it counts. */
  static final double OTHERWISE = 0.1;

  /** SSTables per read from which on it is worth more writes to have fewer. */
  static final double MANY_PER_READ = 4;

  /** A strategy must bring SSTables per read down to this share to be worth the rewriting. */
  static final double WORTH_PER_READ_SHARE = 0.7;

  /** Bytes that wait to be merged, as a share of the data, from which on that is the first cure. */
  static final double BEHIND = 0.3;

  /** Share of neighbouring rows in the order of writing from which on it is a time series. */
  static final double TIME_ORDER = 0.9;

  /** Below this it is none: windows then mix with each other. */
  static final double NO_TIME_ORDER = 0.7;

  /** Share of cells that were overwritten or deleted from which on windows do not suit. */
  static final double UPDATED = 0.1;

  /** Below this hardly anything is overwritten. */
  static final double HARDLY_UPDATED = 0.01;

  /** Windows in the time to live: fewer keep data too long, more are more SSTables. */
  static final int LEAST_WINDOWS = 8;

  /** See {@link #LEAST_WINDOWS}. */
  static final int MOST_WINDOWS = 60;

  /** Windows that are aimed at, as Cassandra's documentation does: 20 to 30. */
  static final int WINDOWS = 24;

  /** Share of cells that could be purged from which on it is worth a compaction for that alone. */
  static final double DROPPABLE = 0.2;

  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final String STCS = "SizeTieredCompactionStrategy";
  private static final String LCS = "LeveledCompactionStrategy";
  private static final String TWCS = "TimeWindowCompactionStrategy";

  private final TableFacts facts;
  private final BiFunction<TableFacts, Map<String, String>, Simulated> simulate;

  private AdviceRules(
      TableFacts facts, BiFunction<TableFacts, Map<String, String>, Simulated> simulate) {
    this.facts = facts;
    this.simulate = simulate;
  }

  /**
   * Advice on each subject.
   *
   * @param simulate tells what a strategy would make of the table
   */
  static List<Advice> apply(
      TableFacts facts, BiFunction<TableFacts, Map<String, String>, Simulated> simulate) {
    AdviceRules rules = new AdviceRules(facts, simulate);
    List<Advice> all = new ArrayList<>();
    all.add(rules.chunks());
    all.add(rules.strategy());
    if (facts.droppable() >= DROPPABLE) {
      all.add(rules.droppable());
    }
    return all;
  }

  // Chunks.

  /** What suits, by the schema; and to have the files follow it if they do not. */
  private Advice chunks() {
    Advice advice = chunksOfSchema();
    boolean isSmall = facts.dataBytes() < LEAST_DATA_BYTES;
    if (isSmall || facts.otherBytes() < Math.max(1, OTHERWISE * facts.onDiskBytes())) {
      return advice;
    }
    String others =
        text(
            "%d of %d SSTables, %s, are compressed in another way than the table says",
            facts.otherSSTables(), facts.sstables(), Figures.bytes(facts.otherBytes()));
    if (advice.isChange()) {
      return advice.withReason(
          advice.reason() + "; " + others + ", the figures of now are as if they were not");
    }
    double then = facts.isCompressed() ? facts.present().onDiskBytes() : (double) facts.dataBytes();
    return new Advice(
        "compression",
        "not-as-the-table",
        true,
        "recompress what is compressed in another way",
        others + "; " + advice.reason(),
        List.of(new Advice.Effect("on_disk_bytes", facts.onDiskBytes(), then)),
        "",
        "siltstone recompress");
  }

  private Advice chunksOfSchema() {
    if (facts.sampledBytes() == 0) {
      return keep("chunk length", "no-data", "there is no data to compress");
    }
    if (facts.dataBytes() < LEAST_DATA_BYTES) {
      return keep(
          "chunk length", "small", text("any suits %s of data", Figures.bytes(facts.dataBytes())));
    }
    if (!facts.isCompressed()) {
      return uncompressed();
    }
    ChunkFigures present = facts.present();
    double best = facts.chunkLengths().stream().mapToDouble(ChunkFigures::ratio).min().orElse(1);
    if (best > NO_COMPRESSION_RATIO) {
      return new Advice(
          "compression",
          "does-not-compress",
          true,
          "turn compression off",
          text(
              "chunks of any length take %.0f %% of the data or more: to decompress buys nothing",
              100 * best),
          List.of(new Advice.Effect("on_disk_bytes", present.onDiskBytes(), facts.dataBytes())),
          alter("compression = {'enabled': 'false'}"),
          "siltstone recompress");
    }
    ChunkFigures candidate = present;
    for (ChunkFigures each : facts.chunkLengths()) {
      boolean isSmall =
          each.chunkBytes() >= leastChunk() && each.bytesPerRead() < candidate.bytesPerRead();
      if (isSmall && each.onDiskBytes() <= MOST_GROWTH * present.onDiskBytes()) {
        candidate = each;
      }
    }
    if (candidate.bytesPerRead() <= WORTH_READ_SHARE * present.bytesPerRead()) {
      return change(
          "smaller-chunks",
          present,
          candidate,
          text(
              "a read looks at %s of a partition of one SSTable and fetches whole chunks",
              Figures.bytes(TableFacts.touchedBytes(facts.medianPartitionBytes()))));
    }
    for (ChunkFigures each : facts.chunkLengths()) {
      if (each.onDiskBytes() < candidate.onDiskBytes()
          && each.bytesPerRead() <= MOST_MORE_READ * present.bytesPerRead()) {
        candidate = each;
      }
    }
    if (candidate.onDiskBytes() <= WORTH_DISK_SHARE * present.onDiskBytes()) {
      return change(
          "larger-chunks",
          present,
          candidate,
          "the data compresses much better in larger chunks, and reads fetch hardly more");
    }
    return keep(
        "chunk length",
        "chunks-suit",
        text(
            "chunk_length_in_kb %d suits: no other makes reads fetch less than %.0f %% of now, or"
                + " the data much smaller",
            present.chunkBytes() / 1024, 100 * WORTH_READ_SHARE));
  }

  /** Chunks smaller than what a read looks at only make it fetch more of them. */
  private int leastChunk() {
    return (int)
        Math.max(4096, Long.highestOneBit(TableFacts.touchedBytes(facts.medianPartitionBytes())));
  }

  private Advice uncompressed() {
    ChunkFigures sixteen = facts.with(CompressionOptions.DEFAULT.chunkLengthBytes());
    if (sixteen.ratio() > COMPRESSION_RATIO) {
      return keep(
          "compression",
          "does-not-compress",
          text("compressed the data would take %.0f %% of now", 100 * sixteen.ratio()));
    }
    return new Advice(
        "compression",
        "compresses-well",
        true,
        "compress the data",
        text("LZ4 makes of a sample %.0f %% in chunks of 16 KiB", 100 * sixteen.ratio()),
        List.of(
            new Advice.Effect("on_disk_bytes", facts.onDiskBytes(), sixteen.onDiskBytes()),
            new Advice.Effect("metadata_bytes", 0, sixteen.metadataBytes())),
        alter("compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}"),
        "siltstone recompress");
  }

  private Advice change(String rule, ChunkFigures now, ChunkFigures then, String reason) {
    Map<String, String> options =
        facts
            .schema()
            .options()
            .compression()
            .withChunkLengthInKb(then.chunkBytes() / 1024)
            .toMap();
    options.computeIfPresent("class", (key, name) -> name.substring(name.lastIndexOf('.') + 1));
    return new Advice(
        "chunk length",
        rule,
        true,
        text(
            "chunk_length_in_kb %d in place of %d",
            then.chunkBytes() / 1024, now.chunkBytes() / 1024),
        reason,
        List.of(
            new Advice.Effect(
                "bytes_from_disk_per_read",
                now.bytesPerRead() * perRead(),
                then.bytesPerRead() * perRead()),
            new Advice.Effect("on_disk_bytes", now.onDiskBytes(), then.onDiskBytes()),
            new Advice.Effect("metadata_bytes", now.metadataBytes(), then.metadataBytes()),
            new Advice.Effect(
                "metadata_bytes_in_cassandra",
                now.cassandraMetadataBytes(),
                then.cassandraMetadataBytes())),
        alter("compression = " + map(options)),
        "siltstone recompress");
  }

  private double perRead() {
    return Math.max(1, facts.sstablesPerRead());
  }

  // Strategy.

  private Advice strategy() {
    boolean isManyPerRead = facts.sstablesPerRead() >= MANY_PER_READ;
    if (isManyPerRead && facts.debtBytes() >= BEHIND * facts.onDiskBytes()) {
      return new Advice(
          "strategy",
          "compaction-is-behind",
          false,
          "keep " + facts.strategy() + ", and let compaction catch up first",
          text(
              "%s of %s wait to be merged: %.1f SSTables per read say nothing of the strategy yet",
              Figures.bytes(facts.debtBytes()),
              Figures.bytes(facts.onDiskBytes()),
              facts.sstablesPerRead()),
          List.of(),
          "",
          "siltstone compact");
    }
    boolean isTimeSeries =
        !facts.timeClustering().isEmpty()
            && facts.timeOrder() >= TIME_ORDER
            && facts.shadowed() < UPDATED;
    if (isTimeSeries && facts.ttlSeconds() > 0) {
      return timeSeries();
    }
    if (facts.strategy().equals(TWCS)) {
      return windows();
    }
    if (isManyPerRead && !facts.strategy().equals(LCS)) {
      return levels();
    }
    if (facts.strategy().equals(LCS)
        && facts.shadowed() < HARDLY_UPDATED
        && facts.tombstones() < HARDLY_UPDATED
        && facts.partitionSpan() < HARDLY_UPDATED
        && facts.sampledKeys() > 0) {
      return noLevels();
    }
    return keep(
        "strategy",
        "strategy-suits",
        text(
            "%s suits: %.1f SSTables per read, %.0f %% of cells overwritten or deleted",
            facts.strategy(), facts.sstablesPerRead(), 100 * facts.shadowed()));
  }

  private Advice timeSeries() {
    long window = window(facts.ttlSeconds());
    Map<String, String> options = windowOptions(window);
    if (!facts.strategy().equals(TWCS)) {
      return new Advice(
          "strategy",
          "time-series",
          true,
          TWCS + " with windows of " + Figures.time(window),
          text(
              "rows are written in the order of %s (%.0f %% of neighbours), all expire within %s,"
                  + " and hardly any is overwritten: SSTables of a window expire and go as a whole,"
                  + " without being merged again",
              facts.timeClustering(), 100 * facts.timeOrder(), Figures.time(facts.ttlSeconds())),
          effects(options),
          alter("compaction = " + map(options)),
          "");
    }
    long present = presentWindow();
    long windows = facts.ttlSeconds() / Math.max(1, present);
    if (windows < LEAST_WINDOWS || windows > MOST_WINDOWS) {
      return new Advice(
          "strategy",
          "window-size",
          true,
          text("windows of %s in place of %s", Figures.time(window), Figures.time(present)),
          text(
              "%d windows fit in the time to live of %s, %d to %d suit: each is an SSTable or more,"
                  + " and goes when its last row has expired",
              windows, Figures.time(facts.ttlSeconds()), LEAST_WINDOWS, MOST_WINDOWS),
          List.of(
              new Advice.Effect(
                  "windows", windows, (double) facts.ttlSeconds() / Math.max(1, window))),
          alter("compaction = " + map(options)),
          "");
    }
    return keep(
        "strategy",
        "time-series",
        text("a time series in %d windows, of which each goes as a whole", windows));
  }

  /** A whole number of hours or days, so that about {@link #WINDOWS} fit. */
  private static long window(long ttlSeconds) {
    long seconds = Math.max(60, ttlSeconds / WINDOWS);
    if (seconds >= DAY) {
      return seconds / DAY * DAY;
    }
    return seconds >= HOUR ? seconds / HOUR * HOUR : seconds / 60 * 60;
  }

  private static Map<String, String> windowOptions(long window) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("class", TWCS);
    boolean isDays = window % DAY == 0;
    boolean isHours = window % HOUR == 0;
    options.put("compaction_window_unit", isDays ? "DAYS" : isHours ? "HOURS" : "MINUTES");
    options.put(
        "compaction_window_size", Long.toString(window / (isDays ? DAY : isHours ? HOUR : 60)));
    return options;
  }

  private long presentWindow() {
    Map<String, String> options = facts.schema().options().compaction();
    long size = Long.parseLong(options.getOrDefault("compaction_window_size", "1"));
    String unit = options.getOrDefault("compaction_window_unit", "DAYS").toUpperCase(Locale.ROOT);
    return size * (unit.equals("DAYS") ? DAY : unit.equals("HOURS") ? HOUR : 60);
  }

  private Advice windows() {
    boolean isMixed =
        facts.shadowed() >= UPDATED
            || (!Double.isNaN(facts.timeOrder()) && facts.timeOrder() < NO_TIME_ORDER);
    if (!isMixed) {
      return keep("strategy", "windows", "nothing speaks against time windows");
    }
    Map<String, String> options = Map.of("class", STCS);
    return new Advice(
        "strategy",
        "no-time-series",
        true,
        STCS,
        text(
            "windows suit rows that are written in the order of time and not again: %.0f %% of"
                + " cells are overwritten or deleted, %s",
            100 * facts.shadowed(),
            Double.isNaN(facts.timeOrder())
                ? "and there is no order of time to be seen"
                : text("%.0f %% of neighbours in order", 100 * facts.timeOrder())),
        effects(options),
        alter("compaction = " + map(options)),
        "siltstone compact");
  }

  private Advice levels() {
    Map<String, String> options = Map.of("class", LCS);
    Simulated now = simulate.apply(facts, facts.schema().options().compaction());
    Simulated then = simulate.apply(facts, options);
    double expected =
        facts.sstablesPerRead() * then.sstablesPerRead() / Math.max(1, now.sstablesPerRead());
    // In levels a read finds one SSTable in each of few levels, whatever was there before.
    expected = Math.min(expected, Math.max(1, then.sstablesPerRead()));
    if (expected > WORTH_PER_READ_SHARE * facts.sstablesPerRead()) {
      return keep(
          "strategy",
          "levels-would-not-help",
          text(
              "%.1f SSTables per read, and a simulation finds hardly fewer with levels",
              facts.sstablesPerRead()));
    }
    return new Advice(
        "strategy",
        "many-sstables-per-read",
        true,
        LCS,
        text(
            "%.1f SSTables have a key on average, %d at most: levels keep versions of a key in few"
                + " SSTables, for more writing, which pays where reads outnumber writes",
            facts.sstablesPerRead(), facts.maxSSTablesPerRead()),
        List.of(
            new Advice.Effect("sstables_per_read", facts.sstablesPerRead(), expected),
            new Advice.Effect(
                "write_amplification", now.writeAmplification(), then.writeAmplification()),
            new Advice.Effect(
                "space_amplification", now.spaceAmplification(), then.spaceAmplification())),
        alter("compaction = " + map(options)),
        "siltstone relevel");
  }

  private Advice noLevels() {
    Map<String, String> options = Map.of("class", STCS);
    return new Advice(
        "strategy",
        "levels-for-nothing",
        true,
        STCS,
        "rows of a partition are written at once and never again, so that any strategy finds a key"
            + " in one SSTable; levels rewrite them several times for nothing",
        effects(options),
        alter("compaction = " + map(options)),
        "");
  }

  private List<Advice.Effect> effects(Map<String, String> options) {
    Simulated now = simulate.apply(facts, facts.schema().options().compaction());
    Simulated then = simulate.apply(facts, options);
    return List.of(
        new Advice.Effect(
            "write_amplification", now.writeAmplification(), then.writeAmplification()),
        new Advice.Effect("sstables_per_read", now.sstablesPerRead(), then.sstablesPerRead()),
        new Advice.Effect(
            "space_amplification", now.spaceAmplification(), then.spaceAmplification()));
  }

  private Advice droppable() {
    return new Advice(
        "tombstones",
        "droppable-tombstones",
        true,
        "compact what could be purged",
        text(
            "%.0f %% of all cells have been deleted or expired for more than gc_grace_seconds and"
                + " are still there",
            100 * facts.droppable()),
        List.of(
            new Advice.Effect(
                "on_disk_bytes",
                facts.onDiskBytes(),
                facts.onDiskBytes() * (1 - facts.droppable()))),
        "",
        "siltstone garbagecollect");
  }

  private static Advice keep(String subject, String rule, String reason) {
    return new Advice(subject, rule, false, "keep what you have", reason, List.of(), "", "");
  }

  private String alter(String option) {
    return "ALTER TABLE " + facts.name() + " WITH " + option + ";";
  }

  private static String map(Map<String, String> options) {
    return options.entrySet().stream()
        .map(each -> "'" + each.getKey() + "': '" + each.getValue() + "'")
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
