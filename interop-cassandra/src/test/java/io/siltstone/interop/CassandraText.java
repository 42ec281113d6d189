package io.siltstone.interop;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.db.rows.RangeTombstoneBoundMarker;
import org.apache.cassandra.db.rows.RangeTombstoneBoundaryMarker;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/** Writes Cassandra's rows as {@link CanonicalText}. */
final class CassandraText {

  private CassandraText() {}

  static void partition(CanonicalText text, UnfilteredRowIterator partition) {
    head(text, partition);
    while (partition.hasNext()) {
      unfiltered(text, partition.next());
    }
  }

  /** Writes key, partition deletion and static row. */
  static void head(CanonicalText text, UnfilteredRowIterator partition) {
    text.partition(ByteBufferUtil.getArray(partition.partitionKey().getKey()));
    DeletionTime deletion = partition.partitionLevelDeletion();
    if (!deletion.isLive()) {
      text.partitionDeletion(deletion.markedForDeleteAt(), deletion.localDeletionTime());
    }
    if (!partition.staticRow().isEmpty()) {
      text.staticRow();
      content(text, partition.staticRow());
    }
  }

  static void unfiltered(CanonicalText text, Unfiltered unfiltered) {
    if (unfiltered instanceof Row row) {
      text.row(values(row.clustering()));
      content(text, row);
    } else {
      marker(text, (RangeTombstoneMarker) unfiltered);
    }
  }

  private static void marker(CanonicalText text, RangeTombstoneMarker marker) {
    String kind = marker.clustering().kind().toString();
    List<byte @Nullable []> prefix = values(marker.clustering());
    if (marker instanceof RangeTombstoneBoundaryMarker boundary) {
      DeletionTime end = boundary.endDeletionTime();
      DeletionTime start = boundary.startDeletionTime();
      text.boundary(
          kind,
          prefix,
          end.markedForDeleteAt(),
          end.localDeletionTime(),
          start.markedForDeleteAt(),
          start.localDeletionTime());
    } else {
      DeletionTime deletion = ((RangeTombstoneBoundMarker) marker).deletionTime();
      text.bound(kind, prefix, deletion.markedForDeleteAt(), deletion.localDeletionTime());
    }
  }

  private static void content(CanonicalText text, Row row) {
    if (!row.primaryKeyLivenessInfo().isEmpty()) {
      text.liveness(
          row.primaryKeyLivenessInfo().timestamp(),
          row.primaryKeyLivenessInfo().ttl(),
          row.primaryKeyLivenessInfo().localExpirationTime());
    }
    if (!row.deletion().isLive()) {
      DeletionTime deletion = row.deletion().time();
      text.rowDeletion(deletion.markedForDeleteAt(), deletion.localDeletionTime());
    }
    for (ColumnData data : row) {
      if (data instanceof ComplexColumnData complex) {
        DeletionTime deletion = complex.complexDeletion();
        if (!deletion.isLive()) {
          text.complexDeletion(
              complex.column().name.toString(),
              deletion.markedForDeleteAt(),
              deletion.localDeletionTime());
        }
        for (Cell<?> cell : complex) {
          cell(text, cell);
        }
      } else {
        cell(text, (Cell<?>) data);
      }
    }
  }

  private static void cell(CanonicalText text, Cell<?> cell) {
    text.cell(
        cell.column().name.toString(),
        cell.path() == null ? null : ByteBufferUtil.getArray(cell.path().get(0)),
        cell.timestamp(),
        cell.ttl(),
        cell.localDeletionTime(),
        ByteBufferUtil.getArray(cell.buffer()));
  }

  private static List<byte @Nullable []> values(ClusteringPrefix<?> prefix) {
    List<byte @Nullable []> values = new ArrayList<>();
    for (int i = 0; i < prefix.size(); i++) {
      ByteBuffer value = prefix.bufferAt(i);
      values.add(value == null ? null : ByteBufferUtil.getArray(value));
    }
    return values;
  }
}
