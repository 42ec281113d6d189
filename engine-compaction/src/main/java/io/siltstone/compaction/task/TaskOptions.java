package io.siltstone.compaction.task;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compaction.strategy.Split;
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
 * What a {@link CompactionTask} does with its claim. Immutable; made by {@link #builder}, which
 * reports every wrong value at once.
 */
public final class TaskOptions {
  /** Of all inputs together; enough for as many as a strategy merges by default, which are 32. */
  private static final long MAX_READ_AHEAD_BYTES = 32L << 20;

  /** Of an input that is read by helpers: as it is stored, and decompressed thrice. */
  private static final int BUFFERS = 4;

  /** Kinds of tasks. */
  public enum Kind {
    /** Merges the inputs, and forgets what may be forgotten. */
    MERGE,
    /** As {@link #MERGE}, and leaves out what SSTables outside of the claim have deleted. */
    GARBAGE_COLLECT,
    /** As {@link #GARBAGE_COLLECT}, also cells that these have deleted or written over. */
    GARBAGE_COLLECT_CELLS,
    /** Writes the inputs anew and forgets nothing. */
    REWRITE,
    /** Rewrites what can be read of each input, and reports what cannot. */
    SCRUB,
    /** Rewrites each input as it is with the table's present compression. */
    RECOMPRESS;

    /**
     * Whether what SSTables outside of the claim have deleted is left out, whatever the table's
     * options.
     */
    public boolean isCollecting() {
      return this == GARBAGE_COLLECT || this == GARBAGE_COLLECT_CELLS;
    }

    /** Whether what may be forgotten is. */
    public boolean isPurging() {
      return this == MERGE || isCollecting();
    }
  }

  /** How much is left out of what SSTables outside of the claim have deleted. */
  public enum OverlappingTombstones {
    /** Nothing: they are not read. */
    NONE,
    /** What their deletions of partitions, ranges and rows cover. */
    ROW,
    /** Also cells that they have deleted or written over. */
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
   * A builder of the defaults: merges into one SSTable of level 0, on the caller's thread.
   *
   * @param schema the table as it is now
   * @param nowSeconds since 1970: what expires by then has expired, and {@code gc_grace_seconds}
   *     are counted back from it
   */
  public static Builder builder(TableSchema schema, long nowSeconds) {
    return new Builder(schema, nowSeconds);
  }

  /** The table as it is now. */
  public TableSchema schema() {
    return schema;
  }

  /** What is done. */
  public Kind kind() {
    return kind;
  }

  /**
   * What is left out because of SSTables outside of the claim: by the table's {@code
   * provide_overlapping_tombstones}, and as much at least as the kind says that {@linkplain
   * Kind#isCollecting() collects} it.
   */
  public OverlappingTombstones overlappingTombstones() {
    return overlappingTombstones;
  }

  /** Level of the outputs in leveled compaction. */
  public int level() {
    return level;
  }

  /** How the output is divided. */
  public Split split() {
    return split;
  }

  /**
   * Whether inputs of which everything has expired go even if what they shadow lies outside of the
   * claim ({@code unsafe_aggressive_sstable_expiration}).
   */
  public boolean ignoresOverlaps() {
    return ignoresOverlaps;
  }

  /** SSTables outside of the claim that are not read, as that would fail: none by default. */
  public Set<Descriptor> damaged() {
    return damaged;
  }

  /** The time, in seconds since 1970. */
  public long nowSeconds() {
    return nowSeconds;
  }

  /**
   * Into how many ranges of tokens a job is divided at most. One that makes a single SSTable is not
   * divided.
   */
  public int subCompactions() {
    return subCompactions;
  }

  /** That help the caller's thread; none by default. */
  @SuppressWarnings("exports")
  public PipelineExecutors executors() {
    return executors;
  }

  /** How thoroughly what was written is verified before it replaces the inputs. */
  public OutputVerification outputVerification() {
    return outputVerification;
  }

  /** Bytes that are read of an input at a time. */
  public int readAheadBytes() {
    return readAheadBytes;
  }

  /** Limits what is read. */
  @SuppressWarnings("exports")
  public ReadThrottle throttle() {
    return throttle;
  }

  /** That room for the outputs is taken from; what runs beside it shares it. */
  public DiskReservations space() {
    return space;
  }

  /**
   * How so many inputs are read at once; who waits for the throttle hears of a cancellation. Of
   * very many each reads less ahead, so that any number can be merged in bounded memory; and those
   * that read nothing ahead decompress nothing ahead either, as that takes batches of full size.
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

  /** Takes room for what is written of these inputs. */
  DiskReservations.Promise promise(List<SSTable> inputs, TaskProgress progress) throws IOException {
    return space.promise(inputs, schema, progress);
  }

  /** In seconds since 1970: tombstones from before may be forgotten. */
  long gcBefore() {
    return nowSeconds - schema.options().gcGraceSeconds();
  }

  /** Collects options. Not safe for threads. */
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

    /** See {@link TaskOptions#kind()}. */
    public Builder kind(Kind value) {
      kind = Objects.requireNonNull(value, "kind");
      return this;
    }

    /** See {@link TaskOptions#overlappingTombstones()}; overrides what the table says. */
    public Builder overlappingTombstones(OverlappingTombstones value) {
      overlappingTombstones = Objects.requireNonNull(value, "overlappingTombstones");
      return this;
    }

    /** See {@link TaskOptions#level()}: 0 or more. */
    public Builder level(int value) {
      level = value;
      return this;
    }

    /** See {@link TaskOptions#split()}. */
    public Builder split(Split value) {
      split = Objects.requireNonNull(value, "split");
      return this;
    }

    /** See {@link TaskOptions#ignoresOverlaps()}. */
    public Builder ignoresOverlaps(boolean value) {
      ignoresOverlaps = value;
      return this;
    }

    /** See {@link TaskOptions#damaged()}. */
    public Builder damaged(Set<Descriptor> value) {
      damaged = Set.copyOf(Objects.requireNonNull(value, "damaged"));
      return this;
    }

    /** See {@link TaskOptions#subCompactions()}: 1 or more. */
    public Builder subCompactions(int value) {
      subCompactions = value;
      return this;
    }

    /** See {@link TaskOptions#executors()}. */
    @SuppressWarnings("exports")
    public Builder executors(PipelineExecutors value) {
      executors = Objects.requireNonNull(value, "helpers");
      return this;
    }

    /** See {@link TaskOptions#outputVerification()}. */
    public Builder outputVerification(OutputVerification value) {
      outputVerification = Objects.requireNonNull(value, "outputVerification");
      return this;
    }

    /** See {@link TaskOptions#readAheadBytes()}: 0 or more, 0 to read each chunk for itself. */
    public Builder readAheadBytes(int value) {
      readAheadBytes = value;
      return this;
    }

    /** See {@link TaskOptions#throttle()}. */
    @SuppressWarnings("exports")
    public Builder throttle(ReadThrottle value) {
      throttle = Objects.requireNonNull(value, "throttle");
      return this;
    }

    /** See {@link TaskOptions#space()}; one of its own by default. */
    public Builder space(DiskReservations value) {
      space = Objects.requireNonNull(value, "space");
      return this;
    }

    /**
     * The options.
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
