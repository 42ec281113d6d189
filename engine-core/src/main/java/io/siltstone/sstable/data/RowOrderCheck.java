package io.siltstone.sstable.data;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;

/**
 * Checks the clustering order of the rows and range tombstones that a {@link DataCursor} moves
 * over: they ascend, none occurs twice, and each range tombstone that begins ends, with the same
 * timestamp, before the next begins.
 *
 * <p>Confined to one thread. Nothing is allocated per row.
 */
final class RowOrderCheck {
  /** The end of each message about a wrong order. */
  static final String REMEDY = "; scrub writes such an SSTable in order";

  /** Whether a range tombstone is open at the current position. */
  private enum Range {
    /** The cursor has not come here from the beginning of the partition. */
    UNKNOWN,
    NONE,
    OPEN,
    /** A range tombstone is open, and the timestamp of its start was read. */
    OPEN_KNOWN
  }

  private final ByteWindow window;
  private final ClusteringComparator comparator;
  private final Unfiltered unfiltered;

  // The row or marker that was moved over last, to compare the next one with; not the static row.
  // It is a view of the window as long as the window does not move, and is copied before the window
  // moves: once per window, rather than once per row.
  private Clustering previous = new Clustering();
  private final Clustering previousCopy = new Clustering();
  private boolean hasPrevious;
  private Range range = Range.NONE;
  private long openTimestamp;

  /**
   * Creates a check.
   *
   * @param window of the cursor
   * @param unfiltered the row or marker of the cursor
   */
  RowOrderCheck(ByteWindow window, ClusteringComparator comparator, Unfiltered unfiltered) {
    this.window = window;
    this.comparator = comparator;
    this.unfiltered = unfiltered;
  }

  /** Begins with the first row or marker of a partition. */
  void beginPartition() {
    hasPrevious = false;
    range = Range.NONE;
  }

  /** Begins with any row or marker of a partition; a range tombstone may be open there. */
  void beginWithinPartition() {
    hasPrevious = false;
    range = Range.UNKNOWN;
  }

  /** Returns whether the clustering is that of the row or marker that was moved over last. */
  boolean isPrevious(Clustering clustering) {
    return previous == clustering;
  }

  /** Copies the clustering that the next row is compared with, before the window moves. */
  void keepPrevious() {
    if (hasPrevious && previous != previousCopy) {
      previousCopy.copyFrom(previous);
      previous = previousCopy;
    }
  }

  /**
   * Compares a row or marker whose head has been read with the one before.
   *
   * @param key of the partition
   * @param position of the row or marker in the uncompressed file
   */
  void check(PartitionKey key, long position) throws IOException {
    if (unfiltered.isStatic()) {
      throw window.outOfOrder(position, "a static row among rows" + REMEDY);
    }
    Clustering clustering = unfiltered.clustering();
    if (hasPrevious) {
      int compared = comparator.compare(previous, clustering);
      if (compared >= 0) {
        throw window.outOfOrder(
            position,
            (compared == 0
                    ? "a row or marker of " + key + " is there twice"
                    : "rows of " + key + " are out of order")
                + REMEDY);
      }
    }
    if (unfiltered.isMarker() && range != Range.UNKNOWN) {
      ClusteringKind kind = clustering.kind();
      if (kind.closes() != isOpen()) {
        throw window.outOfOrder(
            position,
            "a "
                + kind
                + (isOpen() ? " within a range" : " outside of a range")
                + " of "
                + key
                + REMEDY);
      }
    }
  }

  /** Checks at the end of a partition that no range tombstone is open. */
  void checkEnd(PartitionKey key) throws IOException {
    if (isOpen()) {
      throw window.outOfOrder(
          window.position(), "a range tombstone of " + key + " has no end" + REMEDY);
    }
  }

  /**
   * Records that the cursor moves over the row or marker, which is not static.
   *
   * @param isRead whether all of it has been read, rather than its head only
   */
  void note(PartitionKey key, long position, boolean isRead) throws IOException {
    previous = unfiltered.clustering();
    hasPrevious = true;
    if (unfiltered.isMarker()) {
      noteMarker(key, position, isRead);
    }
  }

  private void noteMarker(PartitionKey key, long position, boolean isRead) throws IOException {
    ClusteringKind kind = unfiltered.clustering().kind();
    if (isRead
        && range == Range.OPEN_KNOWN
        && kind.closes()
        && unfiltered.deletionTimestamp() != openTimestamp) {
      throw window.outOfOrder(
          position,
          "a range tombstone of "
              + key
              + " begins with timestamp "
              + openTimestamp
              + " and ends with "
              + unfiltered.deletionTimestamp()
              + REMEDY);
    }
    if (!kind.opens()) {
      range = Range.NONE;
    } else if (isRead) {
      range = Range.OPEN_KNOWN;
      openTimestamp = unfiltered.openTimestamp();
    } else {
      range = Range.OPEN;
    }
  }

  private boolean isOpen() {
    return range == Range.OPEN || range == Range.OPEN_KNOWN;
  }
}
