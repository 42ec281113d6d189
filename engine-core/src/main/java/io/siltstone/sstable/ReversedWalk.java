package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.Slice;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.index.BlockIndex;
import java.io.IOException;
import java.util.Arrays;

/**
 * Walks slices and their rows from the last to the first.
 *
 * <p>A block is read forward to record the positions of its rows, then backward to return them:
 * memory is that of one block's positions.
 */
final class ReversedWalk extends SliceWalk {
  private int index;
  private boolean inSlice;
  // Where the block that was entered last begins, and its first row or marker.
  private long enteredFrom;
  private final Clustering entered = new Clustering();
  // The same of the block after it.
  private long followingFrom;
  private final Clustering following = new Clustering();
  private long[] places = new long[256];
  private int placesLeft;

  ReversedWalk(SSTable table, DataCursor data, BlockIndex blocks) {
    super(table, data, blocks);
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
      if (placesLeft > 0) {
        placesLeft--;
        data.seekWithinPartition(places[placesLeft]);
        if (!data.peek()) {
          throw leftOpen();
        }
        if (comparator.compare(data.unfiltered().clustering(), slice.start()) > 0) {
          data.read();
          noteReversed();
          return true;
        }
        data.pass();
      } else if (toPreviousBlock()) {
        notePlaces(following, false);
        continue;
      }
      inSlice = false;
      if (isOpen()) {
        show(slice.start());
        return true;
      }
    }
  }

  /** Moves to the block before the one that was entered; returns false if it is the first. */
  private boolean toPreviousBlock() throws IOException {
    if (blocks.count() == 0) {
      return false;
    }
    if (!blocks.previous()) {
      if (enteredFrom != firstRow()) {
        throw blockCorrupt(
            "the first block is said to begin at offset "
                + enteredFrom
                + ", the first row is at "
                + firstRow());
      }
      return false;
    }
    followingFrom = enteredFrom;
    following.copyFrom(entered);
    return true;
  }

  /** Moves to the block in which a slice ends, and to the range tombstone that is open there. */
  private void goTo(Clustering end) throws IOException {
    closeAll();
    data.keepFromHere();
    placesLeft = 0;
    if (blocks.count() > 0) {
      // The first block is read even if all blocks are said to begin after the end.
      blocks.seek(end);
      openBefore();
    }
    notePlaces(end, true);
  }

  /**
   * Records the positions of the rows and markers of the block before {@code end}.
   *
   * @param end end of the slice; or for later blocks, the beginning of the block after it
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
      enteredFrom = blocks.offset();
      entered.copyFrom(data.unfiltered().clustering());
      to = followingFrom;
      if (entering) {
        checkBefore(end, false);
        to = blocks.end();
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
    if (!entering && data.position() - data.partitionPosition() != followingFrom) {
      throw blockCorrupt(blocks.name() + " does not end where the next begins");
    }
  }
}
