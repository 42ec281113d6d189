package io.siltstone.compress;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Arrays for libraries that cannot take one buffer on the heap and one off it. Kept for reuse, as
 * many as were ever in use at once. Safe for all threads.
 */
final class ScratchArrays {
  private final ConcurrentLinkedQueue<byte[]> free = new ConcurrentLinkedQueue<>();

  /** An array of at least that length. */
  byte[] take(int length) {
    byte[] array = free.poll();
    return array != null && array.length >= length ? array : new byte[length];
  }

  void giveBack(byte[] array) {
    free.offer(array);
  }
}
