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
 * Walks the rows and markers of slices of one partition, in one of the two directions.
 *
 * <p>Of a range tombstone that reaches into a slice the part inside is shown: at the slice's bounds
 * a marker is made for it. Confined to one thread, reusable.
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

  // The range tombstone that is open where the walk stands, in its direction.
  private long openTimestamp;
  private long openLocalTime;
  // Whether an index block said so: the next marker has to agree.
  private boolean openIsClaimed;

  // What the block before the one to be entered ends with, if that block was looked at.
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
   * Begins; the data stands at the first row of the partition, and the blocks are the partition's.
   *
   * @param of slices in clustering order, not overlapping
   */
  final void begin(List<Slice> of) {
    turnTo(of);
  }

  /** Shows nothing any more, and lets go of the slices. */
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

  /** Moves on; false behind the last. */
  final boolean next() throws IOException {
    showMarker = false;
    return advance();
  }

  /** Stands at the next unfiltered of the data, or has called {@link #show}; false at the end. */
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

  /** What is open before a block is what is open at the end of the one before. */
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
        // Before the next marker proves it, or none, the statistics can refute it: they are
        // checked.
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
   * Goes to the first row or marker of a block, and proves that it is what the block says: an index
   * has no checksum. {@link DataCursor#peek()} has been called then.
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
   * Checks that a row or marker which was peeked at does not lie after the last one of its block: a
   * misplaced one would end a walk early, and what was looked for would seem not to be there.
   *
   * @param block in which it lies, or after which it is the first
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

  /** Takes note of what the walk, going forward, has passed. */
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

  /** The first marker that the walk meets ends the range that was said to be open, or none. */
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

  /** Takes note of what the walk, going backward, has passed. */
  final void noteReversed() {
    Unfiltered unfiltered = data.unfiltered();
    if (unfiltered.isMarker()) {
      boolean closes = unfiltered.clustering().kind().closes();
      openTimestamp = closes ? unfiltered.deletionTimestamp() : DeletionTime.NO_TIMESTAMP;
      openLocalTime = unfiltered.deletionLocalTime();
    }
  }

  /** Passes over what has been peeked at, going forward; markers are taken note of. */
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
