package io.siltstone.threads;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the users of a shared resource. Once its owner has given the resource up, the last user to
 * release it frees it.
 *
 * <pre>
 *   if (references.tryAcquire()) {        // the owner at the end: references.giveUp()
 *     try { ... } finally { references.release(); }
 *   }
 * </pre>
 *
 * The count is spread over several cache lines by thread, so that concurrent users seldom write to
 * the same one. Acquiring and releasing cost one atomic operation each and allocate nothing. Safe
 * for use by all threads; another thread than the one that acquired may release.
 */
public final class References {
  private static final int MAX_STRIPES = 16;

  private static final int STRIPES =
      Math.min(MAX_STRIPES, Runtime.getRuntime().availableProcessors());

  private final Runnable free;
  // Their sum is the count; a single one may be negative.
  private final AtomicLongArray counts = new AtomicLongArray((STRIPES + 1) * ThreadStripes.STRIDE);
  private final AtomicBoolean freed = new AtomicBoolean();
  private volatile boolean givenUp;

  /**
   * Creates a counter without users.
   *
   * @param free called once, by the thread of the last release
   */
  public References(Runnable free) {
    this.free = free;
  }

  private static int place() {
    return (1 + ThreadStripes.current(STRIPES)) * ThreadStripes.STRIDE;
  }

  /**
   * Acquires the resource. If it returns true, the caller must {@link #release} it.
   *
   * @return false if the owner has given it up
   */
  public boolean tryAcquire() {
    counts.getAndIncrement(place());
    // The owner marks it as given up before it reads the counts, so one of both threads sees the
    // other.
    if (!givenUp) {
      return true;
    }
    decrement();
    return false;
  }

  /**
   * Releases the resource.
   *
   * @throws IllegalStateException if there is no user any more, which is only detected after it was
   *     freed
   */
  public void release() {
    if (freed.get()) {
      throw new IllegalStateException("released more often than acquired");
    }
    decrement();
  }

  private void decrement() {
    counts.getAndDecrement(place());
    if (givenUp) {
      freeIfLast();
    }
  }

  /** Gives the resource up: it cannot be acquired any more. A second call does nothing. */
  public void giveUp() {
    givenUp = true;
    freeIfLast();
  }

  /** Returns whether it has been given up; some users may not have released it yet. */
  public boolean isGivenUp() {
    return givenUp;
  }

  private void freeIfLast() {
    // Once it is given up the count only falls, so that no user is missed during the summation.
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
