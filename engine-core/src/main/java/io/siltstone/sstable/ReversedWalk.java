package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.Slice;
import io.siltstone.sstable.data.BackwardSteps;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.BlockIndex;
import java.io.IOException;
import java.util.Arrays;

/**
 * Walks slices and their rows from the last to the first.
 *
 * <p>The walk goes from each row to the one before it, by the size that each row has of the one
 * before, through all blocks. Where a block is entered, and where such a size is wrong or missing,
 * as Cassandra 6 writes it in compactions, the block is first read forward to record the positions
 * of its rows: memory is that of one block's positions.
 */
final class ReversedWalk extends SliceWalk {
  private final BackwardSteps steps;
  private final BlockEndSearch fromEnd;
  private int index;
  private boolean inSlice;
  // The row or marker before which the walk goes on: its offset, its clustering, and what it says
  // of the length of the one before, 0 if that is not known.
  private long from;
  private final Clustering following = new Clustering();
  private long lengthBefore;
  // Whether the row before has been found, and its head read.
  private boolean isFound;
  // Whether the row that was returned last is the first of the slice.
  private boolean isAtStart;
  private long[] places = new long[256];
  private int placesLeft;

  ReversedWalk(SSTable table, DataCursor data, BlockIndex blocks) {
    super(table, data, blocks);
    this.steps = new BackwardSteps(data);
    this.fromEnd = new BlockEndSearch(data, blocks, comparator);
  }

  @Override
  void begin() {
    index = sliceCount();
    inSlice = false;
  }

  @Override
  boolean advance() throws IOException {
    while (true) {
      if (!inSlice) {
        if (index == 0) {
          return false;
        }
        index--;
        inSlice = true;
        goTo(slice(index).end());
        if (isOpen()) {
          show(slice(index).end());
          return true;
        }
      }
      Slice slice = slice(index);
      if (!isAtStart && toRowBefore()) {
        if (comparator.compare(data.unfiltered().clustering(), slice.start()) > 0) {
          data.read();
          noteReversed();
          takeRow();
          isAtStart = !data.unfiltered().isMarker() && comparator.isOfRow(slice.start(), following);
          return true;
        }
        data.pass();
      }
      inSlice = false;
      if (isOpen()) {
        show(slice.start());
        return true;
      }
    }
  }

  /** Remembers the row or marker that is returned. */
  private void takeRow() {
    from = data.unfilteredPosition() - data.partitionPosition();
    following.copyFrom(data.unfiltered().clustering());
    lengthBefore = data.unfiltered().previousSize();
  }

  /**
   * Moves to the row or marker before the one that was returned last, and reads its head; returns
   * false if there is none.
   */
  private boolean toRowBefore() throws IOException {
    if (isFound) {
      isFound = false;
      return true;
    }
    while (placesLeft == 0) {
      if (blocks.count() == 0 || from == firstRow()) {
        return false;
      }
      if (stepBack()) {
        return true;
      }
      toBlockBefore();
      notePlaces(following, false);
    }
    placesLeft--;
    data.seekWithinPartition(places[placesLeft]);
    if (!data.peek()) {
      throw leftOpen();
    }
    return true;
  }

  /** Moves to the row before by the size that is said of it; returns false if that is wrong. */
  private boolean stepBack() throws IOException {
    if (lengthBefore < 1 || lengthBefore > from - firstRow()) {
      return false;
    }
    try {
      return steps.back(from, lengthBefore)
          && comparator.compare(data.unfiltered().clustering(), following) < 0;
    } catch (CorruptSSTableException e) {
      if (e.isOfChecksum()) {
        throw e;
      }
      // The block is read forward, which finds what is wrong.
      return false;
    }
  }

  /** Moves to the block that has the row before. */
  private void toBlockBefore() throws IOException {
    while (blocks.offset() >= from) {
      if (!blocks.previous()) {
        throw blockCorrupt(
            "the first block is said to begin at offset "
                + blocks.offset()
                + ", the first row is at "
                + firstRow());
      }
    }
  }

  /** Moves to the block in which a slice ends, and to the range tombstone that is open there. */
  private void goTo(Clustering end) throws IOException {
    closeAll();
    data.keepFromHere();
    placesLeft = 0;
    isAtStart = false;
    isFound = false;
    if (blocks.count() > 0) {
      // The first block is read even if all blocks are said to begin after the end.
      blocks.seek(end);
      isFound = fromEnd.find(end);
      if (isFound) {
        data.keepFromHere();
        return;
      }
      openBefore();
    }
    notePlaces(end, true);
  }

  /**
   * Records the positions of the rows and markers of the block before {@code end}.
   *
   * @param end end of the slice; or for later blocks, the row or marker before which the walk goes
   *     on
   * @param entering whether the range tombstone that is open at the end is determined by this walk;
   *     for later blocks it is known from the markers returned
   */
  private void notePlaces(Clustering end, boolean entering) throws IOException {
    placesLeft = 0;
    long to = Long.MAX_VALUE;
    if (blocks.count() == 0) {
      data.seekWithinPartition(firstRow());
    } else {
      enter();
      if (entering) {
        checkBefore(end, false);
        to = blocks.end();
        from = blocks.offset();
        following.copyFrom(data.unfiltered().clustering());
        lengthBefore = steps.previousLength();
      } else {
        to = from;
      }
    }
    data.keepFromHere();
    while ((entering || data.position() - data.partitionPosition() < to) && data.peek()) {
      if (comparator.compare(data.unfiltered().clustering(), end) >= 0) {
        if (!entering) {
          throw blockCorrupt(blocks.name() + " has rows of the next, or out of order");
        }
        if (blocks.count() > 0) {
          checkLast(blocks.ordinal());
        }
        data.pass();
        return;
      }
      if (data.unfilteredPosition() - data.partitionPosition() >= to) {
        throw blockCorrupt(blocks.name() + " ends before rows that it must have");
      }
      if (placesLeft == places.length) {
        places = Arrays.copyOf(places, 2 * placesLeft);
      }
      places[placesLeft++] = data.unfilteredPosition() - data.partitionPosition();
      if (entering) {
        pass();
      } else {
        data.pass();
      }
    }
    if (!entering && data.position() - data.partitionPosition() != to) {
      throw blockCorrupt(blocks.name() + " does not end where the next begins");
    }
  }
}
