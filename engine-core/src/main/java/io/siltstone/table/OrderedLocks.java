package io.siltstone.table;

import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * Several locks that are taken in one order and given back together: all of them are held, or none
 * if one could not be taken. Allocates nothing itself once it has been made, so that locks are
 * given back also where there is no memory left.
 *
 * <p>Safe for all threads.
 */
final class OrderedLocks {
  private final Lock[] locks;

  /** To be taken in that order; copies the list. */
  OrderedLocks(List<? extends Lock> locks) {
    this.locks = locks.toArray(Lock[]::new);
  }

  /** Takes all, or none if this throws. */
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

  /** Gives all back. */
  void unlock() {
    unlock(locks.length);
  }

  private void unlock(int taken) {
    for (int i = taken - 1; i >= 0; i--) {
      locks[i].unlock();
    }
  }
}
