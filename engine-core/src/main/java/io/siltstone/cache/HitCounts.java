package io.siltstone.cache;

import io.siltstone.threads.ThreadStripes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The counts of hits and misses of a cache: the sum of counters of which each reader has one of its
 * own, so that counting takes no atomic operation.
 *
 * <p>Safe for use by all threads.
 */
final class HitCounts {
  // Guarded by this.
  private final Set<Counter> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private long closedHits;
  private long closedMisses;

  /** A counter of one reader, which closes it. Only one thread at a time counts. */
  final class Counter implements AutoCloseable {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int HITS = ThreadStripes.STRIDE;
    private static final int MISSES = HITS + 1;

    // In the middle of an array, so that no other thread writes to the same cache line.
    private final long[] counts = new long[2 * ThreadStripes.STRIDE];

    private Counter() {}

    void addHit() {
      LONGS.setOpaque(counts, HITS, counts[HITS] + 1);
    }

    void addMiss() {
      LONGS.setOpaque(counts, MISSES, counts[MISSES] + 1);
    }

    private long hits() {
      return (long) LONGS.getOpaque(counts, HITS);
    }

    private long misses() {
      return (long) LONGS.getOpaque(counts, MISSES);
    }

    /** Ends counting; what was counted stays in the sums. */
    @Override
    public void close() {
      HitCounts.this.close(this);
    }
  }

  /** Returns a new counter, to be closed by the caller. */
  synchronized Counter open() {
    Counter counter = new Counter();
    open.add(counter);
    return counter;
  }

  private synchronized void close(Counter counter) {
    if (open.remove(counter)) {
      closedHits += counter.hits();
      closedMisses += counter.misses();
    }
  }

  /** Returns all hits so far. */
  synchronized long hits() {
    long sum = closedHits;
    for (Counter counter : open) {
      sum += counter.hits();
    }
    return sum;
  }

  /** Returns all misses so far. */
  synchronized long misses() {
    long sum = closedMisses;
    for (Counter counter : open) {
      sum += counter.misses();
    }
    return sum;
  }
}
