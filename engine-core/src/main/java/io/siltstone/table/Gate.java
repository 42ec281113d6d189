package io.siltstone.table;

import io.siltstone.threads.ThreadStripes;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets operations in until it is closed, and then waits for those inside. Counts in several places,
 * so that threads that come and go do not meet.
 *
 * <p>Safe for all threads.
 */
public final class Gate {
  private static final int STRIPES = 16;
  // Counters lie this many ints apart: 128 bytes, as processors fetch two lines at once.
  private static final int STRIDE = 32;
  private static final long WAIT_NANOS = 50_000;

  private final String name;
  private final AtomicIntegerArray inside = new AtomicIntegerArray((STRIPES + 1) * STRIDE);
  private volatile boolean closed;

  /**
   * Open.
   *
   * @param name of what it guards, for messages
   */
  public Gate(String name) {
    this.name = name;
  }

  private static int place() {
    return (1 + ThreadStripes.current(STRIPES)) * STRIDE;
  }

  /**
   * Goes in; the same thread has to {@link #leave}.
   *
   * @throws IllegalStateException if it is closed
   */
  public void enter() {
    int place = place();
    inside.incrementAndGet(place);
    // After the count, so that whoever closes sees the one or this sees the other.
    if (closed) {
      inside.decrementAndGet(place);
      throw new IllegalStateException(name + " is closed");
    }
  }

  /** Goes out. */
  public void leave() {
    inside.decrementAndGet(place());
  }

  /** Whether nobody can go in any more. */
  public boolean isClosed() {
    return closed;
  }

  /** Lets nobody in from now on; does not wait. Whether it was open. */
  public synchronized boolean close() {
    boolean wasOpen = !closed;
    closed = true;
    return wasOpen;
  }

  /** Waits until nobody is inside. To be called by whoever is not. */
  public void awaitEmpty() {
    boolean interrupted = false;
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      while (inside.get(stripe * STRIDE) != 0) {
        LockSupport.parkNanos(this, WAIT_NANOS);
        // An interrupted thread would not park.
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
