package io.siltstone.sstable.check;

/**
 * Where the writer begins index blocks, on the way to the parser of the data, which may run behind
 * it in another thread. The parser is told only where to look: what it finds there is compared with
 * what the index says.
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

  /** The first position, which stays; {@link Long#MAX_VALUE} if there is none. */
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
