package io.siltstone.table;

import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * Several locks that are taken in one order and released together: either all of them are held, or
 * none if one could not be taken. Allocates nothing after its construction, so that locks are
 * released even if the heap is exhausted.
 *
 * <p>Safe for all threads.
 */
final class OrderedLocks {
  private final Lock[] locks;

  /**
   * @param locks in the order in which they are taken; the list is copied
   */
  OrderedLocks(List<? extends Lock> locks) {
    this.locks = locks.toArray(Lock[]::new);
  }

  /** Takes all locks, or none if this throws. */
  void lock() {
    lock(locks.length);
  }

  /** Takes so many of the locks, from the first on, or none if this throws. */
  void lock(int count) {
    int taken = 0;
    try {
      while (taken < count) {
        locks[taken].lock();
        taken++;
      }
    } finally {
      if (taken < count) {
        unlock(taken);
      }
    }
  }

  /** Releases all locks. */
  void unlock() {
    unlock(locks.length);
  }

  /** Releases the locks that {@link #lock(int)} has taken. */
  void unlock(int count) {
    for (int i = count - 1; i >= 0; i--) {
      locks[i].unlock();
    }
  }
}
