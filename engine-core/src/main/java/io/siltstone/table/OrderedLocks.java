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
    int taken = 0;
    try {
      while (taken < locks.length) {
        locks[taken].lock();
        taken++;
      }
    } finally {
      if (taken < locks.length) {
        unlock(taken);
      }
    }
  }

  /** Releases all locks. */
  void unlock() {
    unlock(locks.length);
  }

  private void unlock(int taken) {
    for (int i = taken - 1; i >= 0; i--) {
      locks[i].unlock();
    }
  }
}
