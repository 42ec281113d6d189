package io.siltstone.cache;

import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Allocates memory for chunks. A few returned slabs are kept for the next requests of the same
 * size: in a full cache a miss follows every eviction. Safe for use by all threads.
 */
final class Slabs {
  private static final int MOST_SPARE = 32;

  private final MemoryBudget budget;
  private final long mostSpareBytes;
  private final AtomicReferenceArray<@Nullable Slab> spare = new AtomicReferenceArray<>(MOST_SPARE);
  private final AtomicLong spareBytes = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed;

  Slabs(MemoryBudget budget, long mostSpareBytes) {
    this.budget = budget;
    this.mostSpareBytes = mostSpareBytes;
  }

  /** Returns the number of bytes of all slabs, spare ones included. */
  long bytes() {
    return bytes.get();
  }

  /**
   * Returns a slab of exactly the given size with undefined contents; null if the budget is
   * exhausted.
   */
  @Nullable Slab take(int size) {
    for (int i = 0; i < MOST_SPARE; i++) {
      Slab slab = spare.get(i);
      if (slab != null && slab.memory().capacity() == size && spare.compareAndSet(i, slab, null)) {
        spareBytes.addAndGet(-size);
        return slab;
      }
    }
    try {
      OffHeapBuffer memory = budget.allocate(MemoryKind.CHUNK_CACHE, size);
      bytes.addAndGet(size);
      return new Slab(memory, memory.bytes());
    } catch (OutOfBudgetException e) {
      // Spare slabs of other sizes are of no use now.
      freeSpare();
      return null;
    }
  }

  void giveBack(Slab slab) {
    int size = slab.memory().capacity();
    if (spareBytes.addAndGet(size) <= mostSpareBytes && keep(slab)) {
      if (closed) {
        freeSpare();
      }
      return;
    }
    spareBytes.addAndGet(-size);
    free(slab);
    makePlaceFor(size);
  }

  private boolean keep(Slab slab) {
    for (int i = 0; i < MOST_SPARE; i++) {
      if (spare.get(i) == null && spare.compareAndSet(i, null, slab)) {
        return true;
      }
    }
    return false;
  }

  /** Frees a slab of another size, which may not be needed any more. */
  private void makePlaceFor(int size) {
    for (int i = 0; i < MOST_SPARE; i++) {
      Slab slab = spare.get(i);
      if (slab != null && slab.memory().capacity() != size && spare.compareAndSet(i, slab, null)) {
        spareBytes.addAndGet(-slab.memory().capacity());
        free(slab);
        return;
      }
    }
  }

  private void freeSpare() {
    for (int i = 0; i < MOST_SPARE; i++) {
      Slab slab = spare.getAndSet(i, null);
      if (slab != null) {
        spareBytes.addAndGet(-slab.memory().capacity());
        free(slab);
      }
    }
  }

  private void free(Slab slab) {
    bytes.addAndGet(-slab.memory().capacity());
    slab.memory().close();
  }

  /** Frees spare slabs, now and whenever a slab is returned. */
  void close() {
    closed = true;
    freeSpare();
  }
}
