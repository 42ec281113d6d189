package io.siltstone.liveset;

import io.siltstone.compress.FlushCompression;
import io.siltstone.files.WriteGuard;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.threads.ParallelSteps;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The options of a live set. Immutable; made by {@link #builder}. */
public final class LiveSetOptions {
  private final SSTableOpener opener;
  private final Partitioner partitioner;
  private final FormatVersion version;
  private final FlushCompression flushCompression;
  private final int columnIndexSizeBytes;
  private final @Nullable UUID originatingHostId;
  private final MemtableTimes memtables;
  private final Executor cleaner;
  private final LiveSetObserver observer;
  private final boolean isReadOnly;
  private final boolean isLenient;
  private final WriteGuard guard;
  private final Set<String> committed;
  private final ParallelSteps parallel;
  private final LongSupplier nowMillis;

  private LiveSetOptions(Builder builder) {
    opener = builder.opener;
    partitioner = builder.partitioner;
    version = builder.version;
    flushCompression = builder.flushCompression;
    columnIndexSizeBytes = builder.columnIndexSizeBytes;
    originatingHostId = builder.originatingHostId;
    memtables = builder.memtables;
    cleaner = builder.cleaner;
    observer = builder.observer;
    isReadOnly = builder.isReadOnly;
    isLenient = builder.isLenient;
    guard = builder.guard;
    committed = builder.committed;
    parallel = builder.parallel;
    nowMillis = builder.nowMillis;
  }

  /**
   * Returns a builder with default options.
   *
   * @param opener opens SSTables
   */
  public static Builder builder(SSTableOpener opener) {
    return new Builder(opener);
  }

  /** Opens SSTables. */
  public SSTableOpener opener() {
    return opener;
  }

  /** The partitioner that all SSTables must have. */
  public Partitioner partitioner() {
    return partitioner;
  }

  /** The format version of the SSTables that are written. */
  public FormatVersion version() {
    return version;
  }

  /** How SSTables that a flush writes are compressed. */
  public FlushCompression flushCompression() {
    return flushCompression;
  }

  /** The minimum number of bytes of an index block of SSTables that are written. */
  public int columnIndexSizeBytes() {
    return columnIndexSizeBytes;
  }

  /** The host whose commit log the SSTables contain; null if there is none. */
  public @Nullable UUID originatingHostId() {
    return originatingHostId;
  }

  /** The timestamps of memtables, for purges. */
  public MemtableTimes memtables() {
    return memtables;
  }

  /** Runs the deletion of obsolete files. */
  public Executor cleaner() {
    return cleaner;
  }

  /** Receives events. */
  public LiveSetObserver observer() {
    return observer;
  }

  /** Whether nothing in the directory is changed. */
  public boolean isReadOnly() {
    return isReadOnly;
  }

  /** Whether SSTables that cannot be opened are quarantined and reported. */
  public boolean isLenient() {
    return isLenient;
  }

  /** Is called before each change of which SSTables are live, and before each deletion. */
  public WriteGuard guard() {
    return guard;
  }

  /**
   * The names of transaction logs that an atomic flush has committed, see {@link AtomicFlushes}.
   */
  public Set<String> committed() {
    return committed;
  }

  /** Opens several SSTables at once. */
  public ParallelSteps parallel() {
    return parallel;
  }

  /** The time in milliseconds since 1970, for the ids of compression dictionaries. */
  public LongSupplier nowMillis() {
    return nowMillis;
  }

  /** Collects options. Not safe for use by several threads. */
  public static final class Builder {
    private final SSTableOpener opener;
    private Partitioner partitioner = Partitioner.MURMUR3;
    private FormatVersion version = FormatVersion.OA;
    private FlushCompression flushCompression = FlushCompression.TABLE;
    private int columnIndexSizeBytes = SSTableWriterOptions.DEFAULT_COLUMN_INDEX_SIZE_BYTES;
    private @Nullable UUID originatingHostId;
    private MemtableTimes memtables = MemtableTimes.NONE;
    private Executor cleaner = Runnable::run;
    private LiveSetObserver observer = LiveSetObserver.NONE;
    private boolean isReadOnly;
    private boolean isLenient;
    private WriteGuard guard = WriteGuard.NONE;
    private Set<String> committed = Set.of();
    private ParallelSteps parallel = ParallelSteps.inCaller();
    private LongSupplier nowMillis = InstantSource.system()::millis;

    private Builder(SSTableOpener opener) {
      this.opener = Objects.requireNonNull(opener, "opener");
    }

    /** Sets {@link LiveSetOptions#partitioner()}; Murmur3 by default. */
    public Builder partitioner(Partitioner value) {
      partitioner = Objects.requireNonNull(value, "partitioner");
      return this;
    }

    /**
     * Sets {@link LiveSetOptions#version()}, a version that can be written; {@code oa} by default.
     */
    public Builder version(FormatVersion value) {
      Objects.requireNonNull(value, "version");
      if (!value.isWritable()) {
        throw new IllegalArgumentException(
            "tables of version " + value.text() + " are read, not written");
      }
      version = value;
      return this;
    }

    /** Sets {@link LiveSetOptions#flushCompression()}; by default that of the table's options. */
    public Builder flushCompression(FlushCompression value) {
      flushCompression = Objects.requireNonNull(value, "flushCompression");
      return this;
    }

    /** Sets {@link LiveSetOptions#columnIndexSizeBytes()}. */
    public Builder columnIndexSizeBytes(int value) {
      columnIndexSizeBytes = value;
      return this;
    }

    /** Sets {@link LiveSetOptions#originatingHostId()}; none by default. */
    public Builder originatingHostId(@Nullable UUID value) {
      originatingHostId = value;
      return this;
    }

    /** Sets {@link LiveSetOptions#memtables()}; none by default. */
    public Builder memtables(MemtableTimes value) {
      memtables = Objects.requireNonNull(value, "memtables");
      return this;
    }

    /**
     * Sets {@link LiveSetOptions#cleaner()}. By default, the thread that releases an obsolete
     * SSTable last deletes its files, even if it is a reader; an executor that rejects the task
     * leaves the files to the next opening.
     */
    public Builder cleaner(Executor value) {
      cleaner = Objects.requireNonNull(value, "cleaner");
      return this;
    }

    /** Sets {@link LiveSetOptions#observer()}; none by default. */
    public Builder observer(LiveSetObserver value) {
      observer = Objects.requireNonNull(value, "observer");
      return this;
    }

    /** Sets {@link LiveSetOptions#isReadOnly()}; false by default. */
    public Builder readOnly(boolean value) {
      isReadOnly = value;
      return this;
    }

    /** Sets {@link LiveSetOptions#isLenient()}; false by default. */
    public Builder lenient(boolean value) {
      isLenient = value;
      return this;
    }

    /** Sets {@link LiveSetOptions#guard()}; allows everything by default. */
    public Builder guard(WriteGuard value) {
      guard = Objects.requireNonNull(value, "guard");
      return this;
    }

    /** Sets {@link LiveSetOptions#parallel()}; one after the other by default. */
    public Builder parallel(ParallelSteps value) {
      parallel = Objects.requireNonNull(value, "parallel");
      return this;
    }

    /** Sets {@link LiveSetOptions#committed()}; none by default. */
    public Builder committed(Set<String> value) {
      committed = Set.copyOf(Objects.requireNonNull(value, "committed"));
      return this;
    }

    /** Sets {@link LiveSetOptions#nowMillis()}; the system's clock by default. */
    public Builder nowMillis(LongSupplier value) {
      nowMillis = Objects.requireNonNull(value, "nowMillis");
      return this;
    }

    /** Returns the options. */
    public LiveSetOptions build() {
      return new LiveSetOptions(this);
    }
  }
}
