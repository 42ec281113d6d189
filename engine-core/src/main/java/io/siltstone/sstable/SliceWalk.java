package io.siltstone.sstable;

import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodedUnfiltered;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.format.CorruptSSTableException;
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
  final IndexBlocks blocks;
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

  // The end of the block before the one to be entered, if that block was read.
  private final Clustering endBefore = new Clustering();
  private boolean hasEndBefore;

  SliceWalk(SSTable table, DataCursor data, IndexBlocks blocks) {
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
    begin();
  }

  abstract void begin();

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

  /**
   * Sets the range that is open before a block: the one that is open at the end of the block
   * before.
   */
  final void openBefore(int block) throws IOException {
    closeAll();
    hasEndBefore = false;
    if (block > 0) {
      blocks.read(block - 1);
      endBefore.copyFrom(blocks.last());
      hasEndBefore = true;
      openTimestamp = blocks.openTimestamp();
      openLocalTime = blocks.openLocalTime();
      openIsClaimed = true;
      StatsMetadata stats = table.statistics().stats();
      if (isOpen()
          && (openTimestamp < stats.minTimestamp() || openTimestamp > stats.maxTimestamp())) {
        // The statistics are checked, as they can refute it before the next marker does.
        throw blockCorrupt(
            "a range tombstone of timestamp "
                + openTimestamp
                + " is said to be open before block "
                + block
                + ", the table's are from "
                + stats.minTimestamp()
                + " to "
                + stats.maxTimestamp());
      }
    }
  }

  /**
   * Moves to the first row or marker of a block, and checks that it is the one that the block
   * names, because an index has no checksum. {@link DataCursor#peek()} has been called then.
   */
  final void enter(int block) throws IOException {
    blocks.read(block);
    boolean isThere;
    try {
      data.seekWithinPartition(blocks.offset());
      isThere =
          data.peek() && comparator.compare(data.unfiltered().clustering(), blocks.first()) == 0;
    } catch (CorruptSSTableException e) {
      if (e.isOfChecksum()) {
        throw e;
      }
      throw blockCorrupt("block " + block + " is said to begin where no row does: " + e.reason());
    }
    if (!isThere) {
      throw blockCorrupt("block " + block + " begins with another row than is said");
    }
    if (hasEndBefore && comparator.compare(endBefore, data.unfiltered().clustering()) >= 0) {
      throw blockCorrupt("block " + block + " does not begin after the end of the one before");
    }
    hasEndBefore = false;
  }

  /**
   * Checks that a peeked row or marker is not after the last one of its block: a misplaced one
   * would end a walk early, and the requested rows would seem to be absent.
   *
   * @param block the block that contains it, or after which it is the first
   */
  final void checkLast(int block) throws IOException {
    long offset = data.unfilteredPosition() - data.partitionPosition();
    int at = block;
    blocks.read(at);
    if (offset >= blocks.offset() + blocks.width() && block + 1 < blocks.count()) {
      at++;
      blocks.read(at);
    }
    if (offset < blocks.offset() + blocks.width()
        && comparator.compare(data.unfiltered().clustering(), blocks.last()) > 0) {
      throw blockCorrupt(
          "block "
              + at
              + " has a row or marker at "
              + data.unfilteredPosition()
              + " of the data that lies after its last one");
    }
  }

  final CorruptSSTableException blockCorrupt(String reason) {
    return table.indexCorrupt(blocks.position(), "index of " + data.key() + ": " + reason);
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
    return table.dataCorrupt(
        data.partitionPosition(), "a range tombstone of " + data.key() + " has no end");
  }
}
