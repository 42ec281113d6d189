package io.siltstone.schema;

import io.siltstone.compress.CompressionOptions;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The value of each table option, with its default. A {@link TableOptions.Builder} changes it;
 * {@link TableOptions} do not. Maps are immutable.
 */
final class TableOptionValues implements Cloneable {
  private static final String DEFAULT_RETRY = "99p";

  /**
   * The extension that keeps {@link #durableWrites}: Cassandra has this option for keyspaces only,
   * and keeps extensions that it does not know.
   */
  static final String DURABLE_WRITES = "siltstone.durable_writes";

  /**
   * The option of time window compaction that Cassandra does not have, and the extension that keeps
   * it: Cassandra refuses options of compaction that it does not know.
   */
  static final String WINDOW_TIME = "compaction_window_time";

  static final String WINDOW_TIME_EXTENSION = "siltstone." + WINDOW_TIME;

  private static final String DURABLE = "01";
  private static final String NOT_DURABLE = "00";

  private static final String TIME_WINDOW = "TimeWindowCompactionStrategy";
  private static final HexFormat HEX = HexFormat.of();

  private static final Map<String, String> DEFAULT_COMPACTION =
      Map.of(
          "class",
          TableOptions.COMPACTION_PACKAGE + "SizeTieredCompactionStrategy",
          "min_threshold",
          "4",
          "max_threshold",
          "32");

  String additionalWritePolicy = DEFAULT_RETRY;
  boolean allowAutoSnapshot = true;
  Map<String, String> autoRepair = Map.of();
  // Null until canonical() fills it in: its default depends on the compaction strategy.
  @Nullable Double bloomFilterFpChance;
  Caching caching = Caching.DEFAULT;
  boolean cdc = false;
  String comment = "";
  Map<String, String> compaction = DEFAULT_COMPACTION;
  CompressionOptions compression = CompressionOptions.DEFAULT;
  double crcCheckChance = 1.0;
  int defaultTimeToLive = 0;
  boolean durableWrites = true;
  // Without the extension that keeps durableWrites, unless its value is wrong.
  Map<String, String> extensions = Map.of();
  int gcGraceSeconds = TableOptions.DEFAULT_GC_GRACE_SECONDS;
  boolean incrementalBackups = true;
  int maxIndexInterval = TableOptions.DEFAULT_MAX_INDEX_INTERVAL;
  String memtable = "default";
  int memtableFlushPeriodInMs = 0;
  int minIndexInterval = TableOptions.DEFAULT_MIN_INDEX_INTERVAL;
  String readRepair = "BLOCKING";
  String speculativeRetry = DEFAULT_RETRY;

  TableOptionValues copy() {
    try {
      return (TableOptionValues) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a copy of correct values in canonical form, with all defaults filled in. */
  TableOptionValues canonical() {
    TableOptionValues canonical = copy();
    canonical.additionalWritePolicy = RetryPolicy.canonical(additionalWritePolicy).orElseThrow();
    canonical.readRepair = readRepair.toUpperCase(Locale.ROOT);
    canonical.speculativeRetry = RetryPolicy.canonical(speculativeRetry).orElseThrow();
    if (bloomFilterFpChance == null) {
      canonical.bloomFilterFpChance =
          compactionStrategy().equals("LeveledCompactionStrategy")
              ? TableOptions.LEVELED_BLOOM_FILTER_FP_CHANCE
              : TableOptions.DEFAULT_BLOOM_FILTER_FP_CHANCE;
    }
    canonical.takeWindowTime();
    return canonical;
  }

  /** Moves the extension that is an option of the compaction strategy there. */
  private void takeWindowTime() {
    String digits = extensions.get(WINDOW_TIME_EXTENSION);
    if (digits == null || !compactionStrategy().equals(TIME_WINDOW)) {
      return;
    }
    Map<String, String> others = new TreeMap<>(extensions);
    others.remove(WINDOW_TIME_EXTENSION);
    extensions = Map.copyOf(others);
    Map<String, String> options = new TreeMap<>(compaction);
    options.putIfAbsent(WINDOW_TIME, new String(HEX.parseHex(digits), StandardCharsets.UTF_8));
    compaction = Map.copyOf(options);
  }

  /** Sets the extensions, and {@link #durableWrites} if one of them keeps it. */
  void extensions(Map<String, String> all) {
    Map<String, String> others = new TreeMap<>(all);
    String durable = others.get(DURABLE_WRITES);
    if (DURABLE.equals(durable) || NOT_DURABLE.equals(durable)) {
      durableWrites = DURABLE.equals(durable);
      others.remove(DURABLE_WRITES);
    }
    extensions = Map.copyOf(others);
  }

  /** Returns the simple class name of the compaction strategy. */
  String compactionStrategy() {
    String name = compaction.getOrDefault("class", "");
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns the values of all options, for comparisons; the values must be canonical. */
  List<Object> all() {
    return List.of(
        additionalWritePolicy,
        allowAutoSnapshot,
        autoRepair,
        Objects.requireNonNull(bloomFilterFpChance),
        caching,
        cdc,
        comment,
        compaction,
        compression,
        crcCheckChance,
        defaultTimeToLive,
        durableWrites,
        extensions,
        gcGraceSeconds,
        incrementalBackups,
        maxIndexInterval,
        memtable,
        memtableFlushPeriodInMs,
        minIndexInterval,
        readRepair,
        speculativeRetry);
  }

  /** Returns all options by name in Cassandra's order, values as CQL writes them. */
  Map<String, String> toCql() {
    Map<String, String> cql = new TreeMap<>();
    cql.put("additional_write_policy", Names.string(additionalWritePolicy));
    cql.put("allow_auto_snapshot", String.valueOf(allowAutoSnapshot));
    if (!autoRepair.isEmpty()) {
      // Cassandra rejects the option if the feature is off.
      cql.put("auto_repair", mapLiteral(autoRepair));
    }
    cql.put("bloom_filter_fp_chance", String.valueOf(bloomFilterFpChance));
    cql.put("caching", mapLiteral(caching.toMap()));
    cql.put("cdc", String.valueOf(cdc));
    cql.put("comment", Names.string(comment));
    Map<String, String> ofCassandra = new TreeMap<>(compaction);
    String windowTime = ofCassandra.remove(WINDOW_TIME);
    cql.put("compaction", mapLiteral(ofCassandra));
    cql.put("compression", mapLiteral(compression.toMap()));
    cql.put("crc_check_chance", String.valueOf(crcCheckChance));
    cql.put("default_time_to_live", String.valueOf(defaultTimeToLive));
    Map<String, String> blobs = new TreeMap<>();
    extensions.forEach((name, digits) -> blobs.put(Names.string(name), "0x" + digits));
    if (!durableWrites) {
      blobs.put(Names.string(DURABLE_WRITES), "0x" + NOT_DURABLE);
    }
    if (windowTime != null) {
      String digits = HEX.formatHex(windowTime.getBytes(StandardCharsets.UTF_8));
      blobs.put(Names.string(WINDOW_TIME_EXTENSION), "0x" + digits);
    }
    cql.put("extensions", literal(blobs));
    cql.put("gc_grace_seconds", String.valueOf(gcGraceSeconds));
    cql.put("incremental_backups", String.valueOf(incrementalBackups));
    cql.put("max_index_interval", String.valueOf(maxIndexInterval));
    cql.put("memtable", Names.string(memtable));
    cql.put("memtable_flush_period_in_ms", String.valueOf(memtableFlushPeriodInMs));
    cql.put("min_index_interval", String.valueOf(minIndexInterval));
    cql.put("read_repair", Names.string(readRepair));
    cql.put("speculative_retry", Names.string(speculativeRetry));
    return cql;
  }

  private static String mapLiteral(Map<String, String> map) {
    Map<String, String> quoted = new TreeMap<>();
    map.forEach((name, value) -> quoted.put(Names.string(name), Names.string(value)));
    return literal(quoted);
  }

  private static String literal(Map<String, String> parts) {
    StringBuilder text = new StringBuilder("{");
    parts.forEach(
        (name, value) ->
            text.append(text.length() == 1 ? "" : ", ").append(name).append(": ").append(value));
    return text.append('}').toString();
  }
}
