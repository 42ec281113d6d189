package io.siltstone.compaction.task;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
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
 * <p><b>Rows.</b> Those that follow one another are written where they are; the others go to {@link
 * OutOfOrderRows}. A row waits until the next one is there: if 9 stands in 1 2 9 3 4, then 9 is the
 * one that is late, not all that follow it.
 *
 * <p><b>Range tombstones.</b> Both ends of a range are needed to write it, so all ranges of such a
 * partition go to {@link OutOfOrderRows}, as whole ranges. A marker that is missing, or lies where
 * it cannot be, belongs somewhere between its neighbours in the file. The range then reaches as far
 * as nothing contradicts, so that no deletion is lost and no row of the file is deleted by the
 * mending:
 *
 * <ul>
 *   <li>A range without an end reaches to the next marker that opens a range, or to the end of the
 *       partition; but not over a row with something that it would delete, since whoever wrote the
 *       file would have left that out.
 *   <li>A range without a beginning begins after the marker before it, or with the partition; but
 *       if a row in between has something that it would delete, after the last row before its end.
 *   <li>A range with both ends, either of which lies out of order, is kept as it stands. But if
 *       rows before its beginning in the file have something that it could delete, it begins after
 *       what stands before it in the file, provided that it ends after that.
 *   <li>An end that lies before its beginning is taken to be directly before what stands after it
 *       in the file.
 * </ul>
 *
 * <p>Each of these assumptions is reported.
 */
final class DisorderedRows {
  /**
   * The most assumptions that are reported of one partition; a file may have as many assumptions as
   * it has markers.
   */
  private static final int MOST_REPORTED = 10;

  private final SSTable input;
  private final ClusteringComparator order;
  private final OutOfOrderRows late;
  private final List<String> remarks;
  private final KeyText keyText;
  private final Unfiltered waiting;

  private final @Nullable SalvagedRows inOrder;
  private final PartitionKey key;
  private final CellCheck cells = new CellCheck();
  private long count;
  private int reported;
  private long moved;

  // The row that waits; whether there is one.
  private byte[] waitingBytes = {};
  private boolean isWaiting;
  private final Clustering lastRow = new Clustering();
  private boolean hasLastRow;

  // The greatest row or marker so far whose place in the order is believed.
  private final Clustering reference = new Clustering();
  private final Clustering bound = new Clustering();
  private boolean hasReference;
  // The last marker whose place is believed.
  private final Clustering lastMarker = new Clustering();
  private boolean hasLastMarker;
  // The least timestamp of the rows since the last marker.
  private long leastSinceMarker = Long.MAX_VALUE;
  // The least timestamp of all rows so far.
  private long leastSoFar = Long.MAX_VALUE;

  // The range that is open.
  private boolean isOpen;
  private final Clustering start = new Clustering();
  // If that lies out of order: directly after what stands before it in the file.
  private final Clustering otherStart = new Clustering();
  private boolean isStartDoubted;
  private boolean isContradictedBefore;
  private long openTimestamp;
  private long openLocalTime;
  // The first row within it with something that it would delete.
  private final Clustering contradiction = new Clustering();
  private boolean hasContradiction;
  // Its end was read, but not where it lies: directly before what comes next.
  private boolean isEndAwaited;

  /**
   * @param key of the partition; not changed meanwhile
   * @param inOrder takes the rows that follow one another, and has begun the partition; null if all
   *     rows are late, as the partition itself is out of order
   * @param remarks is told of what was assumed
   */
  DisorderedRows(
      SSTable input,
      PartitionKey key,
      @Nullable SalvagedRows inOrder,
      OutOfOrderRows late,
      List<String> remarks) {
    this.input = input;
    this.key = key;
    this.order = new ClusteringComparator(input.header().clusteringTypes());
    this.inOrder = inOrder;
    this.late = late;
    this.remarks = remarks;
    this.keyText = new KeyText(input);
    this.waiting =
        new Unfiltered(
            input.encoding(),
            (at, reason) -> new IOException("a row that was copied is damaged: " + reason));
  }

  /** Reads all cells of a row, so that no writer will stumble. {@link #add} follows. */
  void check(Unfiltered unfiltered) throws IOException {
    cells.check(unfiltered);
  }

  /** Rows and markers so far. */
  long count() {
    return count;
  }

  /** Adds a row or marker that was {@linkplain #check checked}. */
  void add(Unfiltered next) throws IOException {
    count++;
    if (next.isMarker()) {
      addMarker(next);
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
      late.add(key, row);
      moved++;
    }
  }

  private void addRow(Unfiltered row) throws IOException {
    Clustering at = row.clustering();
    noteRow(row);
    if (inOrder == null) {
      moved++;
      late.add(key, row);
      return;
    }
    if (isWaiting && order.compare(waiting.clustering(), at) >= 0) {
      moved++;
      boolean isDuplicate = order.compare(waiting.clustering(), at) == 0;
      if (isDuplicate || (hasLastRow && order.compare(lastRow, at) >= 0)) {
        late.add(key, row);
        return;
      }
      // It follows what was written, so it is the row before that does not fit.
      late.add(key, waiting);
    } else if (isWaiting) {
      writeWaiting();
    } else if (hasLastRow && order.compare(lastRow, at) >= 0) {
      moved++;
      late.add(key, row);
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

  /** Takes note of what a row says of the ranges around it. */
  private void noteRow(Unfiltered row) throws IOException {
    Clustering at = row.clustering();
    boolean isInOrder = !hasReference || order.compare(reference, at) < 0;
    if (isInOrder) {
      if (isEndAwaited) {
        endAt(at, ClusteringKind.EXCL_END_BOUND);
      }
      refer(at);
    }
    long least = leastTimestamp(row);
    leastSinceMarker = Math.min(leastSinceMarker, least);
    leastSoFar = Math.min(leastSoFar, least);
    if (isOpen && !hasContradiction && isInOrder && least <= openTimestamp) {
      contradiction.copyFrom(at);
      hasContradiction = true;
    }
  }

  private void refer(Clustering at) {
    reference.copyFrom(at);
    hasReference = true;
  }

  /** The least timestamp of all that a row has; a deletion removes what is not later. */
  private static long leastTimestamp(Unfiltered row) throws IOException {
    long least = Long.MAX_VALUE;
    if (row.hasLiveness()) {
      least = row.livenessTimestamp();
    }
    if (row.hasDeletion()) {
      least = Math.min(least, row.deletionTimestamp());
    }
    row.rewind();
    while (row.nextColumn()) {
      if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
        least = Math.min(least, row.complexDeletionTimestamp());
      }
      while (row.nextCell()) {
        least = Math.min(least, row.cellTimestamp());
      }
    }
    row.rewind();
    return least;
  }

  private void addMarker(Unfiltered marker) throws IOException {
    Clustering at = marker.clustering();
    boolean isInOrder = !hasReference || order.compare(reference, at) < 0;
    if (isEndAwaited) {
      if (isInOrder) {
        endAt(at, at.kind().endBound());
      } else {
        endBehindReference();
      }
    }
    if (at.kind().closes()) {
      close(at, isInOrder, marker.deletionTimestamp(), marker.deletionLocalTime());
    }
    if (at.kind().opens()) {
      open(at, isInOrder, marker.openTimestamp(), marker.openLocalTime());
    }
    if (isInOrder) {
      refer(at);
    }
    hasLastMarker = hasReference;
    if (hasReference) {
      lastMarker.copyFrom(reference);
    }
    leastSinceMarker = Long.MAX_VALUE;
  }

  private void open(Clustering at, boolean isInOrder, long timestamp, long localTime)
      throws IOException {
    if (isOpen) {
      remark(openTimestamp, "has no end, and is taken to end " + limit("where another begins"));
      if (hasContradiction) {
        endAt(contradiction, ClusteringKind.EXCL_END_BOUND);
      } else if (isInOrder) {
        endAt(at, at.kind().endBound());
      } else {
        endBehindReference();
      }
    }
    start.copyFrom(at, at.kind().startBound());
    isStartDoubted = !isInOrder;
    if (isStartDoubted) {
      startBehind(otherStart, reference);
      isContradictedBefore = leastSoFar <= timestamp;
    }
    isOpen = true;
    isEndAwaited = false;
    hasContradiction = false;
    openTimestamp = timestamp;
    openLocalTime = localTime;
  }

  private String limit(String otherwise) {
    return hasContradiction ? "before the first row that it would have deleted" : otherwise;
  }

  private void close(Clustering at, boolean isInOrder, long timestamp, long localTime)
      throws IOException {
    if (isOpen && timestamp == openTimestamp) {
      bound.copyFrom(at, at.kind().endBound());
      if (isInOrder || order.compare(start, bound) < 0) {
        if (!isInOrder && !isStartDoubted) {
          remark(timestamp, "ends out of order, and is kept as it stands");
        }
        endAt(at, at.kind().endBound());
      } else {
        remark(
            timestamp,
            "ends out of order, and is taken to end before what stands after it in the file");
        isEndAwaited = true;
        // A boundary begins the next range at the same unknown place.
        if (at.kind().isBoundary()) {
          endBehindReference();
        }
      }
      return;
    }
    if (isOpen) {
      remark(openTimestamp, "has no end, and is taken to end " + limit("where another ends"));
      if (hasContradiction) {
        endAt(contradiction, ClusteringKind.EXCL_END_BOUND);
      } else if (isInOrder) {
        endAt(at, at.kind().endBound());
      } else {
        endBehindReference();
      }
    }
    closeWithoutStart(at, isInOrder, timestamp, localTime);
  }

  private void closeWithoutStart(Clustering at, boolean isInOrder, long timestamp, long localTime)
      throws IOException {
    if (!isInOrder) {
      remark(timestamp, "has no beginning and ends out of order, and is lost");
      return;
    }
    boolean isContradicted = leastSinceMarker <= timestamp;
    remark(
        timestamp,
        "has no beginning, and is taken to begin "
            + (isContradicted
                ? "after the row before its end"
                : hasLastMarker ? "after the marker before it" : "with the partition"));
    isStartDoubted = false;
    if (isContradicted && hasReference) {
      startBehind(start, reference);
    } else if (hasLastMarker) {
      startBehind(start, lastMarker);
    } else {
      start.copyFrom(new Clustering(), ClusteringKind.INCL_START_BOUND);
    }
    openTimestamp = timestamp;
    openLocalTime = localTime;
    endAt(at, at.kind().endBound());
  }

  private static void startBehind(Clustering target, Clustering at) {
    target.copyFrom(
        at,
        at.kind().comparedToClustering() < 0
            ? ClusteringKind.INCL_START_BOUND
            : ClusteringKind.EXCL_START_BOUND);
  }

  private void endBehindReference() throws IOException {
    endAt(
        reference,
        reference.kind().comparedToClustering() < 0
            ? ClusteringKind.EXCL_END_BOUND
            : ClusteringKind.INCL_END_BOUND);
  }

  /** Ends the open range at the place of a row or marker. */
  private void endAt(Clustering at, ClusteringKind kind) throws IOException {
    Clustering end = new Clustering();
    end.copyFrom(at, kind);
    isOpen = false;
    isEndAwaited = false;
    hasContradiction = false;
    if (isStartDoubted) {
      boolean isMoved = isContradictedBefore && order.compare(otherStart, end) < 0;
      remark(
          openTimestamp,
          "begins out of order, and is "
              + (isMoved
                  ? "taken to begin after what stands before it in the file"
                  : "kept as it stands"));
      if (isMoved) {
        start.copyFrom(otherStart);
      }
      isStartDoubted = false;
    }
    if (!late.addRange(key, start, end, openTimestamp, openLocalTime)) {
      remark(openTimestamp, "has nothing between its ends, and is lost");
    }
  }

  /**
   * A part of the partition cannot be read: what is open before it is known to reach up to here.
   */
  void beginGap() throws IOException {
    if (isOpen && hasReference) {
      endBehindReference();
    }
    isOpen = false;
    isEndAwaited = false;
    hasLastMarker = hasReference;
    lastMarker.copyFrom(reference);
  }

  /**
   * Goes on after a part that cannot be read.
   *
   * @param before the last row or marker that is known to lie in it
   * @param timestamp of the range tombstone that is open at its end, or {@link
   *     DeletionTime#NO_TIMESTAMP}
   */
  void endGap(Clustering before, long timestamp, long localTime) {
    if (!hasReference || order.compare(reference, before) < 0) {
      refer(before);
    }
    hasLastMarker = true;
    lastMarker.copyFrom(reference);
    leastSinceMarker = Long.MAX_VALUE;
    if (!DeletionTime.isLive(timestamp)) {
      startBehind(start, reference);
      isStartDoubted = false;
      isOpen = true;
      hasContradiction = false;
      openTimestamp = timestamp;
      openLocalTime = localTime;
    }
  }

  /** Ends the partition; returns how many of its rows did not lie where they belong. */
  long end() throws IOException {
    if (isOpen) {
      if (!isEndAwaited) {
        remark(openTimestamp, "has no end, and is taken to end " + limit("with the partition"));
      }
      if (hasContradiction && !isEndAwaited) {
        endAt(contradiction, ClusteringKind.EXCL_END_BOUND);
      } else {
        endAt(new Clustering(), ClusteringKind.INCL_END_BOUND);
      }
    }
    if (isWaiting) {
      writeWaiting();
    }
    if (reported > MOST_REPORTED) {
      remarks.add(
          input
              + ": "
              + (reported - MOST_REPORTED)
              + " more range tombstones of "
              + keyText.of(key)
              + " do not pair, and were mended by the same rules");
    }
    return moved;
  }

  private void remark(long timestamp, String what) {
    reported++;
    if (reported <= MOST_REPORTED) {
      remarks.add(
          input
              + ": a range tombstone of "
              + keyText.of(key)
              + " with timestamp "
              + timestamp
              + " "
              + what);
    }
  }
}
