package io.siltstone.mutation;

import io.siltstone.cursor.ColumnMap;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Rewrites a mutation in another encoding, or with all its timestamps shifted. Used once, confined
 * to one thread.
 */
final class MutationRewriter {
  private final Mutation source;
  private final long shift;
  private final PartitionUpdate view;
  private final PartitionUpdate target;
  private final UnfilteredEncoder encoder;
  private final ColumnMap columns;

  /**
   * @param shift what is added to each timestamp, in microseconds
   * @throws IllegalArgumentException if the encoding has other clustering columns, or if the values
   *     of a column have another form in it
   */
  MutationRewriter(Mutation source, RowEncoding encoding, long shift) {
    this.source = source;
    this.shift = shift;
    this.view = new PartitionUpdate(source.encoding());
    this.target = new PartitionUpdate(encoding);
    this.encoder = new UnfilteredEncoder(encoding);
    this.columns = ColumnMap.of(source.encoding(), new TableEncoding(encoding, List.of()));
    source.wrapIn(view);
  }

  /**
   * Returns the same change in the other encoding.
   *
   * @throws IllegalArgumentException if the encoding lacks a column that is changed
   */
  Mutation rewrite(TableSchema schema, long automaticTimestamp) {
    target.begin(view.key());
    if (!DeletionTime.isLive(view.deletionTimestamp())) {
      long timestamp = shifted(view.deletionTimestamp());
      WriteTimes.checkRangeTimestamp(timestamp);
      target.deletion(timestamp, view.deletionLocalTime());
    }
    try (PartitionCursor cursor = view.cursor()) {
      cursor.nextPartition();
      while (cursor.nextUnfiltered()) {
        if (cursor.unfiltered().isMarker()) {
          marker(cursor.unfiltered());
        } else {
          row(cursor.unfiltered());
        }
        target.add(encoder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
    return new Mutation(schema, target, automaticTimestamp);
  }

  private long shifted(long timestamp) {
    if (DeletionTime.isLive(timestamp)) {
      return timestamp;
    }
    // The deletion of old elements is one microsecond earlier than the new ones.
    WriteTimes.checkTimestamp(timestamp + shift);
    return timestamp + shift;
  }

  private void marker(Unfiltered marker) {
    long timestamp = shifted(marker.deletionTimestamp());
    WriteTimes.checkRangeTimestamp(timestamp);
    encoder.marker(
        marker.clustering(),
        timestamp,
        marker.deletionLocalTime(),
        shifted(marker.openTimestamp()),
        marker.openLocalTime(),
        0);
  }

  private void row(Unfiltered row) throws IOException {
    if (row.isStatic()) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(row.clustering());
    }
    if (row.hasLiveness()) {
      encoder.liveness(
          shifted(row.livenessTimestamp()), row.livenessTtl(), row.livenessExpirationTime());
    }
    if (row.hasDeletion()) {
      encoder.deletion(shifted(row.deletionTimestamp()), row.deletionLocalTime(), false);
    }
    int[] indexes = columns.indexes(row.isStatic());
    while (row.nextColumn()) {
      int index = indexes[row.columnIndex()];
      if (index == ColumnMap.LEFT_OUT) {
        throw new IllegalArgumentException(
            "the " + source + " changes column '" + row.column().name() + "', which is gone");
      }
      encoder.column(index);
      if (row.isComplex()) {
        encoder.complexDeletion(
            shifted(row.complexDeletionTimestamp()), row.complexDeletionLocalTime());
      }
      while (row.nextCell()) {
        cell(row);
      }
    }
    encoder.finish(0);
  }

  private void cell(Unfiltered row) {
    encoder.cell(
        shifted(row.cellTimestamp()),
        row.cellTtl(),
        row.cellLocalDeletionTime(),
        row.bytes(),
        row.pathOffset(),
        row.pathLength(),
        row.bytes(),
        row.valueOffset(),
        row.valueLength());
  }
}
