package io.siltstone.mutation;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.Slice;
import io.siltstone.mutation.RangeDeletions.Deletion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects changes of one partition in any order, and writes them as one update: sorted, merged by
 * {@link RowMerge}, with range deletions as markers. Confined to one thread.
 */
final class PartitionChanges {
  private static final byte[][] NO_CLUSTERING = {};

  private final TableColumns columns;
  private final RangeDeletions ranges;
  private final List<RowChange> rows = new ArrayList<>();
  private @Nullable RowChange staticRow;
  private Deletion partitionDeletion = Deletion.NONE;

  PartitionChanges(TableColumns columns) {
    this.columns = columns;
    this.ranges = new RangeDeletions(columns.order());
  }

  /** Adds a change of a row; the same row may come several times. */
  void add(RowChange row) {
    rows.add(row);
  }

  /** Returns the change of the static row, which is made with the first call. */
  RowChange staticRow() {
    if (staticRow == null) {
      staticRow = new RowChange(NO_CLUSTERING);
    }
    return staticRow;
  }

  void deletePartition(Deletion deletion) {
    if (deletion.compareTo(partitionDeletion) > 0) {
      partitionDeletion = deletion;
    }
  }

  void deleteRange(Slice slice, Deletion deletion) {
    ranges.add(slice, deletion);
  }

  /** Returns the range deletions. */
  RangeDeletions ranges() {
    return ranges;
  }

  /**
   * Writes all changes.
   *
   * @param writer has begun the partition
   * @throws IllegalArgumentException if two changes with the same timestamp contradict each other;
   *     names column and row
   */
  void writeTo(UpdateWriter writer) {
    if (!partitionDeletion.equals(Deletion.NONE)) {
      writer
          .update()
          .deletion(partitionDeletion.timestamp(), partitionDeletion.localDeletionTime());
    }
    if (staticRow != null) {
      add(writer, true, List.of(staticRow), partitionDeletion);
    }
    List<RangeDeletions.Marker> markers = ranges.markers(partitionDeletion);
    if (markers.isEmpty()) {
      writeRows(writer);
    } else {
      writeRowsAndMarkers(writer, markers);
    }
  }

  private void add(UpdateWriter writer, boolean isStatic, List<RowChange> row, Deletion active) {
    try {
      writer.add(isStatic, row, active);
    } catch (ContradictionException e) {
      throw new IllegalArgumentException(
          columns.values().tableName()
              + ": "
              + e.getMessage()
              + (isStatic ? "" : columns.describe(row.get(0)))
              + ", in one mutation or batch; change it once, or give the changes timestamps that say"
              + " which is the later one",
          e);
    }
  }

  private void writeRows(UpdateWriter writer) {
    List<RowChange> sorted = sortedRows();
    for (int from = 0; from < sorted.size(); ) {
      int to = endOfRow(sorted, from);
      add(writer, false, sorted.subList(from, to), partitionDeletion);
      from = to;
    }
  }

  private void writeRowsAndMarkers(UpdateWriter writer, List<RangeDeletions.Marker> markers) {
    List<RowChange> sorted = sortedRows();
    Deletion open = Deletion.NONE;
    int next = 0;
    for (int from = 0; from < sorted.size(); ) {
      int to = endOfRow(sorted, from);
      List<RowChange> row = sorted.subList(from, to);
      Clustering clustering =
          Clustering.of(
              ClusteringKind.CLUSTERING, columns.encoding(), Arrays.asList(row.get(0).clustering));
      while (next < markers.size()
          && columns.order().compare(markers.get(next).bound(), clustering) < 0) {
        open = markers.get(next).after();
        writer.add(markers.get(next++));
      }
      // A winning range deletion is later than the partition's deletion.
      add(writer, false, row, open.equals(Deletion.NONE) ? partitionDeletion : open);
      from = to;
    }
    while (next < markers.size()) {
      writer.add(markers.get(next++));
    }
  }

  private List<RowChange> sortedRows() {
    for (int i = 1; i < rows.size(); i++) {
      if (columns.compareRows(rows.get(i - 1), rows.get(i)) > 0) {
        List<RowChange> sorted = new ArrayList<>(rows);
        sorted.sort(columns::compareRows);
        return sorted;
      }
    }
    return rows;
  }

  private int endOfRow(List<RowChange> sorted, int from) {
    int to = from + 1;
    while (to < sorted.size() && columns.compareRows(sorted.get(from), sorted.get(to)) == 0) {
      to++;
    }
    return to;
  }
}
