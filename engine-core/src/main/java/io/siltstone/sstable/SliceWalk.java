package io.siltstone.sstable;

import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodedUnfiltered;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Walks the rows and markers of slices of one partition, forward or backward.
 *
 * <p>A range tombstone that reaches into a slice is cut to the slice: markers are created at the
 * slice's bounds. Confined to one thread, reusable.
 */
abstract class SliceWalk {
  final DataCursor data;
  final BlockIndex blocks;
  final ClusteringComparator comparator;
  private final SSTable table;
  private final UnfilteredEncoder markerEncoder;
  private final Unfiltered marker;
  private boolean showMarker;

  private @Nullable List<Slice> slices;

  // The range tombstone that is open at the current position, in the direction of the walk.
  private long openTimestamp;
  private long openLocalTime;
  // Whether the open range is known from an index block: the next marker has to agree.
  private boolean openIsClaimed;

  // Where the first row or marker of the partition is, from the partition's beginning.
  private long firstRow;

  SliceWalk(SSTable table, DataCursor data, BlockIndex blocks) {
    this.table = table;
    this.data = data;
    this.blocks = blocks;
    this.comparator = new ClusteringComparator(table.encoding().header().clusteringTypes());
    this.markerEncoder = new UnfilteredEncoder(table.encoding());
    this.marker =
        new Unfiltered(
            table.encoding(),
            new ByteOrigin() {
              @Override
              public IOException corrupt(int index, String reason) {
                return new IOException("a marker made for a slice is wrong: " + reason);
              }
            });
  }

  /**
   * Begins a walk; the data is at the first row of the partition, and the blocks are those of the
   * partition.
   *
   * @param of slices in clustering order, not overlapping
   */
  final void begin(List<Slice> of) {
    turnTo(of);
  }

  /** Ends the walk, and releases the slices. */
  final void end() {
    turnTo(null);
  }

  private void turnTo(@Nullable List<Slice> of) {
    slices = of;
    closeAll();
    showMarker = false;
    firstRow = data.position() - data.partitionPosition();
    begin();
  }

  abstract void begin();

  /** Returns the offset of the first row or marker from the partition's beginning. */
  final long firstRow() {
    return firstRow;
  }

  final int sliceCount() {
    List<Slice> present = slices;
    return present == null ? 0 : present.size();
  }

  final Slice slice(int index) {
    return Objects.requireNonNull(slices).get(index);
  }

  /** Moves to the next row or marker; returns false after the last. */
  final boolean next() throws IOException {
    showMarker = false;
    return advance();
  }

  /**
   * Moves to the next row or marker of the data, or calls {@link #show}; returns false at the end.
   */
  abstract boolean advance() throws IOException;

  final Unfiltered unfiltered() {
    return showMarker ? marker : data.unfiltered();
  }

  final boolean isOpen() {
    return !DeletionTime.isLive(openTimestamp);
  }

  /** Shows a marker at a slice's bound, for the range tombstone that is open there. */
  final void show(Clustering bound) throws IOException {
    EncodedUnfiltered encoded;
    try {
      encoded = markerEncoder.marker(bound, openTimestamp, openLocalTime, 0, 0, 0);
    } catch (IllegalArgumentException e) {
      throw openIsClaimed
          ? blockCorrupt(String.valueOf(e.getMessage()))
          : table.dataCorrupt(data.partitionPosition(), String.valueOf(e.getMessage()));
    }
    encoded.wrapWith(marker);
    showMarker = true;
  }

  final void closeAll() {
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    openIsClaimed = false;
  }

  /** Sets that no range is open, according to the block after the current one. */
  final void openNone() {
    closeAll();
    openIsClaimed = true;
  }

  /** Sets the range that is open where the current block begins. */
  final void openBefore() throws IOException {
    closeAll();
    blocks.readOpen();
    openTimestamp = blocks.openTimestamp();
    openLocalTime = blocks.openLocalTime();
    openIsClaimed = !blocks.isFirst();
    StatsMetadata stats = table.statistics().stats();
    if (isOpen()
        && (openTimestamp < stats.minTimestamp() || openTimestamp > stats.maxTimestamp())) {
      // The statistics are checked, as they can refute it before the next marker does.
      throw blockCorrupt(
          "a range tombstone of timestamp "
              + openTimestamp
              + " is said to be open before "
              + blocks.name()
              + ", the table's are from "
              + stats.minTimestamp()
              + " to "
              + stats.maxTimestamp());
    }
  }

  /**
   * Moves to the first row or marker of the current block, and checks that it is the one that the
   * block names, because an index has no checksum. {@link DataCursor#peek()} has been called then.
   */
  final void enter() throws IOException {
    long offset = blocks.offset();
    if (blocks.isFirst() && offset != firstRow) {
      throw blockCorrupt(
          "the first block is said to begin at offset "
              + offset
              + ", the first row is at "
              + firstRow);
    }
    boolean isThere;
    try {
      data.seekWithinPartition(offset);
      isThere = data.peek();
    } catch (CorruptSSTableException e) {
      if (e.isOfChecksum()) {
        throw e;
      }
      throw blockCorrupt(blocks.name() + " is said to begin where no row does: " + e.reason());
    }
    String wrong =
        isThere
            ? blocks.beginsWith(data.unfiltered().clustering())
            : "begins with another row than is said";
    if (wrong != null) {
      throw blockCorrupt(blocks.name() + " " + wrong);
    }
  }

  /**
   * Checks that all rows and markers before the current block, which has been {@linkplain #enter
   * entered}, are before a bound. If the index has no clusterings, the data has to show it: by the
   * first row or marker of the block, or else by the one before it.
   *
   * @param orEqual whether they may also be equal to the bound
   */
  final void checkBefore(Clustering bound, boolean orEqual) throws IOException {
    long offset = blocks.offset();
    if (blocks.hasClusterings() || offset == firstRow || isBefore(bound, orEqual)) {
      return;
    }
    boolean isBefore;
    try {
      data.read();
      data.seekWithinPartition(offset - data.unfiltered().previousSize());
      isBefore = data.peek() && isBefore(bound, orEqual);
    } catch (CorruptSSTableException e) {
      if (e.isOfChecksum()) {
        throw e;
      }
      isBefore = false;
    }
    if (!isBefore) {
      throw blockCorrupt(blocks.name() + " begins after rows that are looked for");
    }
    enter();
  }

  private boolean isBefore(Clustering bound, boolean orEqual) {
    int compared = comparator.compare(data.unfiltered().clustering(), bound);
    return compared < 0 || (orEqual && compared == 0);
  }

  /**
   * Checks that a peeked row or marker is not after the last one of its block: a misplaced one
   * would end a walk early, and the requested rows would seem to be absent.
   *
   * @param ordinal of the block that contains it, or after which it is the first
   */
  final void checkLast(long ordinal) throws IOException {
    long offset = data.unfilteredPosition() - data.partitionPosition();
    String wrong = blocks.misplaced(ordinal, offset, data.unfiltered().clustering());
    if (wrong != null) {
      throw blockCorrupt(wrong + ", at " + data.unfilteredPosition() + " of the data");
    }
  }

  final CorruptSSTableException blockCorrupt(String reason) {
    return table.blocksCorrupt(blocks.position(), "index of " + data.key() + ": " + reason);
  }

  /** Records a row or marker that the walk has passed forward. */
  final void noteForward() throws IOException {
    Unfiltered unfiltered = data.unfiltered();
    if (unfiltered.isMarker()) {
      if (openIsClaimed) {
        proveOpen(unfiltered);
      }
      boolean opens = unfiltered.clustering().kind().opens();
      openTimestamp = opens ? unfiltered.openTimestamp() : DeletionTime.NO_TIMESTAMP;
      openLocalTime = unfiltered.openLocalTime();
    }
  }

  /**
   * Checks the open range of an index block: the first marker of the walk must end it, or begin one
   * if none is open.
   */
  private void proveOpen(Unfiltered marker) throws IOException {
    boolean closes = marker.clustering().kind().closes();
    boolean agrees =
        closes == isOpen()
            && (!closes
                || (marker.deletionTimestamp() == openTimestamp
                    && DeletionTimes.isSame(
                        table.descriptor().version(), marker.deletionLocalTime(), openLocalTime)));
    if (!agrees) {
      throw blockCorrupt("another range tombstone is open at the end of a block than is said");
    }
    openIsClaimed = false;
  }

  /** Records a row or marker that the walk has passed backward. */
  final void noteReversed() {
    Unfiltered unfiltered = data.unfiltered();
    if (unfiltered.isMarker()) {
      boolean closes = unfiltered.clustering().kind().closes();
      openTimestamp = closes ? unfiltered.deletionTimestamp() : DeletionTime.NO_TIMESTAMP;
      openLocalTime = unfiltered.deletionLocalTime();
    }
  }

  /** Passes over a peeked row or marker, forward; markers are recorded. */
  final void pass() throws IOException {
    if (data.unfiltered().isMarker()) {
      data.read();
      noteForward();
    } else {
      data.pass();
    }
  }

  final IOException leftOpen() {
    if (openIsClaimed) {
      return blockCorrupt("a range tombstone that has no end is said to be open before a block");
    }
    return table.dataCorrupt(
        data.partitionPosition(), "a range tombstone of " + data.key() + " has no end");
  }
}
