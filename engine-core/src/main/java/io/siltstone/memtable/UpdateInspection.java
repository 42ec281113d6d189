package io.siltstone.memtable;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;

/**
 * Inspects an update completely before it is applied, so that applying it cannot fail halfway. It
 * determines the space that the update may take, and its least and greatest timestamps. Reusable,
 * confined to one thread.
 */
final class UpdateInspection {
  private final boolean clustered;

  private boolean changes;
  private long space;
  private int ranges;
  private long boundBytes;
  private long minTimestamp;
  private long maxTimestamp;
  private long minLocalDeletionTime;

  UpdateInspection(boolean clustered) {
    this.clustered = clustered;
  }

  /**
   * Reads an update.
   *
   * @throws IOException if it is corrupt
   */
  void read(PartitionUpdate update) throws IOException {
    changes = false;
    space = PartitionList.space(update.key().length());
    if (clustered) {
      space += RowList.headSpace();
    }
    ranges = 0;
    boundBytes = 0;
    minTimestamp = Long.MAX_VALUE;
    maxTimestamp = Long.MIN_VALUE;
    minLocalDeletionTime = DeletionTime.NO_DELETION_TIME;
    if (!DeletionTime.isLive(update.deletionTimestamp())) {
      changes = true;
      note(update.deletionTimestamp(), update.deletionLocalTime());
      space += Arena.padded(PartitionState.BYTES);
    }
    PartitionCursor cursor = update.cursor();
    cursor.nextPartition();
    boolean open = false;
    while (cursor.nextUnfiltered()) {
      Unfiltered unfiltered = cursor.unfiltered();
      if (unfiltered.isMarker()) {
        if (unfiltered.clustering().kind().closes() != open) {
          throw unpaired(update);
        }
        open = unfiltered.clustering().kind().opens();
        readMarker(unfiltered);
      } else {
        readRow(unfiltered);
      }
    }
    if (open) {
      throw unpaired(update);
    }
    if (ranges > 0) {
      changes = true;
      space += RangeRuns.space(ranges, boundBytes) + Arena.padded(PartitionState.BYTES);
    }
  }

  private static IOException unpaired(PartitionUpdate update) {
    return new IOException(
        "change of " + update.key() + " has a range tombstone without a start or an end");
  }

  private void readMarker(Unfiltered marker) {
    int length = marker.clustering().prefixLength();
    boundBytes += length;
    note(marker.deletionTimestamp(), marker.deletionLocalTime());
    if (marker.clustering().kind().opens()) {
      ranges++;
    }
    if (marker.clustering().kind().isBoundary()) {
      boundBytes += length;
      note(marker.openTimestamp(), marker.openLocalTime());
    }
  }

  private void readRow(Unfiltered row) throws IOException {
    if (row.isEmpty()) {
      return;
    }
    changes = true;
    int length = row.end() - row.from();
    space += clustered && !row.isStatic() ? RowList.space(length) : RowVersions.space(length);
    if (row.hasLiveness()) {
      note(row.livenessTimestamp(), row.livenessExpirationTime());
    }
    if (row.hasDeletion()) {
      note(row.deletionTimestamp(), row.deletionLocalTime());
    }
    while (row.nextColumn()) {
      if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
        note(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
      }
      while (row.nextCell()) {
        note(row.cellTimestamp(), row.cellLocalDeletionTime());
      }
    }
  }

  private void note(long timestamp, long localDeletionTime) {
    minTimestamp = Math.min(minTimestamp, timestamp);
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    minLocalDeletionTime = Math.min(minLocalDeletionTime, localDeletionTime);
  }

  /** Returns whether it says anything. */
  boolean changes() {
    return changes;
  }

  /**
   * Returns the maximum number of bytes of an arena that it takes, without merged rows, which are
   * optional.
   */
  long space() {
    return space;
  }

  /** Returns the number of range tombstones. */
  int ranges() {
    return ranges;
  }

  /** Returns the number of bytes of the {@link RangeRuns run} of its range tombstones. */
  long runSpace() {
    return RangeRuns.space(ranges, boundBytes);
  }

  long minTimestamp() {
    return minTimestamp;
  }

  long maxTimestamp() {
    return maxTimestamp;
  }

  long minLocalDeletionTime() {
    return minLocalDeletionTime;
  }
}
