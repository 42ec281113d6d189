package io.siltstone;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.compress.FlushCompression;
import io.siltstone.event.EngineListener;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.table.PathFiles;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of a database. Immutable, safe for use by any number of threads. Made by {@link
 * #builder()}, whose {@link Builder#build} reports all wrong values together. Sizes are in bytes.
 */
public final class DatabaseOptions {
  /**
   * All options at their defaults. They suit a JVM of any size: where the JVM allows less off-heap
   * memory than {@link #memoryBytes}, a database takes less, without a warning.
   */
  public static final DatabaseOptions DEFAULT = builder().build();

  private final DatabaseOptionValues values;

  private DatabaseOptions(DatabaseOptionValues values) {
    this.values = values;
  }

  ResourceOptions resources() {
    return values.resources;
  }

  /** Returns the options that differ from the defaults, in one line. Keys are not shown. */
  @Override
  public String toString() {
    return values.toString();
  }

  /** Returns a builder with all options at their defaults. */
  public static Builder builder() {
    return new Builder(new DatabaseOptionValues());
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(values.copy());
  }

  /**
   * Returns whether the database is opened for reading only. If so, nothing at all is written to
   * its directory, not even a lock.
   */
  public boolean isReadOnly() {
    return values.isReadOnly;
  }

  /**
   * Returns whether an empty or missing directory becomes a new database. Has no effect if it is
   * opened for reading only.
   */
  public boolean createIfMissing() {
    return values.createIfMissing;
  }

  /**
   * Returns the partitioner. Opening a database that has another one fails. Null to accept the one
   * of an existing database, and to create a new one with {@link Partitioner#MURMUR3}.
   */
  public @Nullable Partitioner partitioner() {
    return values.partitioner;
  }

  /**
   * Returns the format version of the SSTables that are written. SSTables of all supported versions
   * are read.
   */
  public FormatVersion formatVersion() {
    return values.formatVersion;
  }

  /** Returns how files are read and written: memory mapping, direct I/O. */
  public NioOptions files() {
    return values.files;
  }

  /**
   * Returns the keys of the files of a database that is opened at a path, as by an {@link
   * EncryptedDirectory}; null if they are not encrypted.
   */
  public EncryptedDirectory.@Nullable Keys encryptionKeys() {
    return values.encryptionKeys;
  }

  PathFiles pathFiles() {
    return new PathFiles(values.files, values.encryptionKeys);
  }

  /**
   * Returns the maximum of off-heap memory of all kinds together, memtables and the chunk cache
   * included. If the JVM allows less ({@code -XX:MaxDirectMemorySize}), a database that is open for
   * writing uses less, and makes its memtables and its chunk cache smaller as needed. It logs a
   * warning only if a size was made smaller that the builder was given.
   */
  public long memoryBytes() {
    return values.resources.memory();
  }

  /**
   * Returns whether sizes that were given to the builder are more than a database gets. Sizes that
   * are defaults may be made smaller without a warning.
   */
  boolean asksForMoreThan(MemoryLimit shares) {
    return values.resources.askForMoreThan(shares);
  }

  /**
   * Returns the memory, caches and threads that the database shares with others; null if it has its
   * own. The options for them are those of the shared resources then.
   */
  public @Nullable SharedResources sharedResources() {
    return values.resources.shared();
  }

  /**
   * Returns the maximum that all memtables together take up. At half of it the largest memtable is
   * flushed; at all of it writers wait.
   */
  public long memtableBytes() {
    return values.resources.memtables();
  }

  /**
   * Returns the capacity of the cache of decompressed chunks, which is off-heap; 0 for no cache.
   */
  public long chunkCacheBytes() {
    return values.resources.chunkCache(values.isReadOnly);
  }

  /**
   * Returns the capacity of the cache of partition positions, which is on the heap; 0 for no cache.
   */
  public long keyCacheBytes() {
    return values.resources.keyCache();
  }

  /** Returns how many tables can be flushed at the same time. */
  public int flushThreads() {
    return values.resources.flushes();
  }

  /**
   * Returns how many threads, shared by all scans, read and decompress ahead of what the scans have
   * come to. With 0, each scan does all of it in the calling thread.
   */
  public int scanThreads() {
    return values.resources.scans();
  }

  /** Returns how SSTables that a flush writes are compressed. */
  public FlushCompression flushCompression() {
    return values.flushCompression;
  }

  /**
   * Returns about how many bytes of rows lie between two entries in the index of a wide partition,
   * in SSTables that are written ({@code column_index_size}).
   */
  public int columnIndexSizeBytes() {
    return values.columnIndexSizeBytes;
  }

  /**
   * Returns whether the database opens in spite of damaged files. SSTables that cannot be opened
   * are then quarantined, damaged parts of the commit log are skipped, and the listener is notified
   * of each. Their data is missing from reads, unless it is in an SSTable that is quarantined and
   * still in the commit log.
   */
  public boolean isLenient() {
    return values.isLenient;
  }

  /** Returns the options of the commit log. */
  public CommitLogOptions commitLog() {
    return values.commitLog;
  }

  /**
   * Returns the compaction debt of a table at which its writers begin to be slowed down. The debt
   * is the number of bytes in data files that compaction has yet to read. The greater the debt, the
   * slower the writers.
   */
  public long softCompactionDebtBytes() {
    return values.softCompactionDebtBytes;
  }

  /**
   * Returns the compaction debt of a table at which its writers are slowed down as much as
   * possible. They are never stopped.
   */
  public long hardCompactionDebtBytes() {
    return values.hardCompactionDebtBytes;
  }

  /** Creates the compactor of the database. */
  public Compaction compaction() {
    Compaction given = values.compaction;
    return given != null ? given : values.resources.compaction();
  }

  /** Returns the listener that is notified of flushes, compactions, damage and other events. */
  public EngineListener listener() {
    return values.listener;
  }

  /**
   * Returns the duration from which on a read of one partition counts as slow, and is reported to
   * the listener as {@link EngineListener.SlowRead}. {@link Duration#ZERO} to report none.
   */
  public Duration slowReadThreshold() {
    return values.slowReadThreshold;
  }

  /**
   * Returns the clock for automatic timestamps and for what has expired. By it expires what reads
   * show and what compaction purges, unless the compaction was given a clock of its own.
   */
  public InstantSource clock() {
    return values.clock;
  }

  /**
   * Collects options. Not safe for use by several threads. Values are checked by {@link #build}.
   */
  public static final class Builder {
    private final DatabaseOptionValues values;

    private Builder(DatabaseOptionValues values) {
      this.values = values;
    }

    /**
     * Sets {@link DatabaseOptions#isReadOnly()}; false by default.
     *
     * <p>For reading only, a database that another process is writing to can be opened too: it
     * shows what is on disk at that moment. So can the directory of a single table that has a
     * {@code schema.cql}, such as a snapshot that Cassandra made.
     */
    public Builder readOnly(boolean value) {
      values.isReadOnly = value;
      return this;
    }

    /** Sets {@link DatabaseOptions#createIfMissing()}; true by default. */
    public Builder createIfMissing(boolean value) {
      values.createIfMissing = value;
      return this;
    }

    /** Sets {@link DatabaseOptions#partitioner()}; null by default. */
    public Builder partitioner(@Nullable Partitioner value) {
      values.partitioner = value;
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#formatVersion()}: {@code oa} by default, or another version that
     * {@linkplain FormatVersion#isWritable() can be written}.
     */
    public Builder formatVersion(FormatVersion value) {
      values.formatVersion = Objects.requireNonNull(value, "formatVersion");
      return this;
    }

    /** Sets {@link DatabaseOptions#encryptionKeys()}; null by default. */
    public Builder encryptionKeys(EncryptedDirectory.@Nullable Keys value) {
      values.encryptionKeys = value;
      return this;
    }

    /** Sets {@link DatabaseOptions#files()}; by default index files are memory-mapped. */
    public Builder files(NioOptions value) {
      values.files = Objects.requireNonNull(value, "files");
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#memoryBytes()}; 1 GiB by default. At least the sum of {@link
     * #memtableBytes}, {@link #chunkCacheBytes}, {@link CommitLogOptions#bufferBytes()} and 1 MiB;
     * for reading only, of {@link #chunkCacheBytes} and 1 MiB.
     */
    public Builder memoryBytes(long value) {
      values.resources = values.resources.withMemoryBytes(value);
      return this;
    }

    /** Sets {@link DatabaseOptions#memtableBytes()}; 256 MiB by default, at least 1 MiB. */
    public Builder memtableBytes(long value) {
      values.resources = values.resources.withMemtableBytes(value);
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#chunkCacheBytes()}; 256 MiB by default, and for reading only at
     * most half of {@link #memoryBytes}.
     */
    public Builder chunkCacheBytes(long value) {
      values.resources = values.resources.withChunkCacheBytes(value);
      return this;
    }

    /** Sets {@link DatabaseOptions#keyCacheBytes()}; 16 MiB by default. */
    public Builder keyCacheBytes(long value) {
      values.resources = values.resources.withKeyCacheBytes(value);
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#sharedResources()}; null by default. Excludes {@link
     * #memoryBytes}, {@link #memtableBytes}, {@link #chunkCacheBytes}, {@link #keyCacheBytes},
     * {@link #flushThreads} and {@link #scanThreads}, which the shared resources have.
     */
    public Builder sharedResources(@Nullable SharedResources value) {
      values.resources = values.resources.withShared(value);
      return this;
    }

    /** Sets {@link DatabaseOptions#flushThreads()}; 2 by default, 1 to 64. */
    public Builder flushThreads(int value) {
      values.resources = values.resources.withFlushThreads(value);
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#scanThreads()}, 0 to 64. By default one less than there are
     * processors, but at most 4.
     */
    public Builder scanThreads(int value) {
      values.resources = values.resources.withScanThreads(value);
      return this;
    }

    /** Sets {@link DatabaseOptions#flushCompression()}; by default as the table's options say. */
    public Builder flushCompression(FlushCompression value) {
      values.flushCompression = Objects.requireNonNull(value, "flushCompression");
      return this;
    }

    /** Sets {@link DatabaseOptions#columnIndexSizeBytes()}; 16 KiB by default, 1 KiB to 1 GiB. */
    public Builder columnIndexSizeBytes(int value) {
      values.columnIndexSizeBytes = value;
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#isLenient()}; false by default, so that a damaged file is an
     * exception.
     */
    public Builder lenient(boolean value) {
      values.isLenient = value;
      return this;
    }

    /** Sets {@link DatabaseOptions#commitLog()}. */
    public Builder commitLog(CommitLogOptions value) {
      values.commitLog = Objects.requireNonNull(value, "commitLog");
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#softCompactionDebtBytes()} and {@link
     * DatabaseOptions#hardCompactionDebtBytes()}; 64 and 256 GiB by default.
     *
     * @param soft 0 or more
     * @param hard more than {@code soft}
     */
    public Builder compactionDebtBytes(long soft, long hard) {
      values.softCompactionDebtBytes = soft;
      values.hardCompactionDebtBytes = hard;
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#compaction()}; by default that of the shared resources, or else
     * {@link Compaction#found()}.
     */
    public Builder compaction(Compaction value) {
      values.compaction = Objects.requireNonNull(value, "compaction");
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#listener()}; none by default. What the listener throws is logged
     * and otherwise ignored.
     */
    public Builder listener(EngineListener value) {
      values.listener = Objects.requireNonNull(value, "listener");
      return this;
    }

    /**
     * Sets {@link DatabaseOptions#slowReadThreshold()}; half a second by default, as Cassandra's
     * {@code slow_query_log_timeout}. Detecting slow reads costs next to nothing, as each read is
     * timed anyway.
     */
    public Builder slowReadThreshold(Duration value) {
      values.slowReadThreshold = Objects.requireNonNull(value, "slowReadThreshold");
      return this;
    }

    /** Sets {@link DatabaseOptions#clock()}; the system clock by default. */
    public Builder clock(InstantSource value) {
      values.clock = Objects.requireNonNull(value, "clock");
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException if values are out of range; the message names all of these
     *     options, with the value and what is allowed
     */
    public DatabaseOptions build() {
      List<String> wrong = new ArrayList<>();
      if (!values.formatVersion.isWritable()) {
        wrong.add("formatVersion " + values.formatVersion.text() + " is read, not written");
      }
      if (values.softCompactionDebtBytes < 0
          || values.hardCompactionDebtBytes <= values.softCompactionDebtBytes) {
        wrong.add(
            "compactionDebtBytes "
                + values.softCompactionDebtBytes
                + " and "
                + values.hardCompactionDebtBytes
                + ", allowed 0 or more, and more than that");
      }
      values.resources.check(values.isReadOnly, values.commitLog.bufferBytes(), wrong);
      if (values.slowReadThreshold.isNegative()) {
        wrong.add("slowReadThreshold " + values.slowReadThreshold + ", allowed 0 or more");
      }
      if (values.columnIndexSizeBytes < 1024 || values.columnIndexSizeBytes > 1 << 30) {
        wrong.add(
            "columnIndexSizeBytes " + values.columnIndexSizeBytes + ", allowed 1 KiB to 1 GiB");
      }
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", wrong));
      }
      return new DatabaseOptions(values.copy());
    }
  }
}
