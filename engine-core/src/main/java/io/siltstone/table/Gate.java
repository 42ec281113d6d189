package io.siltstone.table;

import io.siltstone.threads.ThreadStripes;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The gate of a database: admits calls until it is closed, and then waits for those that are
 * running. Running calls are counted in stripes, so that threads seldom write to the same cache
 * line.
 *
 * <p>Safe for all threads.
 */
public final class Gate {
  private static final int STRIPES = 16;
  // The distance of two counters in ints: 128 bytes, as processors fetch two cache lines at once.
  private static final int STRIDE = 32;
  private static final long WAIT_NANOS = 50_000;

  private final String name;
  private final AtomicIntegerArray inside = new AtomicIntegerArray((STRIPES + 1) * STRIDE);
  private volatile boolean closed;

  /**
   * Creates an open gate.
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
   * Enters; the same thread must {@link #leave}.
   *
   * @throws IllegalStateException if the gate is closed
   */
  public void enter() {
    int place = place();
    inside.incrementAndGet(place);
    // Checked after counting, so that either the closing thread sees the count or this thread sees
    // that the gate is closed.
    if (closed) {
      inside.decrementAndGet(place);
      throw new IllegalStateException(name + " is closed");
    }
  }

  /** Leaves. */
  public void leave() {
    inside.decrementAndGet(place());
  }

  /** Returns whether the gate is closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Closes the gate without waiting; returns whether it was open. */
  public synchronized boolean close() {
    boolean wasOpen = !closed;
    closed = true;
    return wasOpen;
  }

  /** Waits until all threads have left. Must not be called by a thread that has entered. */
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
