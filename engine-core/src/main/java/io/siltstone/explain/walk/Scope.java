package io.siltstone.explain.walk;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowVersion;
import io.siltstone.cursor.VersionSelector;
import io.siltstone.explain.Finding.Shadow;
import io.siltstone.explain.Source;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of sources that are merged together, and the winners among them at the present place: all
 * sources, as in a read, or the SSTables that a compaction would merge.
 */
final class Scope {
  final boolean isOfTables;
  private final boolean[] cursors;
  // Other sources that may have the key, and cannot be merged with these.
  final List<Source> outside;
  final long leastOutside;
  // Whether tombstones may be purged at all.
  final boolean mayForget;

  // The deletions of the partition, of a range, and the one that covers the cells of a row.
  @Nullable Shadow partition;
  @Nullable Shadow range;
  @Nullable Shadow active;
  // The winners of the present row, column and cell; of collections, their deletion if it wins over
  // that of the row.
  final VersionSelector selector = new VersionSelector();
  private final List<SourceCursor> versions = new ArrayList<>();
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

  /** Begins a row of which cursors have versions. */
  void beginRow(List<SourceCursor> all) {
    versions.clear();
    for (SourceCursor cursor : all) {
      if (has(cursor)) {
        versions.add(cursor);
      }
    }
    selector.begin(
        versions.stream().map(SourceCursor::version).toArray(RowVersion[]::new), versions.size());
  }

  /** Returns the cursor with a version that was selected; null without. */
  @Nullable SourceCursor cursor(int selected) {
    return selected == VersionSelector.NONE ? null : versions.get(selected);
  }

  /** Selects the winner of cells in one place, of which some may be in the scope. */
  void selectCell(List<SourceCursor> cells, boolean isCounter) {
    int best = VersionSelector.NONE;
    for (int i = 0; i < versions.size(); i++) {
      if (cells.contains(versions.get(i))) {
        best = isCounter ? selector.selectCounterTombstone(best, i) : selector.selectCell(best, i);
      }
    }
    cell = cursor(best);
  }

  /** Returns the deletion that covers rows here, or null. */
  @Nullable Shadow coversRows() {
    return range == null ? partition : range;
  }

  static long timestamp(@Nullable Shadow shadow) {
    return shadow == null ? DeletionTime.NO_TIMESTAMP : shadow.timestamp();
  }
}
