package io.siltstone;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.compress.FlushCompression;
import io.siltstone.event.EngineListener;
import io.siltstone.io.NioOptions;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.CompactorFactory;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.table.MemtableSpace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a database is opened. Immutable; made by {@link #builder()}, which reports every wrong value
 * at once.
 */
public final class DatabaseOptions {
  private static final long MIB = 1L << 20;

  /** What is taken if nothing is said. */
  public static final DatabaseOptions DEFAULT = builder().build();

  private final boolean isReadOnly;
  private final boolean createIfMissing;
  private final @Nullable Partitioner partitioner;
  private final FormatVersion formatVersion;
  private final NioOptions files;
  private final long memoryBytes;
  private final long memtableBytes;
  private final long chunkCacheBytes;
  private final long keyCacheBytes;
  private final int flushThreads;
  private final int scanThreads;
  private final long softCompactionDebtBytes;
  private final long hardCompactionDebtBytes;
  private final FlushCompression flushCompression;
  private final int columnIndexSizeBytes;
  private final boolean isLenient;
  private final CommitLogOptions commitLog;
  private final CompactorFactory compaction;
  private final EngineListener listener;
  private final Duration slowReadThreshold;
  private final InstantSource clock;

  private DatabaseOptions(Builder builder) {
    isReadOnly = builder.isReadOnly;
    createIfMissing = builder.createIfMissing;
    partitioner = builder.partitioner;
    formatVersion = builder.formatVersion;
    files = builder.files;
    memoryBytes = builder.memoryBytes;
    memtableBytes = builder.memtableBytes;
    chunkCacheBytes = builder.chunkCacheBytes;
    keyCacheBytes = builder.keyCacheBytes;
    flushThreads = builder.flushThreads;
    scanThreads = builder.scanThreads;
    softCompactionDebtBytes = builder.softCompactionDebtBytes;
    hardCompactionDebtBytes = builder.hardCompactionDebtBytes;
    flushCompression = builder.flushCompression;
    columnIndexSizeBytes = builder.columnIndexSizeBytes;
    isLenient = builder.isLenient;
    commitLog = builder.commitLog;
    compaction = builder.compaction;
    listener = builder.listener;
    slowReadThreshold = builder.slowReadThreshold;
    clock = builder.clock;
  }

  /** A builder of the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder of these. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.isReadOnly = isReadOnly;
    builder.createIfMissing = createIfMissing;
    builder.partitioner = partitioner;
    builder.formatVersion = formatVersion;
    builder.files = files;
    builder.memoryBytes = memoryBytes;
    builder.memtableBytes = memtableBytes;
    builder.chunkCacheBytes = chunkCacheBytes;
    builder.keyCacheBytes = keyCacheBytes;
    builder.flushThreads = flushThreads;
    builder.scanThreads = scanThreads;
    builder.softCompactionDebtBytes = softCompactionDebtBytes;
    builder.hardCompactionDebtBytes = hardCompactionDebtBytes;
    builder.flushCompression = flushCompression;
    builder.columnIndexSizeBytes = columnIndexSizeBytes;
    builder.isLenient = isLenient;
    builder.commitLog = commitLog;
    builder.compaction = compaction;
    builder.listener = listener;
    builder.slowReadThreshold = slowReadThreshold;
    builder.clock = clock;
    return builder;
  }

  /** Whether nothing is written, not even a lock. */
  public boolean isReadOnly() {
    return isReadOnly;
  }

  /** Whether a directory that is empty or not there becomes a database. */
  public boolean createIfMissing() {
    return createIfMissing;
  }

  /** That the tables must have, or null for what the database has: Murmur3 for a new one. */
  public @Nullable Partitioner partitioner() {
    return partitioner;
  }

  /** Of the SSTables that are written. */
  public FormatVersion formatVersion() {
    return formatVersion;
  }

  /** How files are read and written. */
  public NioOptions files() {
    return files;
  }

  /**
   * Most off-heap memory that the database may take, of all kinds. Where the JVM allows less, one
   * that is open for writing takes less, and so do its memtables and its chunk cache.
   */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** Most memory of all memtables together; at half of it the largest is flushed. */
  public long memtableBytes() {
    return memtableBytes;
  }

  /** Capacity of the chunk cache, 0 for none. */
  public long chunkCacheBytes() {
    return chunkCacheBytes;
  }

  /** Capacity of the key cache on the heap, 0 for none. */
  public long keyCacheBytes() {
    return keyCacheBytes;
  }

  /** How many tables are flushed at once. */
  public int flushThreads() {
    return flushThreads;
  }

  /**
   * How many threads read and decompress what scans are about to come to, for all scans together; 0
   * if each does all of it by the thread that asks.
   */
  public int scanThreads() {
    return scanThreads;
  }

  /** How SSTables are compressed that a flush writes. */
  public FlushCompression flushCompression() {
    return flushCompression;
  }

  /** Bytes of rows between two entries of a partition's index, in SSTables that are written. */
  public int columnIndexSizeBytes() {
    return columnIndexSizeBytes;
  }

  /** Whether damaged files are left aside when the database is opened. */
  public boolean isLenient() {
    return isLenient;
  }

  /** How the commit log is kept. */
  public CommitLogOptions commitLog() {
    return commitLog;
  }

  /**
   * Bytes of data files that a table's compaction has still to read from which on its writers are
   * slowed, the more the greater the debt.
   */
  public long softCompactionDebtBytes() {
    return softCompactionDebtBytes;
  }

  /**
   * Bytes of data files that a table's compaction has still to read at which writers are slowest.
   */
  public long hardCompactionDebtBytes() {
    return hardCompactionDebtBytes;
  }

  /** Makes the compactor. */
  public CompactorFactory compaction() {
    return compaction;
  }

  /** Is told what happens. */
  public EngineListener listener() {
    return listener;
  }

  /**
   * How long a read of one partition takes that the listener is told of, as {@link
   * EngineListener.SlowRead}; {@link Duration#ZERO} for none.
   */
  public Duration slowReadThreshold() {
    return slowReadThreshold;
  }

  /** The present time. */
  public InstantSource clock() {
    return clock;
  }

  /** Collects options. Not safe for threads. */
  public static final class Builder {
    private boolean isReadOnly;
    private boolean createIfMissing = true;
    private @Nullable Partitioner partitioner;
    private FormatVersion formatVersion = FormatVersion.OA;
    private NioOptions files = NioOptions.DEFAULT;
    private long memoryBytes = 1024 * MIB;
    private long memtableBytes = 256 * MIB;
    private long chunkCacheBytes = 256 * MIB;
    private long keyCacheBytes = 16 * MIB;
    private int flushThreads = 2;
    // None on one processor, where it would only cost.
    private int scanThreads = Math.min(Runtime.getRuntime().availableProcessors() - 1, 4);
    private long softCompactionDebtBytes = 64L * 1024 * MIB;
    private long hardCompactionDebtBytes = 256L * 1024 * MIB;
    private FlushCompression flushCompression = FlushCompression.TABLE;
    private int columnIndexSizeBytes = SSTableWriterOptions.DEFAULT_COLUMN_INDEX_SIZE_BYTES;
    private boolean isLenient;
    private CommitLogOptions commitLog = CommitLogOptions.builder().build();
    private CompactorFactory compaction = Compaction.found();
    private EngineListener listener = EngineListener.NONE;
    private Duration slowReadThreshold = Duration.ofMillis(500);
    private InstantSource clock = InstantSource.system();

    private Builder() {}

    /**
     * See {@link DatabaseOptions#isReadOnly()}. Read only, a database that another process writes
     * opens as it is on the disk, and so does the directory of one table with a {@code schema.cql},
     * as a snapshot of Cassandra's is.
     */
    public Builder readOnly(boolean value) {
      isReadOnly = value;
      return this;
    }

    /** See {@link DatabaseOptions#createIfMissing()}; yes by default. */
    public Builder createIfMissing(boolean value) {
      createIfMissing = value;
      return this;
    }

    /** See {@link DatabaseOptions#partitioner()}. */
    public Builder partitioner(@Nullable Partitioner value) {
      partitioner = value;
      return this;
    }

    /** See {@link DatabaseOptions#formatVersion()}: {@code oa} by default, or {@code nb}. */
    public Builder formatVersion(FormatVersion value) {
      formatVersion = Objects.requireNonNull(value, "formatVersion");
      return this;
    }

    /** See {@link DatabaseOptions#files()}; the indexes are mapped by default. */
    public Builder files(NioOptions value) {
      files = Objects.requireNonNull(value, "files");
      return this;
    }

    /** See {@link DatabaseOptions#memoryBytes()}; 1 GiB by default. */
    public Builder memoryBytes(long value) {
      memoryBytes = value;
      return this;
    }

    /** See {@link DatabaseOptions#memtableBytes()}; 256 MiB by default. */
    public Builder memtableBytes(long value) {
      memtableBytes = value;
      return this;
    }

    /** See {@link DatabaseOptions#chunkCacheBytes()}; 256 MiB by default. */
    public Builder chunkCacheBytes(long value) {
      chunkCacheBytes = value;
      return this;
    }

    /** See {@link DatabaseOptions#keyCacheBytes()}; 16 MiB by default. */
    public Builder keyCacheBytes(long value) {
      keyCacheBytes = value;
      return this;
    }

    /** See {@link DatabaseOptions#flushThreads()}; 2 by default, at most 64. */
    public Builder flushThreads(int value) {
      flushThreads = value;
      return this;
    }

    /**
     * See {@link DatabaseOptions#scanThreads()}; by default one less than there are processors, 4
     * at most. At most 64.
     */
    public Builder scanThreads(int value) {
      scanThreads = value;
      return this;
    }

    /** See {@link DatabaseOptions#flushCompression()}; by default as the table says. */
    public Builder flushCompression(FlushCompression value) {
      flushCompression = Objects.requireNonNull(value, "flushCompression");
      return this;
    }

    /** See {@link DatabaseOptions#columnIndexSizeBytes()}; 16 KiB by default, 1 KiB to 1 GiB. */
    public Builder columnIndexSizeBytes(int value) {
      columnIndexSizeBytes = value;
      return this;
    }

    /**
     * See {@link DatabaseOptions#isLenient()}: no by default, so that a damaged file is an
     * exception. Otherwise SSTables that cannot be opened are set aside, damaged parts of the
     * commit log skipped, and the listener is told of each: what was in them is not there, unless
     * the commit log still has what an SSTable had.
     */
    public Builder lenient(boolean value) {
      isLenient = value;
      return this;
    }

    /** See {@link DatabaseOptions#commitLog()}. */
    public Builder commitLog(CommitLogOptions value) {
      commitLog = Objects.requireNonNull(value, "commitLog");
      return this;
    }

    /**
     * See {@link DatabaseOptions#softCompactionDebtBytes()} and {@link
     * DatabaseOptions#hardCompactionDebtBytes()}; 64 and 256 GiB by default.
     */
    public Builder compactionDebtBytes(long soft, long hard) {
      softCompactionDebtBytes = soft;
      hardCompactionDebtBytes = hard;
      return this;
    }

    /** See {@link DatabaseOptions#compaction()}; {@link Compaction#found()} by default. */
    public Builder compaction(CompactorFactory value) {
      compaction = Objects.requireNonNull(value, "compaction");
      return this;
    }

    /** See {@link DatabaseOptions#listener()}; what it throws is logged. */
    public Builder listener(EngineListener value) {
      listener = Objects.requireNonNull(value, "listener");
      return this;
    }

    /**
     * See {@link DatabaseOptions#slowReadThreshold()}; half a second by default, as {@code
     * slow_query_log_timeout} of Cassandra: each read is timed anyway, so that to look for slow
     * ones costs a comparison, and a read of one partition that takes so long is never as it should
     * be.
     */
    public Builder slowReadThreshold(Duration value) {
      slowReadThreshold = Objects.requireNonNull(value, "slowReadThreshold");
      return this;
    }

    /** See {@link DatabaseOptions#clock()}; the system's by default. */
    public Builder clock(InstantSource value) {
      clock = Objects.requireNonNull(value, "clock");
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException naming each option that is wrong, its value and what is
     *     allowed
     */
    public DatabaseOptions build() {
      List<String> wrong = new ArrayList<>();
      if (!formatVersion.isWritable()) {
        wrong.add("formatVersion " + formatVersion.text() + " is read, not written");
      }
      if (softCompactionDebtBytes < 0 || hardCompactionDebtBytes <= softCompactionDebtBytes) {
        wrong.add(
            "compactionDebtBytes "
                + softCompactionDebtBytes
                + " and "
                + hardCompactionDebtBytes
                + ", allowed 0 and more, and more than that");
      }
      if (memtableBytes < MIB) {
        wrong.add("memtableBytes " + memtableBytes + ", allowed 1 MiB and more");
      }
      if (chunkCacheBytes < 0) {
        wrong.add("chunkCacheBytes " + chunkCacheBytes + ", allowed 0 and more");
      }
      if (keyCacheBytes < 0) {
        wrong.add("keyCacheBytes " + keyCacheBytes + ", allowed 0 and more");
      }
      long parts =
          sum(
              sum(sum(memtableBytes, chunkCacheBytes), commitLog.bufferBytes()),
              MemtableSpace.FLUSH_BYTES);
      if (memoryBytes < parts) {
        wrong.add(
            "memoryBytes "
                + memoryBytes
                + ", allowed "
                + parts
                + " and more: memtableBytes, chunkCacheBytes, the commit log's buffer, and 1 MiB for"
                + " a flush");
      }
      if (flushThreads < 1 || flushThreads > 64) {
        wrong.add("flushThreads " + flushThreads + ", allowed 1 to 64");
      }
      if (scanThreads < 0 || scanThreads > 64) {
        wrong.add("scanThreads " + scanThreads + ", allowed 0 to 64");
      }
      if (slowReadThreshold.isNegative()) {
        wrong.add("slowReadThreshold " + slowReadThreshold + ", allowed 0 and more");
      }
      if (columnIndexSizeBytes < 1024 || columnIndexSizeBytes > 1 << 30) {
        wrong.add("columnIndexSizeBytes " + columnIndexSizeBytes + ", allowed 1 KiB to 1 GiB");
      }
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", wrong));
      }
      return new DatabaseOptions(this);
    }

    /** The sum of two sizes, or the greatest number if it is greater than that. */
    private static long sum(long first, long second) {
      boolean isTooGreat = first > 0 && second > Long.MAX_VALUE - first;
      return isTooGreat ? Long.MAX_VALUE : first + second;
    }
  }
}
