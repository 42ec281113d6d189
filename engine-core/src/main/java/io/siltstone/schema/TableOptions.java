package io.siltstone.schema;

import io.siltstone.compress.CompressionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a table, which {@code CREATE TABLE} lists after {@code WITH}. Names, defaults and
 * ranges are those of Cassandra 5.0. Options that only concern a cluster are kept, but have no
 * effect here. Immutable, safe for use by any number of threads. Source: Cassandra {@code
 * TableParams}.
 */
public final class TableOptions {
  /** Ten days, which Cassandra needs to repair all replicas before a tombstone may be purged. */
  public static final int DEFAULT_GC_GRACE_SECONDS = 864_000;

  /** The number of partitions for each entry in the index summary. */
  public static final int DEFAULT_MIN_INDEX_INTERVAL = 128;

  /**
   * The number of partitions for each entry in an index summary that Cassandra has shrunk to save
   * memory.
   */
  public static final int DEFAULT_MAX_INDEX_INTERVAL = 2048;

  /** Ten bits per key. */
  public static final double DEFAULT_BLOOM_FILTER_FP_CHANCE = 0.01;

  /** Leveled SSTables seldom overlap, so that a read asks fewer filters. */
  public static final double LEVELED_BLOOM_FILTER_FP_CHANCE = 0.1;

  /**
   * Exclusive lower limit: a filter has at most 20 bits per key, and cannot do better with these.
   */
  public static final double MIN_BLOOM_FILTER_FP_CHANCE = 6.71e-5;

  /** Twenty years, in seconds. */
  public static final int MAX_TIME_TO_LIVE = 20 * 365 * 24 * 60 * 60;

  /** Simple class names of the compaction strategies. */
  public static final List<String> COMPACTION_STRATEGIES =
      List.of(
          "SizeTieredCompactionStrategy",
          "LeveledCompactionStrategy",
          "TimeWindowCompactionStrategy",
          "UnifiedCompactionStrategy");

  static final String COMPACTION_PACKAGE = "org.apache.cassandra.db.compaction.";

  private static final String DEFAULT_RETRY = "99p";

  private static final Map<String, String> DEFAULT_COMPACTION =
      Map.of(
          "class",
          COMPACTION_PACKAGE + "SizeTieredCompactionStrategy",
          "min_threshold",
          "4",
          "max_threshold",
          "32");

  /** All options at their defaults. */
  public static final TableOptions DEFAULT = builder().build();

  private final String additionalWritePolicy;
  private final boolean allowAutoSnapshot;
  private final Map<String, String> autoRepair;
  private final double bloomFilterFpChance;
  private final Caching caching;
  private final boolean cdc;
  private final String comment;
  private final Map<String, String> compaction;
  private final CompressionOptions compression;
  private final double crcCheckChance;
  private final int defaultTimeToLive;
  private final Map<String, String> extensions;
  private final int gcGraceSeconds;
  private final boolean incrementalBackups;
  private final int maxIndexInterval;
  private final String memtable;
  private final int memtableFlushPeriodInMs;
  private final int minIndexInterval;
  private final String readRepair;
  private final String speculativeRetry;

  private TableOptions(Builder builder, double bloomFilterFpChance) {
    this.additionalWritePolicy = RetryPolicy.canonical(builder.additionalWritePolicy).orElseThrow();
    this.allowAutoSnapshot = builder.allowAutoSnapshot;
    this.autoRepair = Map.copyOf(builder.autoRepair);
    this.bloomFilterFpChance = bloomFilterFpChance;
    this.caching = builder.caching;
    this.cdc = builder.cdc;
    this.comment = builder.comment;
    this.compaction = Map.copyOf(builder.compaction);
    this.compression = builder.compression;
    this.crcCheckChance = builder.crcCheckChance;
    this.defaultTimeToLive = builder.defaultTimeToLive;
    this.extensions = Map.copyOf(builder.extensions);
    this.gcGraceSeconds = builder.gcGraceSeconds;
    this.incrementalBackups = builder.incrementalBackups;
    this.maxIndexInterval = builder.maxIndexInterval;
    this.memtable = builder.memtable;
    this.memtableFlushPeriodInMs = builder.memtableFlushPeriodInMs;
    this.minIndexInterval = builder.minIndexInterval;
    this.readRepair = builder.readRepair.toUpperCase(Locale.ROOT);
    this.speculativeRetry = RetryPolicy.canonical(builder.speculativeRetry).orElseThrow();
  }

  /** Returns a builder with all options at their defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.additionalWritePolicy = additionalWritePolicy;
    builder.allowAutoSnapshot = allowAutoSnapshot;
    builder.autoRepair = autoRepair;
    builder.bloomFilterFpChance = bloomFilterFpChance;
    builder.caching = caching;
    builder.cdc = cdc;
    builder.comment = comment;
    builder.compaction = compaction;
    builder.compression = compression;
    builder.crcCheckChance = crcCheckChance;
    builder.defaultTimeToLive = defaultTimeToLive;
    builder.extensions = extensions;
    builder.gcGraceSeconds = gcGraceSeconds;
    builder.incrementalBackups = incrementalBackups;
    builder.maxIndexInterval = maxIndexInterval;
    builder.memtable = memtable;
    builder.memtableFlushPeriodInMs = memtableFlushPeriodInMs;
    builder.minIndexInterval = minIndexInterval;
    builder.readRepair = readRepair;
    builder.speculativeRetry = speculativeRetry;
    return builder;
  }

  /** Returns when Cassandra writes to one more replica; the engine has no use for it. */
  public String additionalWritePolicy() {
    return additionalWritePolicy;
  }

  /** Returns whether Cassandra makes a snapshot before it drops or truncates the table. */
  public boolean allowAutoSnapshot() {
    return allowAutoSnapshot;
  }

  /** Returns the option map of Cassandra's automatic repair, as given; empty for its defaults. */
  public Map<String, String> autoRepair() {
    return autoRepair;
  }

  /**
   * Returns the rate of false positives of bloom filters, more than {@link
   * #MIN_BLOOM_FILTER_FP_CHANCE} and at most 1, which means no filter. Default {@link
   * #DEFAULT_BLOOM_FILTER_FP_CHANCE}, or {@link #LEVELED_BLOOM_FILTER_FP_CHANCE} with leveled
   * compaction.
   */
  public double bloomFilterFpChance() {
    return bloomFilterFpChance;
  }

  /** Returns what is cached. */
  public Caching caching() {
    return caching;
  }

  /** Returns whether Cassandra keeps commit log segments for change data capture. */
  public boolean cdc() {
    return cdc;
  }

  /** Returns a comment for humans. */
  public String comment() {
    return comment;
  }

  /**
   * Returns the compaction option map as given; its class is one of {@link #COMPACTION_STRATEGIES},
   * with or without package.
   */
  public Map<String, String> compaction() {
    return compaction;
  }

  /** Returns how data files are compressed. */
  public CompressionOptions compression() {
    return compression;
  }

  /**
   * Returns the probability, from 0 to 1, with which the checksum of a chunk is checked when it is
   * read.
   */
  public double crcCheckChance() {
    return crcCheckChance;
  }

  /**
   * Returns the TTL in seconds of what is written without one; 0 for none, at most {@link
   * #MAX_TIME_TO_LIVE}.
   */
  public int defaultTimeToLive() {
    return defaultTimeToLive;
  }

  /**
   * Returns the values of Cassandra's extensions by name, each as hexadecimal digits without {@code
   * 0x}.
   */
  public Map<String, String> extensions() {
    return extensions;
  }

  /** Returns the minimum time in seconds for which tombstones are kept; 0 or more. */
  public int gcGraceSeconds() {
    return gcGraceSeconds;
  }

  /** Returns whether Cassandra links new files into its backups, if it does at all. */
  public boolean incrementalBackups() {
    return incrementalBackups;
  }

  /**
   * Returns the maximum number of partitions for each entry in the index summary; at least {@link
   * #minIndexInterval}.
   */
  public int maxIndexInterval() {
    return maxIndexInterval;
  }

  /** Returns the name of a memtable configuration of Cassandra; the engine has no use for it. */
  public String memtable() {
    return memtable;
  }

  /** Returns the time in milliseconds after which a memtable is flushed; 0 for no such flush. */
  public int memtableFlushPeriodInMs() {
    return memtableFlushPeriodInMs;
  }

  /** Returns the minimum number of partitions for each entry in the index summary; at least 1. */
  public int minIndexInterval() {
    return minIndexInterval;
  }

  /** {@code BLOCKING} or {@code NONE}; the engine has no use for it. */
  public String readRepair() {
    return readRepair;
  }

  /** Returns when Cassandra reads from one more replica; the engine has no use for it. */
  public String speculativeRetry() {
    return speculativeRetry;
  }

  /** Returns the simple class name of the compaction strategy. */
  public String compactionStrategy() {
    String name = compaction.getOrDefault("class", "");
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns whether a compaction may purge only what is repaired, as a compaction option says. */
  public boolean purgesOnlyRepaired() {
    return Boolean.parseBoolean(compaction.get("only_purge_repaired_tombstones"));
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
    cql.put("compaction", mapLiteral(compaction));
    cql.put("compression", mapLiteral(compression.toMap()));
    cql.put("crc_check_chance", String.valueOf(crcCheckChance));
    cql.put("default_time_to_live", String.valueOf(defaultTimeToLive));
    Map<String, String> blobs = new TreeMap<>();
    extensions.forEach((name, digits) -> blobs.put(Names.string(name), "0x" + digits));
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TableOptions that
        && additionalWritePolicy.equals(that.additionalWritePolicy)
        && allowAutoSnapshot == that.allowAutoSnapshot
        && autoRepair.equals(that.autoRepair)
        && Double.compare(bloomFilterFpChance, that.bloomFilterFpChance) == 0
        && caching.equals(that.caching)
        && cdc == that.cdc
        && comment.equals(that.comment)
        && compaction.equals(that.compaction)
        && compression.equals(that.compression)
        && Double.compare(crcCheckChance, that.crcCheckChance) == 0
        && defaultTimeToLive == that.defaultTimeToLive
        && extensions.equals(that.extensions)
        && gcGraceSeconds == that.gcGraceSeconds
        && incrementalBackups == that.incrementalBackups
        && maxIndexInterval == that.maxIndexInterval
        && memtable.equals(that.memtable)
        && memtableFlushPeriodInMs == that.memtableFlushPeriodInMs
        && minIndexInterval == that.minIndexInterval
        && readRepair.equals(that.readRepair)
        && speculativeRetry.equals(that.speculativeRetry);
  }

  @Override
  public int hashCode() {
    return Objects.hash(gcGraceSeconds, defaultTimeToLive, compaction, compression, comment);
  }

  /** As CQL writes them after {@code WITH}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    toCql()
        .forEach(
            (name, value) ->
                text.append(text.isEmpty() ? "" : " AND ")
                    .append(name)
                    .append(" = ")
                    .append(value));
    return text.toString();
  }

  /**
   * Collects options. Not safe for use by several threads. Values are checked by {@link #build}.
   */
  public static final class Builder {
    private String additionalWritePolicy = DEFAULT_RETRY;
    private boolean allowAutoSnapshot = true;
    private Map<String, String> autoRepair = Map.of();
    private @Nullable Double bloomFilterFpChance;
    private Caching caching = Caching.DEFAULT;
    private boolean cdc = false;
    private String comment = "";
    private Map<String, String> compaction = DEFAULT_COMPACTION;
    private CompressionOptions compression = CompressionOptions.DEFAULT;
    private double crcCheckChance = 1.0;
    private int defaultTimeToLive = 0;
    private Map<String, String> extensions = Map.of();
    private int gcGraceSeconds = DEFAULT_GC_GRACE_SECONDS;
    private boolean incrementalBackups = true;
    private int maxIndexInterval = DEFAULT_MAX_INDEX_INTERVAL;
    private String memtable = "default";
    private int memtableFlushPeriodInMs = 0;
    private int minIndexInterval = DEFAULT_MIN_INDEX_INTERVAL;
    private String readRepair = "BLOCKING";
    private String speculativeRetry = DEFAULT_RETRY;

    private Builder() {}

    /** Sets {@link TableOptions#additionalWritePolicy}. */
    public Builder additionalWritePolicy(String value) {
      additionalWritePolicy = Objects.requireNonNull(value, "additionalWritePolicy");
      return this;
    }

    /** Sets {@link TableOptions#allowAutoSnapshot}. */
    public Builder allowAutoSnapshot(boolean value) {
      allowAutoSnapshot = value;
      return this;
    }

    /** Sets {@link TableOptions#autoRepair}. */
    public Builder autoRepair(Map<String, String> value) {
      autoRepair = Map.copyOf(Objects.requireNonNull(value, "autoRepair"));
      return this;
    }

    /** Sets {@link TableOptions#bloomFilterFpChance}. */
    public Builder bloomFilterFpChance(double value) {
      bloomFilterFpChance = value;
      return this;
    }

    /** Sets {@link TableOptions#caching}. */
    public Builder caching(Caching value) {
      caching = Objects.requireNonNull(value, "caching");
      return this;
    }

    /** Sets {@link TableOptions#cdc}. */
    public Builder cdc(boolean value) {
      cdc = value;
      return this;
    }

    /** Sets {@link TableOptions#comment}. */
    public Builder comment(String value) {
      comment = Objects.requireNonNull(value, "comment");
      return this;
    }

    /** Sets {@link TableOptions#compaction}. */
    public Builder compaction(Map<String, String> value) {
      compaction = Map.copyOf(Objects.requireNonNull(value, "compaction"));
      return this;
    }

    /** Sets {@link TableOptions#compression}. */
    public Builder compression(CompressionOptions value) {
      compression = Objects.requireNonNull(value, "compression");
      return this;
    }

    /** Sets {@link TableOptions#crcCheckChance}. */
    public Builder crcCheckChance(double value) {
      crcCheckChance = value;
      return this;
    }

    /** Sets {@link TableOptions#defaultTimeToLive}. */
    public Builder defaultTimeToLive(int value) {
      defaultTimeToLive = value;
      return this;
    }

    /** Sets {@link TableOptions#extensions}. */
    public Builder extensions(Map<String, String> value) {
      extensions = Map.copyOf(Objects.requireNonNull(value, "extensions"));
      return this;
    }

    /** Sets {@link TableOptions#gcGraceSeconds}. */
    public Builder gcGraceSeconds(int value) {
      gcGraceSeconds = value;
      return this;
    }

    /** Sets {@link TableOptions#incrementalBackups}. */
    public Builder incrementalBackups(boolean value) {
      incrementalBackups = value;
      return this;
    }

    /** Sets {@link TableOptions#maxIndexInterval}. */
    public Builder maxIndexInterval(int value) {
      maxIndexInterval = value;
      return this;
    }

    /** Sets {@link TableOptions#memtable}. */
    public Builder memtable(String value) {
      memtable = Objects.requireNonNull(value, "memtable");
      return this;
    }

    /** Sets {@link TableOptions#memtableFlushPeriodInMs}. */
    public Builder memtableFlushPeriodInMs(int value) {
      memtableFlushPeriodInMs = value;
      return this;
    }

    /** Sets {@link TableOptions#minIndexInterval}. */
    public Builder minIndexInterval(int value) {
      minIndexInterval = value;
      return this;
    }

    /** Sets {@link TableOptions#readRepair}. */
    public Builder readRepair(String value) {
      readRepair = Objects.requireNonNull(value, "readRepair");
      return this;
    }

    /** Sets {@link TableOptions#speculativeRetry}. */
    public Builder speculativeRetry(String value) {
      speculativeRetry = Objects.requireNonNull(value, "speculativeRetry");
      return this;
    }

    /**
     * Checks all values.
     *
     * @throws SchemaException naming every option that is wrong, its value and what is allowed
     */
    public TableOptions build() {
      List<String> problems = problems();
      if (!problems.isEmpty()) {
        throw new SchemaException(String.join("; ", problems));
      }
      double chance =
          bloomFilterFpChance != null
              ? bloomFilterFpChance
              : strategy().filter("LeveledCompactionStrategy"::equals).isPresent()
                  ? LEVELED_BLOOM_FILTER_FP_CHANCE
                  : DEFAULT_BLOOM_FILTER_FP_CHANCE;
      return new TableOptions(this, chance);
    }

    /** Returns all that is wrong. */
    List<String> problems() {
      List<String> problems = new ArrayList<>();
      Double chance = bloomFilterFpChance;
      if (chance != null && !(chance > MIN_BLOOM_FILTER_FP_CHANCE && chance <= 1)) {
        problems.add(
            "bloom_filter_fp_chance = "
                + chance
                + ", allowed more than "
                + MIN_BLOOM_FILTER_FP_CHANCE
                + ", to 1.0");
      }
      if (!(crcCheckChance >= 0 && crcCheckChance <= 1)) {
        problems.add("crc_check_chance = " + crcCheckChance + ", allowed 0.0..1.0");
      }
      range(problems, "default_time_to_live", defaultTimeToLive, 0, MAX_TIME_TO_LIVE);
      range(problems, "gc_grace_seconds", gcGraceSeconds, 0, Integer.MAX_VALUE);
      range(problems, "min_index_interval", minIndexInterval, 1, Integer.MAX_VALUE);
      if (minIndexInterval >= 1) {
        range(
            problems, "max_index_interval", maxIndexInterval, minIndexInterval, Integer.MAX_VALUE);
      }
      range(problems, "memtable_flush_period_in_ms", memtableFlushPeriodInMs, 0, Integer.MAX_VALUE);
      retry(problems, "speculative_retry", speculativeRetry);
      retry(problems, "additional_write_policy", additionalWritePolicy);
      if (!readRepair.equalsIgnoreCase("BLOCKING") && !readRepair.equalsIgnoreCase("NONE")) {
        problems.add("read_repair = " + readRepair + ", allowed BLOCKING, NONE");
      }
      if (memtable.isEmpty()) {
        problems.add("memtable is empty, allowed is the name of a configuration");
      }
      extensions.forEach(
          (name, digits) -> {
            if (digits.length() % 2 != 0 || !digits.matches("[0-9a-f]*")) {
              problems.add(
                  "extensions: " + name + " = " + digits + ", allowed pairs of digits 0-9, a-f");
            }
          });
      compactionProblems(problems);
      return problems;
    }

    private void compactionProblems(List<String> problems) {
      if (!compaction.containsKey("class")) {
        problems.add("compaction: class is missing, allowed " + COMPACTION_STRATEGIES);
      } else if (strategy().isEmpty()) {
        problems.add(
            "compaction: class = "
                + compaction.get("class")
                + ", allowed "
                + String.join(", ", COMPACTION_STRATEGIES));
      }
      int min = threshold(problems, "min_threshold", 2, 4);
      int max = threshold(problems, "max_threshold", 1, 32);
      if (min > max) {
        problems.add("compaction: min_threshold = " + min + ", allowed to max_threshold = " + max);
      }
    }

    private int threshold(List<String> problems, String name, int least, int normal) {
      String text = compaction.get(name);
      if (text == null) {
        return normal;
      }
      try {
        int value = Integer.parseInt(text);
        if (value >= least) {
          return value;
        }
      } catch (NumberFormatException e) {
        // Told below, as any other wrong value.
      }
      problems.add("compaction: " + name + " = " + text + ", allowed a number from " + least);
      return normal;
    }

    /** Simple name of the compaction class, if it is one of those known. */
    private Optional<String> strategy() {
      String name = compaction.getOrDefault("class", "");
      String simple =
          name.startsWith(COMPACTION_PACKAGE) ? name.substring(COMPACTION_PACKAGE.length()) : name;
      return COMPACTION_STRATEGIES.stream().filter(simple::equals).findFirst();
    }

    private static void range(List<String> problems, String name, int value, int min, int max) {
      if (value < min || value > max) {
        problems.add(name + " = " + value + ", allowed " + min + ".." + max);
      }
    }

    private static void retry(List<String> problems, String name, String value) {
      if (RetryPolicy.canonical(value).isEmpty()) {
        problems.add(name + " = " + value + ", allowed " + RetryPolicy.ALLOWED);
      }
    }
  }
}
