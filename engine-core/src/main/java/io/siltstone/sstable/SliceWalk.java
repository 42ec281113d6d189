package io.siltstone.sstable;

import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.data.DataCursor;
import java.io.IOException;
import java.util.List;

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

  List<Slice> slices = List.of();

  // The range tombstone that is open where the walk stands, in its direction.
  private long openTimestamp;
  private long openLocalTime;

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
   * @param slices in clustering order, not overlapping
   */
  void begin(List<Slice> slices) {
    this.slices = slices;
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    showMarker = false;
    begin();
  }

  abstract void begin();

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
    int length = markerEncoder.marker(bound, openTimestamp, openLocalTime, 0, 0, 0);
    marker.wrap(markerEncoder.bytes(), 0, length);
    showMarker = true;
  }

  final void closeAll() {
    openTimestamp = DeletionTime.NO_TIMESTAMP;
  }

  /** What is open before a block is what is open at the end of the one before. */
  final void openBefore(int block) throws IOException {
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    if (block > 0) {
      blocks.read(block - 1);
      openTimestamp = blocks.openTimestamp();
      openLocalTime = blocks.openLocalTime();
    }
  }

  /** Takes note of what the walk, going forward, has passed. */
  final void noteForward() {
    Unfiltered unfiltered = data.unfiltered();
    if (unfiltered.isMarker()) {
      boolean opens = unfiltered.clustering().kind().opens();
      openTimestamp = opens ? unfiltered.openTimestamp() : DeletionTime.NO_TIMESTAMP;
      openLocalTime = unfiltered.openLocalTime();
    }
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
