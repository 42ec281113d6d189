package io.siltstone.threads;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts those who use something that its owner gives up one day: the last one to let go of it then
 * frees it.
 *
 * <pre>
 *   if (references.tryAcquire()) {        // the owner at the end: references.giveUp()
 *     try { ... } finally { references.release(); }
 *   }
 * </pre>
 *
 * The count is spread over several cache lines, by threads, so that those who use the same thing at
 * once hardly meet. To acquire or release costs one atomic operation and allocates nothing. Safe
 * for all threads; another thread than the one that acquired may release.
 */
public final class References {
  private static final int MAX_STRIPES = 16;

  private static final int STRIPES =
      Math.min(MAX_STRIPES, Runtime.getRuntime().availableProcessors());

  private final Runnable free;
  // Their sum is the count; a single one may be below zero.
  private final AtomicLongArray counts = new AtomicLongArray((STRIPES + 1) * ThreadStripes.STRIDE);
  private final AtomicBoolean freed = new AtomicBoolean();
  private volatile boolean givenUp;

  /**
   * Used by nobody yet.
   *
   * @param free called once, by whoever lets go last
   */
  public References(Runnable free) {
    this.free = free;
  }

  private static int place() {
    return (1 + ThreadStripes.current(STRIPES)) * ThreadStripes.STRIDE;
  }

  /**
   * Begins to use it. Whoever was told true has to {@link #release} it.
   *
   * @return false if it has been given up
   */
  public boolean tryAcquire() {
    counts.getAndIncrement(place());
    // Whoever gives it up says so before the counts are looked at: one of both sees the other.
    if (!givenUp) {
      return true;
    }
    letGo();
    return false;
  }

  /**
   * Ceases to use it.
   *
   * @throws IllegalStateException if nobody uses it any more, as far as that can be told: after it
   *     was freed
   */
  public void release() {
    if (freed.get()) {
      throw new IllegalStateException("released more often than acquired");
    }
    letGo();
  }

  private void letGo() {
    counts.getAndDecrement(place());
    if (givenUp) {
      freeIfLast();
    }
  }

  /** Says that nobody may begin to use it any more. A second call does nothing. */
  public void giveUp() {
    givenUp = true;
    freeIfLast();
  }

  /** Whether it has been given up; some who use it may not have let go yet. */
  public boolean isGivenUp() {
    return givenUp;
  }

  private void freeIfLast() {
    // Once it is given up the count only falls, so that no user is passed over while it is summed.
    if (count() == 0 && freed.compareAndSet(false, true)) {
      free.run();
    }
  }

  private long count() {
    long count = 0;
    for (int i = 1; i <= STRIPES; i++) {
      count += counts.get(i * ThreadStripes.STRIDE);
    }
    return count;
  }
}
