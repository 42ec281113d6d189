package io.siltstone.schema;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.text.OptionsText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /** All options at their defaults. */
  public static final TableOptions DEFAULT = builder().build();

  private final TableOptionValues values;

  private TableOptions(TableOptionValues values) {
    this.values = values;
  }

  /** Returns a builder with all options at their defaults. */
  public static Builder builder() {
    return new Builder(new TableOptionValues());
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(values.copy());
  }

  /** Returns when Cassandra writes to one more replica; the engine has no use for it. */
  public String additionalWritePolicy() {
    return values.additionalWritePolicy;
  }

  /** Returns whether Cassandra makes a snapshot before it drops or truncates the table. */
  public boolean allowAutoSnapshot() {
    return values.allowAutoSnapshot;
  }

  /** Returns the option map of Cassandra's automatic repair, as given; empty for its defaults. */
  public Map<String, String> autoRepair() {
    return values.autoRepair;
  }

  /**
   * Returns the rate of false positives of bloom filters, more than {@link
   * #MIN_BLOOM_FILTER_FP_CHANCE} and at most 1, which means no filter. Default {@link
   * #DEFAULT_BLOOM_FILTER_FP_CHANCE}, or {@link #LEVELED_BLOOM_FILTER_FP_CHANCE} with leveled
   * compaction.
   */
  public double bloomFilterFpChance() {
    return Objects.requireNonNull(values.bloomFilterFpChance);
  }

  /** Returns what is cached. */
  public Caching caching() {
    return values.caching;
  }

  /** Returns whether Cassandra keeps commit log segments for change data capture. */
  public boolean cdc() {
    return values.cdc;
  }

  /** Returns a comment for humans. */
  public String comment() {
    return values.comment;
  }

  /**
   * Returns the compaction option map as given; its class is one of {@link #COMPACTION_STRATEGIES},
   * with or without package.
   */
  public Map<String, String> compaction() {
    return values.compaction;
  }

  /** Returns how data files are compressed. */
  public CompressionOptions compression() {
    return values.compression;
  }

  /**
   * Returns the probability, from 0 to 1, with which the checksum of a chunk is checked when it is
   * read.
   */
  public double crcCheckChance() {
    return values.crcCheckChance;
  }

  /**
   * Returns the TTL in seconds of what is written without one; 0 for none, at most {@link
   * #MAX_TIME_TO_LIVE}.
   */
  public int defaultTimeToLive() {
    return values.defaultTimeToLive;
  }

  /**
   * Returns whether changes of the table are written to the commit log; true by default. Without
   * it, a write costs less, and survives a crash only once its memtable was flushed: on request,
   * for lack of memory, or when the database is closed. Tables of one keyspace that have no log are
   * flushed together, so that a crash leaves all of them as they were at the same flush. Cassandra
   * has the option for keyspaces only, so {@code schema.cql} keeps it as the extension {@code
   * siltstone.durable_writes}. When the option is altered, the table is flushed before the call
   * returns; until then, a crash may lose what was written without a log while it was altered,
   * although later writes are logged.
   */
  public boolean durableWrites() {
    return values.durableWrites;
  }

  /**
   * Returns the values of Cassandra's extensions by name, each as hexadecimal digits without {@code
   * 0x}; without the one that keeps {@link #durableWrites}.
   */
  public Map<String, String> extensions() {
    return values.extensions;
  }

  /** Returns the minimum time in seconds for which tombstones are kept; 0 or more. */
  public int gcGraceSeconds() {
    return values.gcGraceSeconds;
  }

  /** Returns whether Cassandra links new files into its backups, if it does at all. */
  public boolean incrementalBackups() {
    return values.incrementalBackups;
  }

  /**
   * Returns the maximum number of partitions for each entry in the index summary; at least {@link
   * #minIndexInterval}.
   */
  public int maxIndexInterval() {
    return values.maxIndexInterval;
  }

  /** Returns the name of a memtable configuration of Cassandra; the engine has no use for it. */
  public String memtable() {
    return values.memtable;
  }

  /** Returns the time in milliseconds after which a memtable is flushed; 0 for no such flush. */
  public int memtableFlushPeriodInMs() {
    return values.memtableFlushPeriodInMs;
  }

  /** Returns the minimum number of partitions for each entry in the index summary; at least 1. */
  public int minIndexInterval() {
    return values.minIndexInterval;
  }

  /** {@code BLOCKING} or {@code NONE}; the engine has no use for it. */
  public String readRepair() {
    return values.readRepair;
  }

  /** Returns when Cassandra reads from one more replica; the engine has no use for it. */
  public String speculativeRetry() {
    return values.speculativeRetry;
  }

  /** Returns the simple class name of the compaction strategy. */
  public String compactionStrategy() {
    return values.compactionStrategy();
  }

  /** Returns whether a compaction may purge only what is repaired, as a compaction option says. */
  public boolean purgesOnlyRepaired() {
    return Boolean.parseBoolean(values.compaction.get("only_purge_repaired_tombstones"));
  }

  /** Returns all options by name in Cassandra's order, values as CQL writes them. */
  Map<String, String> toCql() {
    return values.toCql();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TableOptions that && values.all().equals(that.values.all());
  }

  @Override
  public int hashCode() {
    return values.all().hashCode();
  }

  /** Returns the options that differ from the defaults, in one line, as CQL writes their values. */
  @Override
  public String toString() {
    Map<String, String> defaults = DEFAULT.toCql();
    OptionsText text = new OptionsText(TableOptions.class);
    toCql().forEach((name, value) -> text.add(name, value, defaults.get(name)));
    return text.toString();
  }

  /**
   * Collects options. Not safe for use by several threads. Values are checked by {@link #build}.
   */
  public static final class Builder {
    private final TableOptionValues values;

    private Builder(TableOptionValues values) {
      this.values = values;
    }

    /** Sets {@link TableOptions#additionalWritePolicy}. */
    public Builder additionalWritePolicy(String value) {
      values.additionalWritePolicy = Objects.requireNonNull(value, "additionalWritePolicy");
      return this;
    }

    /** Sets {@link TableOptions#allowAutoSnapshot}. */
    public Builder allowAutoSnapshot(boolean value) {
      values.allowAutoSnapshot = value;
      return this;
    }

    /** Sets {@link TableOptions#autoRepair}. */
    public Builder autoRepair(Map<String, String> value) {
      values.autoRepair = Map.copyOf(Objects.requireNonNull(value, "autoRepair"));
      return this;
    }

    /** Sets {@link TableOptions#bloomFilterFpChance}. */
    public Builder bloomFilterFpChance(double value) {
      values.bloomFilterFpChance = value;
      return this;
    }

    /** Sets {@link TableOptions#caching}. */
    public Builder caching(Caching value) {
      values.caching = Objects.requireNonNull(value, "caching");
      return this;
    }

    /** Sets {@link TableOptions#cdc}. */
    public Builder cdc(boolean value) {
      values.cdc = value;
      return this;
    }

    /** Sets {@link TableOptions#comment}. */
    public Builder comment(String value) {
      values.comment = Objects.requireNonNull(value, "comment");
      return this;
    }

    /** Sets {@link TableOptions#compaction}. */
    public Builder compaction(Map<String, String> value) {
      values.compaction = Map.copyOf(Objects.requireNonNull(value, "compaction"));
      return this;
    }

    /** Sets {@link TableOptions#compression}. */
    public Builder compression(CompressionOptions value) {
      values.compression = Objects.requireNonNull(value, "compression");
      return this;
    }

    /** Sets {@link TableOptions#crcCheckChance}. */
    public Builder crcCheckChance(double value) {
      values.crcCheckChance = value;
      return this;
    }

    /** Sets {@link TableOptions#defaultTimeToLive}. */
    public Builder defaultTimeToLive(int value) {
      values.defaultTimeToLive = value;
      return this;
    }

    /** Sets {@link TableOptions#durableWrites}. */
    public Builder durableWrites(boolean value) {
      values.durableWrites = value;
      return this;
    }

    /**
     * Sets {@link TableOptions#extensions}. If {@code siltstone.durable_writes} is among them, sets
     * {@link TableOptions#durableWrites} too.
     */
    public Builder extensions(Map<String, String> value) {
      values.extensions(Map.copyOf(Objects.requireNonNull(value, "extensions")));
      return this;
    }

    /** Sets {@link TableOptions#gcGraceSeconds}. */
    public Builder gcGraceSeconds(int value) {
      values.gcGraceSeconds = value;
      return this;
    }

    /** Sets {@link TableOptions#incrementalBackups}. */
    public Builder incrementalBackups(boolean value) {
      values.incrementalBackups = value;
      return this;
    }

    /** Sets {@link TableOptions#maxIndexInterval}. */
    public Builder maxIndexInterval(int value) {
      values.maxIndexInterval = value;
      return this;
    }

    /** Sets {@link TableOptions#memtable}. */
    public Builder memtable(String value) {
      values.memtable = Objects.requireNonNull(value, "memtable");
      return this;
    }

    /** Sets {@link TableOptions#memtableFlushPeriodInMs}. */
    public Builder memtableFlushPeriodInMs(int value) {
      values.memtableFlushPeriodInMs = value;
      return this;
    }

    /** Sets {@link TableOptions#minIndexInterval}. */
    public Builder minIndexInterval(int value) {
      values.minIndexInterval = value;
      return this;
    }

    /** Sets {@link TableOptions#readRepair}. */
    public Builder readRepair(String value) {
      values.readRepair = Objects.requireNonNull(value, "readRepair");
      return this;
    }

    /** Sets {@link TableOptions#speculativeRetry}. */
    public Builder speculativeRetry(String value) {
      values.speculativeRetry = Objects.requireNonNull(value, "speculativeRetry");
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
      return new TableOptions(values.canonical());
    }

    /** Returns all that is wrong. */
    List<String> problems() {
      return new TableOptionCheck(values).problems();
    }
  }
}
