package io.siltstone.threads;

/**
 * Assigns threads to the stripes of a counter or pool, so that threads that use it at the same time
 * seldom write to the same cache line. Threads have consecutive ids; a stripe is the remainder of
 * the id. Safe for all threads; allocates nothing.
 */
public final class ThreadStripes {
  /**
   * Distance of two stripes in an array of longs or references, in elements: 128 bytes of longs, as
   * processors fetch two cache lines at once. With compressed references it is one cache line.
   */
  public static final int STRIDE = 16;

  private ThreadStripes() {}

  /**
   * Returns the stripe of the calling thread.
   *
   * @param count the number of stripes, greater than 0
   * @return from 0 to {@code count - 1}
   */
  public static int current(int count) {
    return (int) (Thread.currentThread().getId() % count);
  }
}
