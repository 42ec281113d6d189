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

/**
 * Mends the range tombstones of a partition whose rows or markers are out of order. Confined to one
 * thread.
 *
 * <p>Both ends of a range are needed to write it, so all ranges of the partition go to {@link
 * OutOfOrderRows} as whole ranges. A marker that is missing, or lies where it cannot be, belongs
 * somewhere between its neighbors in the file. The range then reaches as far as nothing
 * contradicts, so that no deletion is lost, and no row of the file is deleted by the mending:
 *
 * <ul>
 *   <li>A range without an end reaches to the next marker that opens a range, or to the end of the
 *       partition. But it does not reach over a row with data that it would delete, since the
 *       writer of the file would have left that data out.
 *   <li>A range without a beginning begins after the marker before it, or with the partition. But
 *       if a row in between has data that it would delete, it begins after the last row before its
 *       end.
 *   <li>A range with both ends, one of which is out of order, is kept unchanged. But if rows before
 *       its beginning in the file have data that it could delete, it begins after the row or marker
 *       before it in the file, provided that it ends after that.
 *   <li>An end that is less than its beginning is assumed to lie directly before the next row or
 *       marker in the file.
 * </ul>
 *
 * <p>Each of these assumptions is reported.
 */
final class DisorderedRanges {
  /** The greatest number of assumptions reported for one partition, which may have many markers. */
  private static final int MAX_REMARKS = 10;

  private final SSTable input;
  private final PartitionKey key;
  private final ClusteringComparator order;
  private final OutOfOrderRows outOfOrderRows;
  private final List<String> remarks;
  private final KeyText keyText;
  private int assumptions;

  // The greatest row or marker so far whose place in the order is trusted.
  private final Clustering reference = new Clustering();
  private boolean hasReference;

  // The last marker whose place is trusted.
  private final Clustering lastMarker = new Clustering();
  private boolean hasLastMarker;

  // The least timestamp of the rows since the last marker, and of all rows so far.
  private long leastSinceMarker = Long.MAX_VALUE;
  private long leastSoFar = Long.MAX_VALUE;

  // The open range.
  private boolean isOpen;
  private final Clustering start = new Clustering();
  private long openTimestamp;
  private long openLocalTime;

  // If the start is out of order: the place directly after the previous row or marker in the file.
  private final Clustering otherStart = new Clustering();
  private boolean isStartDoubted;
  private boolean isContradictedBefore;

  // The first row within the range with data that it would delete.
  private final Clustering contradiction = new Clustering();
  private boolean hasContradiction;

  // The end was read out of order, and lies directly before the next row or marker.
  private boolean isEndAwaited;

  private final Clustering bound = new Clustering();

  /**
   * @param key of the partition, which must not change
   * @param outOfOrderRows takes the ranges
   * @param remarks receives the assumptions
   */
  DisorderedRanges(
      SSTable input,
      PartitionKey key,
      ClusteringComparator order,
      OutOfOrderRows outOfOrderRows,
      List<String> remarks) {
    this.input = input;
    this.key = key;
    this.order = order;
    this.outOfOrderRows = outOfOrderRows;
    this.remarks = remarks;
    this.keyText = new KeyText(input);
  }

  /** Notes the place and the timestamps of a row, which limit the ranges around it. */
  void noteRow(Unfiltered row) throws IOException {
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

  /** Returns the least timestamp of all data of a row; a deletion removes what is not later. */
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

  /** Adds a marker. */
  void addMarker(Unfiltered marker) throws IOException {
    Clustering at = marker.clustering();
    boolean isInOrder = !hasReference || order.compare(reference, at) < 0;
    if (isEndAwaited) {
      if (isInOrder) {
        endAt(at, at.kind().endBound());
      } else {
        endAfterReference();
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
      remark(openTimestamp, "has no end, and is assumed to end " + limit("where another begins"));
      if (hasContradiction) {
        endAt(contradiction, ClusteringKind.EXCL_END_BOUND);
      } else if (isInOrder) {
        endAt(at, at.kind().endBound());
      } else {
        endAfterReference();
      }
    }
    start.copyFrom(at, at.kind().startBound());
    isStartDoubted = !isInOrder;
    if (isStartDoubted) {
      startAfter(otherStart, reference);
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
          remark(timestamp, "ends out of order, and is kept unchanged");
        }
        endAt(at, at.kind().endBound());
      } else {
        remark(
            timestamp,
            "ends out of order, and is assumed to end before the next row or marker in the file");
        isEndAwaited = true;
        // A boundary begins the next range at the same unknown place.
        if (at.kind().isBoundary()) {
          endAfterReference();
        }
      }
      return;
    }
    if (isOpen) {
      remark(openTimestamp, "has no end, and is assumed to end " + limit("where another ends"));
      if (hasContradiction) {
        endAt(contradiction, ClusteringKind.EXCL_END_BOUND);
      } else if (isInOrder) {
        endAt(at, at.kind().endBound());
      } else {
        endAfterReference();
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
        "has no beginning, and is assumed to begin "
            + (isContradicted
                ? "after the row before its end"
                : hasLastMarker ? "after the marker before it" : "with the partition"));
    isStartDoubted = false;
    if (isContradicted && hasReference) {
      startAfter(start, reference);
    } else if (hasLastMarker) {
      startAfter(start, lastMarker);
    } else {
      start.copyFrom(new Clustering(), ClusteringKind.INCL_START_BOUND);
    }
    openTimestamp = timestamp;
    openLocalTime = localTime;
    endAt(at, at.kind().endBound());
  }

  private static void startAfter(Clustering target, Clustering at) {
    target.copyFrom(
        at,
        at.kind().comparedToClustering() < 0
            ? ClusteringKind.INCL_START_BOUND
            : ClusteringKind.EXCL_START_BOUND);
  }

  private void endAfterReference() throws IOException {
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
                  ? "assumed to begin after the previous row or marker in the file"
                  : "kept unchanged"));
      if (isMoved) {
        start.copyFrom(otherStart);
      }
      isStartDoubted = false;
    }
    if (!outOfOrderRows.addRange(key, start, end, openTimestamp, openLocalTime)) {
      remark(openTimestamp, "is empty, and is lost");
    }
  }

  /** Begins a gap that cannot be read: an open range is known to reach up to here. */
  void beginGap() throws IOException {
    if (isOpen && hasReference) {
      endAfterReference();
    }
    isOpen = false;
    isEndAwaited = false;
    hasLastMarker = hasReference;
    lastMarker.copyFrom(reference);
  }

  /**
   * Continues after a gap.
   *
   * @param before the last row or marker that is known to lie in the gap
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
      startAfter(start, reference);
      isStartDoubted = false;
      isOpen = true;
      hasContradiction = false;
      openTimestamp = timestamp;
      openLocalTime = localTime;
    }
  }

  /** Ends the partition and the range that is still open. */
  void end() throws IOException {
    if (isOpen) {
      if (!isEndAwaited) {
        remark(openTimestamp, "has no end, and is assumed to end " + limit("with the partition"));
      }
      if (hasContradiction && !isEndAwaited) {
        endAt(contradiction, ClusteringKind.EXCL_END_BOUND);
      } else {
        endAt(new Clustering(), ClusteringKind.INCL_END_BOUND);
      }
    }
    if (assumptions > MAX_REMARKS) {
      remarks.add(
          input
              + ": "
              + (assumptions - MAX_REMARKS)
              + " more range tombstones of "
              + keyText.of(key)
              + " have no counterpart or are out of order, and were mended by the same rules");
    }
  }

  private void remark(long timestamp, String what) {
    assumptions++;
    if (assumptions <= MAX_REMARKS) {
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
