package io.siltstone.table;

import io.siltstone.memtable.Memtable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The locks under which a table is written: one for each shard of a memtable that several threads
 * write. While the active memtable has a single shard, the first lock stands for all of them. It is
 * spread over all shards when writers have waited for each other, since each shard more costs a
 * search of its own in each scan.
 *
 * <p>Safe for all threads. All locks together, in their order, exclude every writer.
 */
final class WriteShards {
  private final WriteShard[] shards = new WriteShard[Memtable.DEFAULT_SHARDS];
  private final TableMemtables memory;
  private final OrderedLocks all;

  /**
   * @param memory the memtables that are written under the locks
   */
  WriteShards(TableMemtables memory) {
    this.memory = memory;
    for (int i = 0; i < shards.length; i++) {
      shards[i] = new WriteShard();
    }
    this.all = new OrderedLocks(locks());
  }

  /** Returns all shards, which the caller must not replace. */
  WriteShard[] all() {
    return shards;
  }

  /** Returns all locks, in the order in which they are taken. */
  List<ReentrantLock> locks() {
    return Arrays.stream(shards).map(shard -> shard.lock).toList();
  }

  void lockAll() {
    all.lock();
  }

  void unlockAll() {
    all.unlock();
  }

  /**
   * Takes the locks in use, which exclude every writer: fewer than all while the active memtable
   * has a single shard. They do not allow to change the memtables.
   *
   * @return their number, for {@link #unlockWriters}
   */
  int lockWriters() {
    while (true) {
      int present = present();
      boolean isRight = false;
      all.lock(present);
      try {
        isRight = present() == present;
      } finally {
        if (!isRight) {
          all.unlock(present);
        }
      }
      if (isRight) {
        return present;
      }
    }
  }

  /** Releases the locks that {@link #lockWriters} has taken. */
  void unlockWriters(int count) {
    all.unlock(count);
  }

  /**
   * Takes the lock under which a shard is written. The caller, who holds none of them, releases it.
   *
   * @return the shard whose lock was taken
   */
  WriteShard lock(int index) throws IOException {
    spreadIfContended();
    while (true) {
      int present = memory.activeShards(shards.length);
      WriteShard shard = shards[index & (present - 1)];
      boolean isRight = false;
      boolean isContended = shard.lockToWrite();
      try {
        if (isContended) {
          memory.contended();
        }
        // The memtable may have been sealed or spread meanwhile.
        isRight = memory.activeShards(shards.length) == present;
      } finally {
        if (!isRight) {
          shard.lock.unlock();
        }
      }
      if (isRight) {
        return shard;
      }
    }
  }

  /** Returns the number of locks that are in use at present: a power of two. */
  int present() {
    return memory.activeShards(shards.length);
  }

  /**
   * Returns the lock under which a shard is written.
   *
   * @param present as {@link #present()} has returned it
   */
  ReentrantLock lockOf(int index, int present) {
    return shards[index & (present - 1)].lock;
  }

  /**
   * Notes a write by a thread that has taken the lock of a shard otherwise.
   *
   * @param hasWaited whether it had to wait for a lock
   */
  void wrote(int index, boolean hasWaited) {
    if (shards[index & (present() - 1)].wroteAfter(hasWaited)) {
      memory.contended();
    }
  }

  /** Spreads the active memtable over all shards if writers have waited for each other. */
  void spreadIfContended() throws IOException {
    if (memory.isToBeSpread()) {
      lockAll();
      try {
        memory.spread(shards.length);
      } finally {
        unlockAll();
      }
    }
  }
}
