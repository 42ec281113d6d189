package io.siltstone.compaction.task;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes apart a partition whose rows or markers are out of order, occur twice or do not pair, and
 * loses none of them. Confined to one thread.
 *
 * <p>Rows in order are written where they are; the others go to {@link OutOfOrderRows}. A row is
 * held back until the next one has been read: if 9 occurs in 1 2 9 3 4, then 9 alone is out of
 * order, not all that follow it. Range tombstones are mended by {@link DisorderedRanges}.
 */
final class DisorderedRows {
  private final ClusteringComparator order;
  private final DisorderedRanges ranges;
  private final OutOfOrderRows outOfOrderRows;
  private final Unfiltered waiting;
  private final @Nullable SalvagedRows inOrder;
  private final PartitionKey key;
  private final CellCheck cells = new CellCheck();
  private long count;
  private long moved;

  // The row that is held back, if there is one.
  private byte[] waitingBytes = {};
  private boolean isWaiting;

  private final Clustering lastRow = new Clustering();
  private boolean hasLastRow;

  /**
   * @param key of the partition, which must not change
   * @param inOrder takes the rows in order, and has begun the partition; null if the partition
   *     itself is out of order, and so are all of its rows
   * @param remarks receives what was assumed about range tombstones
   */
  DisorderedRows(
      SSTable input,
      PartitionKey key,
      @Nullable SalvagedRows inOrder,
      OutOfOrderRows outOfOrderRows,
      List<String> remarks) {
    this.key = key;
    this.order = new ClusteringComparator(input.header().clusteringTypes());
    this.ranges = new DisorderedRanges(input, key, order, outOfOrderRows, remarks);
    this.inOrder = inOrder;
    this.outOfOrderRows = outOfOrderRows;
    this.waiting =
        new Unfiltered(
            input.encoding(),
            (at, reason) -> new IOException("a copied row is damaged: " + reason));
  }

  /** Reads all cells of a row, see {@link CellCheck}. {@link #add} must follow. */
  void check(Unfiltered unfiltered) throws IOException {
    cells.check(unfiltered);
  }

  /** Returns the number of rows and markers so far. */
  long count() {
    return count;
  }

  /** Adds a row or marker that was {@linkplain #check checked}. */
  void add(Unfiltered next) throws IOException {
    count++;
    if (next.isMarker()) {
      ranges.addMarker(next);
    } else if (next.isStatic()) {
      addStatic(next);
    } else {
      addRow(next);
    }
  }

  private void addStatic(Unfiltered row) throws IOException {
    SalvagedRows rows = inOrder;
    if (rows != null && count == 1) {
      rows.addRow(row);
    } else {
      outOfOrderRows.add(key, row);
      moved++;
    }
  }

  private void addRow(Unfiltered row) throws IOException {
    Clustering at = row.clustering();
    ranges.noteRow(row);
    if (inOrder == null) {
      moved++;
      outOfOrderRows.add(key, row);
      return;
    }
    if (isWaiting && order.compare(waiting.clustering(), at) >= 0) {
      moved++;
      boolean isDuplicate = order.compare(waiting.clustering(), at) == 0;
      if (isDuplicate || (hasLastRow && order.compare(lastRow, at) >= 0)) {
        outOfOrderRows.add(key, row);
        return;
      }
      // The row follows what was written, so the one before is out of order.
      outOfOrderRows.add(key, waiting);
    } else if (isWaiting) {
      writeWaiting();
    } else if (hasLastRow && order.compare(lastRow, at) >= 0) {
      moved++;
      outOfOrderRows.add(key, row);
      return;
    }
    int length = row.end() - row.from();
    if (waitingBytes.length < length) {
      waitingBytes = new byte[Math.max(length, 2 * waitingBytes.length)];
    }
    System.arraycopy(row.bytes(), row.from(), waitingBytes, 0, length);
    waiting.wrap(waitingBytes, 0, length);
    isWaiting = true;
  }

  private void writeWaiting() throws IOException {
    lastRow.copyFrom(waiting.clustering());
    hasLastRow = true;
    Objects.requireNonNull(inOrder).addRow(waiting);
    isWaiting = false;
  }

  /** Begins a gap that cannot be read. */
  void beginGap() throws IOException {
    ranges.beginGap();
  }

  /** Continues after a gap, as {@link DisorderedRanges#endGap}. */
  void endGap(Clustering before, long timestamp, long localTime) {
    ranges.endGap(before, timestamp, localTime);
  }

  /** Ends the partition, and returns how many of its rows were out of order. */
  long end() throws IOException {
    ranges.end();
    if (isWaiting) {
      writeWaiting();
    }
    return moved;
  }
}
