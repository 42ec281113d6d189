package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.sstable.data.BackwardSteps;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.BlockIndex;
import java.io.IOException;

/**
 * The search for a bound of a slice from the end of the index block that has it.
 *
 * <p>Blocks of a trie index begin anywhere in chunks, so that a block lies in two of them. A walk
 * from the block's beginning decompresses both if the bound is in the second one. This search
 * decompresses only that: it goes to the row with which the next block begins, and back from row to
 * row. An example, in which row 30 is looked for, and no range tombstone is open at row 40:
 *
 * <pre>
 *   chunk    |       5        |       6        |
 *   rows       ... 10 ...       25 ...  30 ...  40 ...
 *   blocks         |                            |
 *                  begins                       ends
 * </pre>
 *
 * <p>The index has no checksum, so the rows have to show that it is right: the next block begins
 * with a row after what is looked for, and the row that is found follows one before it, or is the
 * first row of the slice itself. Otherwise nothing is found, and the block is to be walked through
 * from its beginning. Confined to one thread; allocates nothing.
 */
final class BlockEndSearch {
  private final DataCursor data;
  private final BlockIndex blocks;
  private final ClusteringComparator comparator;
  private final BackwardSteps steps;
  private final Clustering row = new Clustering();

  BlockEndSearch(DataCursor data, BlockIndex blocks, ClusteringComparator comparator) {
    this.data = data;
    this.blocks = blocks;
    this.comparator = comparator;
    this.steps = new BackwardSteps(data);
  }

  /**
   * Moves to the last row before a bound, and reads the head; or, if it begins with one row, to
   * that.
   *
   * @param bound that the current block has
   * @return whether it was found; no range tombstone is open there then
   */
  boolean find(Clustering bound) throws IOException {
    if (blocks.hasClusterings()) {
      // The index of the BIG format, whose blocks begin where chunks do.
      return false;
    }
    long end = blocks.end();
    long least = steps.pieceStart(end);
    if (blocks.offset() >= least || !blocks.isProbablyFrom(least, bound)) {
      return false;
    }
    boolean isFound = false;
    try {
      isFound = steps.begin(end) && isAfter(bound) && goBack(bound, least);
    } catch (CorruptSSTableException e) {
      if (e.isOfChecksum()) {
        throw e;
      }
      // The walk from the beginning of the block finds what is wrong.
    }
    if (isFound) {
      steps.end();
    }
    return isFound;
  }

  /** Returns whether the row after the block is what the index says, and after the bound. */
  private boolean isAfter(Clustering bound) {
    Clustering next = data.unfiltered().clustering();
    return !data.unfiltered().isMarker()
        && blocks.isFollowedBy(next)
        && comparator.compare(next, bound) > 0;
  }

  private boolean goBack(Clustering bound, long least) throws IOException {
    Clustering sought = bound;
    if (bound.kind() == ClusteringKind.INCL_START_BOUND
        && bound.size() == data.unfiltered().clustering().size()) {
      // The row of these values itself is the first of a slice. As no range tombstone is open after
      // it, and no marker was passed, none is open before it.
      row.copyFrom(bound, ClusteringKind.CLUSTERING);
      sought = row;
    }
    long at = blocks.end();
    long length = steps.previousLength();
    while (at - length >= least && steps.back(at, length)) {
      if (data.unfiltered().isMarker()) {
        return false;
      }
      if (comparator.compare(data.unfiltered().clustering(), sought) <= 0) {
        return true;
      }
      at -= length;
      length = steps.previousLength();
    }
    return false;
  }
}
