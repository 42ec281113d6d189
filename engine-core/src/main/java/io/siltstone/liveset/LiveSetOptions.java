package io.siltstone.liveset;

import io.siltstone.compress.FlushCompression;
import io.siltstone.files.WriteGuard;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.FormatVersion;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** How a live set is kept. Immutable; made by {@link #builder}. */
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
  }

  /** A builder of the defaults, with what opens SSTables. */
  public static Builder builder(SSTableOpener opener) {
    return new Builder(opener);
  }

  /** Opens SSTables. */
  public SSTableOpener opener() {
    return opener;
  }

  /** That all SSTables have to have. */
  public Partitioner partitioner() {
    return partitioner;
  }

  /** Of the SSTables that are written. */
  public FormatVersion version() {
    return version;
  }

  /** Of what a flush writes. */
  public FlushCompression flushCompression() {
    return flushCompression;
  }

  /** Least bytes of an index block of what is written. */
  public int columnIndexSizeBytes() {
    return columnIndexSizeBytes;
  }

  /** The host that writes, whose commit log the tables are from; null if none is at work. */
  public @Nullable UUID originatingHostId() {
    return originatingHostId;
  }

  /** Asked by purges. */
  public MemtableTimes memtables() {
    return memtables;
  }

  /** Runs the deletion of obsolete files. */
  public Executor cleaner() {
    return cleaner;
  }

  /** Is told of changes. */
  public LiveSetObserver observer() {
    return observer;
  }

  /** Whether nothing in the directory is changed. */
  public boolean isReadOnly() {
    return isReadOnly;
  }

  /** Whether SSTables that cannot be opened are set aside and reported. */
  public boolean isLenient() {
    return isLenient;
  }

  /** Is asked before each change of which SSTables are live, and before each deletion. */
  public WriteGuard guard() {
    return guard;
  }

  /** Collects options. Not safe for threads. */
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

    private Builder(SSTableOpener opener) {
      this.opener = Objects.requireNonNull(opener, "opener");
    }

    /** See {@link LiveSetOptions#partitioner()}; Murmur3 by default. */
    public Builder partitioner(Partitioner value) {
      partitioner = Objects.requireNonNull(value, "partitioner");
      return this;
    }

    /** See {@link LiveSetOptions#version()}: one that is written; {@code oa} by default. */
    public Builder version(FormatVersion value) {
      Objects.requireNonNull(value, "version");
      if (!value.isWritable()) {
        throw new IllegalArgumentException(
            "tables of version " + value.text() + " are read, not written");
      }
      version = value;
      return this;
    }

    /** See {@link LiveSetOptions#flushCompression()}; by default as the table says. */
    public Builder flushCompression(FlushCompression value) {
      flushCompression = Objects.requireNonNull(value, "flushCompression");
      return this;
    }

    /** See {@link LiveSetOptions#columnIndexSizeBytes()}. */
    public Builder columnIndexSizeBytes(int value) {
      columnIndexSizeBytes = value;
      return this;
    }

    /** See {@link LiveSetOptions#originatingHostId()}; none by default. */
    public Builder originatingHostId(@Nullable UUID value) {
      originatingHostId = value;
      return this;
    }

    /** See {@link LiveSetOptions#memtables()}; none by default. */
    public Builder memtables(MemtableTimes value) {
      memtables = Objects.requireNonNull(value, "memtables");
      return this;
    }

    /**
     * See {@link LiveSetOptions#cleaner()}. By default the thread that lets go of an obsolete table
     * deletes its files, be it a reader's; an executor that refuses leaves them to the next
     * opening.
     */
    public Builder cleaner(Executor value) {
      cleaner = Objects.requireNonNull(value, "cleaner");
      return this;
    }

    /** See {@link LiveSetOptions#observer()}. */
    public Builder observer(LiveSetObserver value) {
      observer = Objects.requireNonNull(value, "observer");
      return this;
    }

    /** See {@link LiveSetOptions#isReadOnly()}; no by default. */
    public Builder readOnly(boolean value) {
      isReadOnly = value;
      return this;
    }

    /** See {@link LiveSetOptions#isLenient()}; no by default. */
    public Builder lenient(boolean value) {
      isLenient = value;
      return this;
    }

    /** See {@link LiveSetOptions#guard()}; allows everything by default. */
    public Builder guard(WriteGuard value) {
      guard = Objects.requireNonNull(value, "guard");
      return this;
    }

    /** The options. */
    public LiveSetOptions build() {
      return new LiveSetOptions(this);
    }
  }
}
