package io.siltstone.threads;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A pool of reusable objects with one place per {@linkplain ThreadStripes stripe}. A thread usually
 * finds the object that it has given back last; an object that finds its place taken replaces the
 * one there, which is left to the garbage collector.
 *
 * <p>Safe for all threads, without locks. Taking and giving back allocate nothing.
 *
 * @param <T> objects that need not be closed
 */
public final class StripedPool<T> {
  private static final int STRIPES = 16;

  private final AtomicReferenceArray<T> pooled =
      new AtomicReferenceArray<>(STRIPES * ThreadStripes.STRIDE);

  /** Creates an empty pool. */
  public StripedPool() {}

  /** Removes and returns an object for the calling thread alone; null if its place is empty. */
  public @Nullable T take() {
    return pooled.getAndSet(place(), null);
  }

  /** Returns an object to the pool; the caller must not use it any more. */
  public void giveBack(T object) {
    pooled.set(place(), object);
  }

  private static int place() {
    return ThreadStripes.current(STRIPES) * ThreadStripes.STRIDE;
  }
}
