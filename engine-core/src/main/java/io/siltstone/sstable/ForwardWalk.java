package io.siltstone.sstable;

import io.siltstone.chunk.ExpectedEnd;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.Slice;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.index.BlockIndex;
import java.io.IOException;

/** Walks slices and their rows from the first to the last. */
final class ForwardWalk extends SliceWalk {
  // The row after the last one is looked at, too; its beginning rarely takes more.
  private static final int NEXT_HEAD_BYTES = 64;

  private final ExpectedEnd expectedEnd = this::expectedEnd;
  private final BlockEndSearch fromEnd;
  private int index;
  private boolean inSlice;
  // The ordinal of the block that was entered last.
  private long block;
  private boolean peeked;
  private boolean exhausted;
  // Whether a row or marker of the current slice was returned.
  private boolean hasShown;

  ForwardWalk(SSTable table, DataCursor data, BlockIndex blocks) {
    super(table, data, blocks);
    this.fromEnd = new BlockEndSearch(data, blocks, comparator);
  }

  @Override
  void begin() {
    index = -1;
    inSlice = false;
    // Without clusterings the ordinal of a block is its offset.
    block = blocks.hasClusterings() ? 0 : firstRow();
    peeked = false;
    exhausted = false;
  }

  @Override
  boolean advance() throws IOException {
    while (true) {
      if (!inSlice) {
        if (index + 1 >= sliceCount()) {
          return false;
        }
        index++;
        inSlice = true;
        hasShown = false;
        goTo(slice(index).start());
        if (isOpen()) {
          show(slice(index).start());
          return true;
        }
      }
      Slice slice = slice(index);
      if (available() && comparator.compare(data.unfiltered().clustering(), slice.end()) < 0) {
        data.read();
        peeked = false;
        noteForward();
        hasShown = true;
        return true;
      }
      inSlice = false;
      if (!hasShown && peeked && blocks.count() > 0) {
        // Checked before the walk reports that there is nothing: a misplaced row may have ended it
        // early.
        checkLast(block);
      }
      if (isOpen()) {
        if (exhausted) {
          throw leftOpen();
        }
        show(slice.end());
        return true;
      }
    }
  }

  private void goTo(Clustering start) throws IOException {
    if (blocks.count() > 0) {
      blocks.seek(start);
      // Within the current block and before it, the walk goes on without the index.
      if (blocks.ordinal() > block) {
        data.expectEnd(expectedEnd, false);
        if (fromEnd.find(start)) {
          openNone();
        } else {
          openBefore();
          enter();
          checkBefore(start, true);
        }
        block = blocks.ordinal();
        peeked = true;
        exhausted = false;
      }
    }
    while (available() && comparator.compare(data.unfiltered().clustering(), start) <= 0) {
      pass();
      peeked = false;
    }
    if (exhausted && isOpen()) {
      throw leftOpen();
    }
  }

  /** Returns where the data of the slice ends: in the block, or nobody knows where. */
  private long expectedEnd() throws IOException {
    return index >= 0 && index < sliceCount() && blocks.reaches(slice(index).end())
        ? data.partitionPosition() + blocks.end() + NEXT_HEAD_BYTES
        : Long.MAX_VALUE;
  }

  private boolean available() throws IOException {
    if (!peeked && !exhausted) {
      peeked = data.peek();
      exhausted = !peeked;
    }
    return peeked;
  }
}
