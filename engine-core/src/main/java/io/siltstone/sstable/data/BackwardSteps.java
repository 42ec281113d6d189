package io.siltstone.sstable.data;

import io.siltstone.bytes.Vint;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;

/**
 * Moves a {@link DataCursor} back from row to row of a partition, by the size of the row before
 * that each row has. A step is taken only if the row that it leads to ends where it was taken from.
 *
 * <pre>
 *   steps.begin(offset);                         // the cursor is at the row there
 *   long length = steps.previousLength();
 *   if (steps.back(offset, length)) { ... }      // and then at the row before, if that has the length
 *   steps.end();
 * </pre>
 *
 * Confined to one thread.
 */
public final class BackwardSteps {
  private final DataCursor data;
  private final ByteWindow window;

  /** Creates steps of a cursor, which stays the caller's. */
  public BackwardSteps(DataCursor data) {
    this.data = data;
    this.window = data.window();
  }

  /**
   * Returns where the piece of the data begins that has an offset, both from the beginning of the
   * current partition: the bytes from there on are fetched together with those at the offset.
   */
  public long pieceStart(long offset) {
    long partition = data.partitionPosition();
    return window.pieceStart(partition + offset) - partition;
  }

  /**
   * Moves to a row or marker of the current partition, and reads its head as {@link
   * DataCursor#peek()} does.
   *
   * @param offset from the partition's beginning
   * @return false if the partition ends there
   */
  public boolean begin(long offset) throws IOException {
    // The first call makes the seek fetch the piece from its beginning on, the second keeps it.
    window.keepFromHere();
    data.seekWithinPartition(offset);
    window.keepFromHere();
    return data.peek();
  }

  /**
   * Moves to a row or marker that ends at an offset, and reads its head.
   *
   * @param end from the partition's beginning
   * @param length of the row or marker, as the one after it says
   * @return whether it has that length; if not, the cursor may be anywhere
   */
  public boolean back(long end, long length) throws IOException {
    if (length < 1 || length > end) {
      return false;
    }
    data.seekWithinPartition(end - length);
    window.keepFromHere();
    return data.peek() && data.peekedLength() == length;
  }

  /** Returns the length of the row or marker before the one whose head has been read. */
  public long previousLength() throws IOException {
    Unfiltered unfiltered = data.unfiltered();
    long length = unfiltered.readPreviousSize(window.limit());
    if (length < 0) {
      // The number may lie after what was fetched for the head.
      int head = unfiltered.sizeAt() - unfiltered.from();
      window.need(Math.min(data.peekedLength(), head + 2L * Vint.MAX_LENGTH));
      unfiltered.wrapHead(window.bytes(), window.at(), window.limit());
      length = unfiltered.readPreviousSize(window.limit());
    }
    return length;
  }

  /** Ends the steps, after which nothing is kept for further ones. */
  public void end() {
    window.keepNothing();
  }
}
