package io.siltstone.compress;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A pool of arrays for libraries that cannot take one buffer on the heap and one off-heap. It keeps
 * as many arrays as were ever in use at once. Safe for use by all threads.
 */
final class ScratchArrays {
  private final ConcurrentLinkedQueue<byte[]> free = new ConcurrentLinkedQueue<>();

  /** Returns an array of at least that length. */
  byte[] take(int length) {
    byte[] array = free.poll();
    return array != null && array.length >= length ? array : new byte[length];
  }

  void giveBack(byte[] array) {
    free.offer(array);
  }
}
