package io.siltstone.sstable.check;

/**
 * A queue of the positions at which the writer begins index blocks. It leads to the parser of the
 * data, which may run in another thread, later than the writer. The parser learns only where blocks
 * begin; their content, as it finds it in the data, is compared with the index. Safe for all
 * threads.
 */
final class BlockStarts {
  private long[] positions = new long[16];
  private int first;
  private int count;

  /** Adds a position of the data file, greater than those before. */
  synchronized void add(long position) {
    if (count == positions.length) {
      long[] larger = new long[2 * count];
      for (int i = 0; i < count; i++) {
        larger[i] = positions[(first + i) % count];
      }
      positions = larger;
      first = 0;
    }
    positions[(first + count) % positions.length] = position;
    count++;
  }

  /** Returns the first position and leaves it there; {@link Long#MAX_VALUE} if there is none. */
  synchronized long peek() {
    return count == 0 ? Long.MAX_VALUE : positions[first];
  }

  /** Removes the first position and returns the next as {@link #peek()} does. */
  synchronized long next() {
    first = (first + 1) % positions.length;
    count--;
    return peek();
  }
}
