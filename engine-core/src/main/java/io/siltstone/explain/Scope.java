package io.siltstone.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holders that are looked at together, and what is the greatest among them where the walk stands:
 * all of them, as a read sees them; or SSTables that a compaction would merge.
 */
final class Scope {
  static final int NONE = -1;

  final boolean isOfTables;
  private final boolean[] cursors;
  // What else may have the key, and cannot be merged with these.
  final List<Source> outside;
  final long leastOutside;
  // Whether tombstones may be forgotten at all.
  final boolean mayForget;

  // The deletions of the partition, of a range, and what is in force for the cells of a row.
  @Nullable Shadow partition;
  @Nullable Shadow range;
  @Nullable Shadow active;
  // Of the present row and column: cursors that have the greatest version.
  int rowDeletion = NONE;
  @Nullable Shadow rowDeletionYieldsTo;
  int liveness = NONE;
  int complex = NONE;
  @Nullable Shadow covering;
  int cell = NONE;

  Scope(boolean[] cursors, boolean isOfTables, List<Source> outside, boolean mayForget) {
    this.cursors = cursors;
    this.isOfTables = isOfTables;
    this.outside = outside;
    this.leastOutside =
        outside.stream().mapToLong(Source::minTimestamp).min().orElse(Long.MAX_VALUE);
    this.mayForget = mayForget;
  }

  boolean has(SourceCursor cursor) {
    return cursors[cursor.number];
  }

  /** The deletion that covers rows here, or null. */
  @Nullable Shadow coversRows() {
    return range == null ? partition : range;
  }

  static long timestamp(@Nullable Shadow shadow) {
    return shadow == null ? Long.MIN_VALUE : shadow.timestamp();
  }
}
