package io.siltstone.compaction.task;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.job.Split;
import io.siltstone.files.ReadThrottle;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link CompactionTask}. Immutable; made by {@link #builder}, which reports all
 * wrong values together.
 */
public final class TaskOptions {
  /** For all inputs together; enough for 32 inputs, as many as a strategy merges by default. */
  private static final long MAX_READ_AHEAD_BYTES = 32L << 20;

  /** Per input that executors read: one as stored, and three decompressed. */
  private static final int BUFFERS = 4;

  /** Kinds of tasks. */
  public enum Kind {
    /** Merges the inputs, and purges tombstones and expired data. */
    MERGE,
    /**
     * Merges as {@link #MERGE}, and leaves out data that SSTables outside of the claim have
     * deleted.
     */
    GARBAGE_COLLECT,
    /**
     * Merges as {@link #GARBAGE_COLLECT}, and leaves out also cells that these have deleted or
     * overwritten.
     */
    GARBAGE_COLLECT_CELLS,
    /** Rewrites the inputs and purges nothing. */
    REWRITE,
    /** Rewrites the readable data of each input, and reports what is lost. */
    SCRUB,
    /** Copies each input with the table's present compression. */
    RECOMPRESS;

    /**
     * Returns whether garbage is collected whatever the table's options are: data is left out that
     * SSTables outside of the claim have deleted.
     */
    public boolean isCollecting() {
      return this == GARBAGE_COLLECT || this == GARBAGE_COLLECT_CELLS;
    }

    /** Returns whether tombstones and expired data may be purged. */
    public boolean isPurging() {
      return this == MERGE || isCollecting();
    }
  }

  /**
   * How much is left out of what SSTables outside of the claim have deleted ({@code
   * provide_overlapping_tombstones}).
   */
  public enum OverlappingTombstones {
    /** Nothing is left out; these SSTables are not read. */
    NONE,
    /** Data that their deletions of partitions, ranges and rows cover. */
    ROW,
    /** Also cells that they have deleted or overwritten. */
    CELL
  }

  private final TableSchema schema;
  private final Kind kind;
  private final OverlappingTombstones overlappingTombstones;
  private final int level;
  private final Split split;
  private final boolean ignoresOverlaps;
  private final Set<Descriptor> damaged;
  private final long nowSeconds;
  private final int subCompactions;
  private final PipelineExecutors executors;
  private final OutputVerification outputVerification;
  private final int readAheadBytes;
  private final ReadThrottle throttle;
  private final DiskReservations space;

  private TaskOptions(Builder builder, OverlappingTombstones overlappingTombstones) {
    this.schema = builder.schema;
    this.kind = builder.kind;
    this.overlappingTombstones = overlappingTombstones;
    this.level = builder.level;
    this.split = builder.split;
    this.ignoresOverlaps = builder.ignoresOverlaps;
    this.damaged = builder.damaged;
    this.nowSeconds = builder.nowSeconds;
    this.subCompactions = builder.subCompactions;
    this.executors = builder.executors;
    this.outputVerification = builder.outputVerification;
    this.readAheadBytes = builder.readAheadBytes;
    this.throttle = builder.throttle;
    this.space = builder.space;
  }

  /**
   * Returns a builder with the defaults: a merge into one SSTable of level 0, on the calling
   * thread.
   *
   * @param schema the present schema of the table
   * @param nowSeconds since 1970: what expires until then has expired, and {@code gc_grace_seconds}
   *     are counted back from it
   */
  public static Builder builder(TableSchema schema, long nowSeconds) {
    return new Builder(schema, nowSeconds);
  }

  /** Returns the present schema of the table. */
  public TableSchema schema() {
    return schema;
  }

  /** Returns what the task does. */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns how much is left out of what SSTables outside of the claim have deleted: the table's
   * {@code provide_overlapping_tombstones}, and at least what the kind {@linkplain
   * Kind#isCollecting() collects}.
   */
  public OverlappingTombstones overlappingTombstones() {
    return overlappingTombstones;
  }

  /** Returns the level of the outputs in leveled compaction. */
  public int level() {
    return level;
  }

  /** Returns how the output is divided into SSTables. */
  public Split split() {
    return split;
  }

  /**
   * Returns whether fully expired inputs are dropped even if they shadow data outside of the claim
   * ({@code unsafe_aggressive_sstable_expiration}).
   */
  public boolean ignoresOverlaps() {
    return ignoresOverlaps;
  }

  /**
   * Returns the SSTables outside of the claim that are damaged, and therefore not read; none by
   * default.
   */
  public Set<Descriptor> damaged() {
    return damaged;
  }

  /** Returns the time, in seconds since 1970. */
  public long nowSeconds() {
    return nowSeconds;
  }

  /**
   * Returns the greatest number of subcompactions: token ranges that are merged in parallel. A job
   * that makes a single SSTable is not divided.
   */
  public int subCompactions() {
    return subCompactions;
  }

  /** Returns the executors that help the calling thread; none by default. */
  public PipelineExecutors executors() {
    return executors;
  }

  /** Returns how thoroughly outputs are verified before they replace the inputs. */
  public OutputVerification outputVerification() {
    return outputVerification;
  }

  /** Returns how many bytes of an input are read at a time. */
  public int readAheadBytes() {
    return readAheadBytes;
  }

  /** Returns the throttle of what is read ({@code compaction_throughput}). */
  public ReadThrottle throttle() {
    return throttle;
  }

  /**
   * Returns the reservations from which space for the outputs is taken, shared by tasks that run at
   * the same time.
   */
  public DiskReservations space() {
    return space;
  }

  /**
   * Returns how a number of inputs are read at the same time. With very many inputs each reads less
   * ahead, so that memory is bounded. Inputs that read nothing ahead are also not decompressed
   * ahead, which takes batches of full size. A thread that waits for the throttle notices a
   * cancellation.
   */
  SequentialAccess access(SharedProgress shared, int inputs) {
    long share = MAX_READ_AHEAD_BYTES / inputs / (executors.work() == null ? 1 : BUFFERS);
    boolean hasRoom = readAheadBytes > 0 || share >= SequentialAccess.DEFAULT_READ_AHEAD_BYTES;
    return SequentialAccess.COMPACTION
        .withReadAheadBytes((int) Math.min(readAheadBytes, share))
        .withThrottle(
            bytes -> {
              shared.check();
              return throttle.acquire(bytes);
            })
        .withAhead(hasRoom ? executors.work() : null);
  }

  /** Reserves disk space for the outputs of these inputs. */
  DiskReservations.Reservation reserve(List<SSTable> inputs, TaskProgress progress)
      throws IOException {
    return space.reserve(inputs, schema, progress);
  }

  /**
   * Returns the time before which tombstones are past {@code gc_grace_seconds}, in seconds since
   * 1970.
   */
  long gcBefore() {
    return nowSeconds - schema.options().gcGraceSeconds();
  }

  /** Collects options. Not safe for use by several threads. */
  public static final class Builder {
    private static final String PROVIDE_TOMBSTONES = "provide_overlapping_tombstones";

    private final TableSchema schema;
    private final long nowSeconds;
    private Kind kind = Kind.MERGE;
    private @Nullable OverlappingTombstones overlappingTombstones;
    private int level;
    private Split split = Split.NONE;
    private boolean ignoresOverlaps;
    private Set<Descriptor> damaged = Set.of();
    private int subCompactions = 1;
    private PipelineExecutors executors = PipelineExecutors.NONE;
    private OutputVerification outputVerification = OutputVerification.STRUCTURE;
    private int readAheadBytes = SequentialAccess.DEFAULT_READ_AHEAD_BYTES;
    private ReadThrottle throttle = ReadThrottle.NONE;
    private DiskReservations space = new DiskReservations();

    private Builder(TableSchema schema, long nowSeconds) {
      this.schema = Objects.requireNonNull(schema, "schema");
      this.nowSeconds = nowSeconds;
    }

    /** Sets {@link TaskOptions#kind()}. */
    public Builder kind(Kind value) {
      kind = Objects.requireNonNull(value, "kind");
      return this;
    }

    /** Sets {@link TaskOptions#overlappingTombstones()}, in place of the table's option. */
    public Builder overlappingTombstones(OverlappingTombstones value) {
      overlappingTombstones = Objects.requireNonNull(value, "overlappingTombstones");
      return this;
    }

    /** Sets {@link TaskOptions#level()}: 0 or more. */
    public Builder level(int value) {
      level = value;
      return this;
    }

    /** Sets {@link TaskOptions#split()}. */
    public Builder split(Split value) {
      split = Objects.requireNonNull(value, "split");
      return this;
    }

    /** Sets {@link TaskOptions#ignoresOverlaps()}. */
    public Builder ignoresOverlaps(boolean value) {
      ignoresOverlaps = value;
      return this;
    }

    /** Sets {@link TaskOptions#damaged()}. */
    public Builder damaged(Set<Descriptor> value) {
      damaged = Set.copyOf(Objects.requireNonNull(value, "damaged"));
      return this;
    }

    /** Sets {@link TaskOptions#subCompactions()}: 1 or more. */
    public Builder subCompactions(int value) {
      subCompactions = value;
      return this;
    }

    /** Sets {@link TaskOptions#executors()}. */
    public Builder executors(PipelineExecutors value) {
      executors = Objects.requireNonNull(value, "executors");
      return this;
    }

    /** Sets {@link TaskOptions#outputVerification()}. */
    public Builder outputVerification(OutputVerification value) {
      outputVerification = Objects.requireNonNull(value, "outputVerification");
      return this;
    }

    /** Sets {@link TaskOptions#readAheadBytes()}: 0 or more; 0 to read each chunk by itself. */
    public Builder readAheadBytes(int value) {
      readAheadBytes = value;
      return this;
    }

    /** Sets {@link TaskOptions#throttle()}. */
    public Builder throttle(ReadThrottle value) {
      throttle = Objects.requireNonNull(value, "throttle");
      return this;
    }

    /** Sets {@link TaskOptions#space()}; by default a task has its own. */
    public Builder space(DiskReservations value) {
      space = Objects.requireNonNull(value, "space");
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException naming each option that is wrong, its value and what is
     *     allowed
     */
    public TaskOptions build() {
      List<String> wrong = new ArrayList<>();
      if (level < 0) {
        wrong.add("level " + level + ", allowed 0 or more");
      }
      if (subCompactions < 1) {
        wrong.add("sub-compactions " + subCompactions + ", allowed 1 or more");
      }
      if (nowSeconds < 0) {
        wrong.add("now " + nowSeconds + ", allowed 0 or more");
      }
      if (readAheadBytes < 0) {
        wrong.add("read-ahead " + readAheadBytes + " bytes, allowed 0 or more");
      }
      OverlappingTombstones tombstones = overlappingTombstones;
      if (tombstones == null) {
        tombstones = tombstonesOf(wrong);
      }
      if (kind == Kind.GARBAGE_COLLECT && tombstones == OverlappingTombstones.NONE) {
        tombstones = OverlappingTombstones.ROW;
      } else if (kind == Kind.GARBAGE_COLLECT_CELLS) {
        tombstones = OverlappingTombstones.CELL;
      }
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", wrong));
      }
      return new TaskOptions(this, tombstones);
    }

    private OverlappingTombstones tombstonesOf(List<String> wrong) {
      String text = schema.options().compaction().getOrDefault(PROVIDE_TOMBSTONES, "NONE");
      try {
        return OverlappingTombstones.valueOf(text.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        wrong.add(PROVIDE_TOMBSTONES + " " + text + ", allowed NONE, ROW, CELL");
        return OverlappingTombstones.NONE;
      }
    }
  }
}
