package io.siltstone.explain.walk;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.VersionGroup;
import io.siltstone.cursor.VersionSelector;
import io.siltstone.explain.Shadow;
import io.siltstone.explain.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holders that are looked at together, and what is the greatest among them where the walk stands:
 * all of them, as a read sees them; or SSTables that a compaction would merge.
 */
final class Scope {
  final boolean isOfTables;
  private final boolean[] cursors;
  // What else may have the key, and cannot be merged with these.
  final List<Source> outside;
  final long leastOutside;
  // Whether tombstones may be forgotten at all.
  final boolean mayForget;

  // The deletions of the partition, of a range, and the one that covers the cells of a row.
  @Nullable Shadow partition;
  @Nullable Shadow range;
  @Nullable Shadow active;
  // The winners of the present row, column and cell; of collections, their deletion if it wins over
  // that of the row.
  final VersionSelector selector = new VersionSelector();
  private final VersionGroup versions = new VersionGroup();
  @Nullable SourceCursor rowDeletion;
  @Nullable SourceCursor liveness;
  @Nullable SourceCursor complexDeletion;
  @Nullable Shadow covering;
  @Nullable SourceCursor cell;

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

  /** Returns the versions of those cursors that are in the scope; valid until the next call. */
  VersionGroup versionsOf(List<SourceCursor> all) {
    versions.clear();
    for (SourceCursor cursor : all) {
      if (has(cursor)) {
        versions.add(cursor.version());
      }
    }
    return versions;
  }

  /** The deletion that covers rows here, or null. */
  @Nullable Shadow coversRows() {
    return range == null ? partition : range;
  }

  static long timestamp(@Nullable Shadow shadow) {
    return shadow == null ? DeletionTime.NO_TIMESTAMP : shadow.timestamp();
  }
}
