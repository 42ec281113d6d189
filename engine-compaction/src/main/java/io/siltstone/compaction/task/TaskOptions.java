package io.siltstone.compaction.task;

import io.siltstone.compaction.strategy.Split;
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
 *
 * @param schema the present schema of the table
 * @param nowSeconds the time, in seconds since 1970: what expires until then has expired, and
 *     {@code gc_grace_seconds} are counted back from it
 * @param kind what the task does
 * @param overlappingTombstones how much is left out of what SSTables outside of the claim have
 *     deleted: the table's {@code provide_overlapping_tombstones}, and at least what the kind
 *     {@linkplain Kind#isCollecting() collects}
 * @param level the level of the outputs in leveled compaction
 * @param split how the output is divided into SSTables
 * @param ignoresOverlaps whether fully expired inputs are dropped even if they shadow data outside
 *     of the claim ({@code unsafe_aggressive_sstable_expiration})
 * @param damaged SSTables outside of the claim that are damaged, and therefore not read
 * @param resources the threads, throughput and disk space of the task
 */
public record TaskOptions(
    TableSchema schema,
    long nowSeconds,
    Kind kind,
    OverlappingTombstones overlappingTombstones,
    int level,
    Split split,
    boolean ignoresOverlaps,
    Set<Descriptor> damaged,
    TaskResources resources) {

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
   * The values of {@code provide_overlapping_tombstones}: how much is left out of what SSTables
   * outside of the claim have deleted.
   */
  public enum OverlappingTombstones {
    /** Nothing is left out; these SSTables are not read. */
    NONE,
    /** Data that their deletions of partitions, ranges and rows cover. */
    ROW,
    /** Also cells that they have deleted or overwritten. */
    CELL
  }

  /** Copies the set. */
  public TaskOptions {
    damaged = Set.copyOf(damaged);
  }

  /**
   * Returns a builder with the defaults: a merge into one SSTable of level 0, on the calling
   * thread.
   *
   * @param schema the present schema of the table
   * @param nowSeconds the time, in seconds since 1970
   */
  public static Builder builder(TableSchema schema, long nowSeconds) {
    return new Builder(schema, nowSeconds);
  }

  /** Reserves disk space for the outputs of these inputs. */
  DiskReservations.Reservation reserve(List<SSTable> inputs, TaskProgress progress)
      throws IOException {
    return resources.reservations().reserve(inputs, schema, progress);
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
    private TaskResources resources = TaskResources.ofOneThread();

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
      damaged = Objects.requireNonNull(value, "damaged");
      return this;
    }

    /** Sets {@link TaskOptions#resources()}. */
    public Builder resources(TaskResources value) {
      resources = Objects.requireNonNull(value, "resources");
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
      if (nowSeconds < 0) {
        wrong.add("now " + nowSeconds + ", allowed 0 or more");
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
      return new TaskOptions(
          schema, nowSeconds, kind, tombstones, level, split, ignoresOverlaps, damaged, resources);
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
