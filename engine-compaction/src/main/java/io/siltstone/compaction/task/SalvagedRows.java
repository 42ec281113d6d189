package io.siltstone.compaction.task;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the readable parts of a partition during a scrub: rows and markers in order, and each
 * range tombstone with both of its ends. A range that is open where a gap begins is ended after the
 * last row written; one that is open where the gap ends begins before the next row. Confined to one
 * thread.
 */
final class SalvagedRows {
  private final ClusteringComparator order;
  private final CellCheck cells = new CellCheck();
  private final UnfilteredEncoder encoder;
  private final SSTableWriter writer;
  private final StageCounters.Flow written;
  // A copy of a marker that begins a range, kept until something follows it.
  private final Unfiltered marker;
  private final Clustering last = new Clustering();
  private final Clustering bound = new Clustering();
  private final PartitionKey key = new PartitionKey();
  private final PartitionKey lastWritten = new PartitionKey();

  private long deletionTimestamp;
  private long deletionLocalTime;
  // Whether rows are only checked, and nothing is written.
  private boolean isTrial;
  private boolean isBegun;
  private long count;
  private boolean hasMarker;
  private boolean hasLast;
  private boolean hasStatic;
  private boolean isRangeRead;
  private long rangeReadTimestamp;
  private boolean isRangeWritten;
  private long rangeTimestamp;
  private long rangeLocalTime;

  /**
   * @param input the SSTable that the rows come from
   * @param written counts them
   */
  SalvagedRows(SSTable input, SSTableWriter writer, StageCounters.Flow written) {
    this.order = new ClusteringComparator(input.header().clusteringTypes());
    this.encoder = new UnfilteredEncoder(input.encoding());
    this.marker =
        new Unfiltered(
            input.encoding(),
            (at, reason) -> new IOException("a copied marker is damaged: " + reason));
    this.writer = writer;
    this.written = written;
  }

  /** Thrown for a row or marker that does not fit the previous ones. */
  static final class Misfit extends Exception {
    private static final long serialVersionUID = 1L;

    Misfit(String reason) {
      super(reason, null, false, false);
    }
  }

  /** Returns whether a partition with this key may be written next. */
  boolean canFollow(PartitionKey next) {
    return writer.partitions() == 0 || next.compareTo(lastWritten) > 0;
  }

  /** Begins a partition; it is written as soon as it has content. */
  void begin(PartitionKey next, long timestamp, long localTime) throws IOException {
    begin(next, timestamp, localTime, false);
  }

  /** Begins a partition as {@link #begin}, but writes nothing: a trial whether all of it fits. */
  void beginTrial(PartitionKey next) throws IOException {
    begin(next, DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME, true);
  }

  private void begin(PartitionKey next, long timestamp, long localTime, boolean isOnlyTrial)
      throws IOException {
    isTrial = isOnlyTrial;
    key.copyFrom(next);
    deletionTimestamp = timestamp;
    deletionLocalTime = localTime;
    isBegun = false;
    count = 0;
    hasMarker = false;
    hasLast = false;
    hasStatic = false;
    isRangeRead = false;
    isRangeWritten = false;
    if (!DeletionTime.isLive(timestamp)) {
      beginWriting();
    }
  }

  private void beginWriting() throws IOException {
    if (!isBegun && !isTrial) {
      written.partition(key);
      writer.startPartition(key, deletionTimestamp, deletionLocalTime);
      lastWritten.copyFrom(key);
      isBegun = true;
    }
  }

  /** Returns the key of the partition. */
  PartitionKey key() {
    return key;
  }

  /** Returns the number of rows and markers of the partition so far. */
  long count() {
    return count;
  }

  /** Adds a row or marker that was {@linkplain #checkOrder checked}. */
  void add(Unfiltered unfiltered) throws IOException {
    beginWriting();
    if (hasMarker) {
      hasMarker = false;
      write(marker);
    }
    if (!unfiltered.isMarker()) {
      if (!isTrial) {
        written.rows++;
        writer.add(unfiltered);
      }
    } else {
      isRangeRead = unfiltered.clustering().kind().opens();
      if (isRangeRead) {
        rangeReadTimestamp = unfiltered.openTimestamp();
        keep(
            unfiltered.clustering(),
            unfiltered.deletionTimestamp(),
            unfiltered.deletionLocalTime(),
            unfiltered.openTimestamp(),
            unfiltered.openLocalTime());
      } else {
        write(unfiltered);
      }
    }
    count++;
  }

  /**
   * Adds a row of a partition that {@link DisorderedRows} takes apart; that class checks the order,
   * and adds no markers here.
   */
  void addRow(Unfiltered row) throws IOException {
    beginWriting();
    written.rows++;
    writer.add(row);
    count++;
  }

  /** Reads all cells of a row; see {@link CellCheck}. */
  void checkCells(Unfiltered unfiltered) throws IOException {
    cells.check(unfiltered);
  }

  /** Checks that a row or marker follows the last one added. {@link #add} must follow. */
  void checkOrder(Unfiltered unfiltered) throws Misfit {
    if (unfiltered.isMarker()) {
      if (unfiltered.clustering().kind().closes() != isRangeRead
          || (isRangeRead && unfiltered.deletionTimestamp() != rangeReadTimestamp)) {
        throw new Misfit(
            isRangeRead ? "a range begins within another" : "a range ends that has not begun");
      }
    } else if (unfiltered.isStatic() && (hasLast || hasStatic)) {
      throw new Misfit("a static row follows other rows");
    }
    hasStatic |= unfiltered.isStatic();
    if (!unfiltered.isStatic()) {
      if (hasLast && order.compare(last, unfiltered.clustering()) >= 0) {
        throw new Misfit("a row or marker is not greater than the previous one");
      }
      last.copyFrom(unfiltered.clustering());
      hasLast = true;
    }
  }

  private void keep(
      Clustering at, long timestamp, long localTime, long openTimestamp, long openLocalTime)
      throws IOException {
    encoder.marker(at, timestamp, localTime, openTimestamp, openLocalTime, 0).wrapWith(marker);
    hasMarker = true;
  }

  private void write(Unfiltered of) throws IOException {
    isRangeWritten = of.clustering().kind().opens();
    rangeTimestamp = of.openTimestamp();
    rangeLocalTime = of.openLocalTime();
    if (!isTrial) {
      written.markers++;
      writer.add(of);
    }
  }

  /**
   * Continues after a gap.
   *
   * @param before the clustering of the last row or marker that is known to lie in the gap; null if
   *     none is known
   * @param next the clustering of the first one after the gap
   * @param openTimestamp of the range tombstone that is open at the end of the gap, with its local
   *     time; {@link DeletionTime#NO_TIMESTAMP} if none is
   * @return false if these do not fit what was written; nothing has changed then
   */
  boolean continueAfterGap(
      @Nullable Clustering before, Clustering next, long openTimestamp, long openLocalTime)
      throws IOException {
    boolean isOpen = !DeletionTime.isLive(openTimestamp);
    if (before == null ? !follows(next) : !follows(before) || order.compare(before, next) >= 0) {
      return false;
    }
    copyStart(before, next);
    if (isOpen && (!follows(bound) || order.compare(bound, next) >= 0)) {
      return false;
    }
    endRange();
    isRangeRead = isOpen;
    if (isOpen) {
      rangeReadTimestamp = openTimestamp;
      copyStart(before, next);
      keep(bound, openTimestamp, openLocalTime, openTimestamp, openLocalTime);
    }
    if (before != null) {
      last.copyFrom(before);
      hasLast = true;
    }
    return true;
  }

  private boolean follows(Clustering clustering) {
    return !hasLast || order.compare(last, clustering) < 0;
  }

  /** Makes the bound the start of a range directly after a clustering, or else before another. */
  private void copyStart(@Nullable Clustering before, Clustering next) {
    if (before == null) {
      bound.copyFrom(next, ClusteringKind.INCL_START_BOUND);
    } else {
      bound.copyFrom(
          before,
          isBeforeRows(before) ? ClusteringKind.INCL_START_BOUND : ClusteringKind.EXCL_START_BOUND);
    }
  }

  /** Returns whether no row or marker was read of the partition, except perhaps its static row. */
  boolean isAtFirst() {
    return !hasLast;
  }

  private static boolean isBeforeRows(Clustering clustering) {
    return clustering.kind().comparedToClustering() < 0;
  }

  /** Ends the range that is open where a gap begins, if there is one. */
  private void endRange() throws IOException {
    if (!isRangeWritten) {
      hasMarker = false;
      return;
    }
    // Either a waiting marker ends it and begins another, of which nothing is known, or a row was
    // written last.
    Clustering at = hasMarker ? marker.clustering() : last;
    bound.copyFrom(
        at, isBeforeRows(at) ? ClusteringKind.EXCL_END_BOUND : ClusteringKind.INCL_END_BOUND);
    keep(bound, rangeTimestamp, rangeLocalTime, rangeTimestamp, rangeLocalTime);
    hasMarker = false;
    write(marker);
  }

  /**
   * Checks that the partition is complete.
   *
   * @throws Misfit if a range has no end
   */
  void requireWhole() throws Misfit {
    if (isRangeRead) {
      throw new Misfit("the partition ends within a range");
    }
  }

  /** Ends the partition, if anything of it was written. */
  void end() throws IOException {
    if (isBegun) {
      endRange();
      writer.endPartition();
    }
  }
}
