package io.siltstone.table;

import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.memtable.Memtable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The shards that one batch writes to, in the order in which their locks are taken, and the memory
 * that the batch needs in each shard of a memtable.
 *
 * <p>Confined to one thread. Sizes are added and reserved with the locks of all these shards held.
 */
final class BatchShards {
  private final Set<Shard> shards = new TreeSet<>();
  // The sizes by shard of the active memtables; a small memtable has one shard only.
  private final Map<Shard, Size> sizes = new TreeMap<>();

  /** A shard of a table. Ordered by the table's id, then by the index. */
  record Shard(TableStore store, int index) implements Comparable<Shard> {
    Memtable memtable() {
      return store.memtables().active();
    }

    Shard inMemtable() {
      return new Shard(store, memtable().shardOf(index));
    }

    @Override
    public int compareTo(Shard other) {
      int order = store.id().id().compareTo(other.store.id().id());
      return order != 0 ? order : Integer.compare(index, other.index);
    }
  }

  /** What the batch writes to one shard. */
  private static final class Size {
    private int mutations;
    private long bytes;
  }

  /** Adds a shard that the batch writes to. */
  void add(TableStore store, int index) {
    shards.add(new Shard(store, index));
  }

  /** Adds all shards of a table, to which the batch may or may not write. */
  void addAll(TableStore store) {
    for (int index = 0; index < Memtable.DEFAULT_SHARDS; index++) {
      add(store, index);
    }
  }

  /** Returns whether no shard was added. */
  boolean isEmpty() {
    return shards.isEmpty();
  }

  /** Takes the locks of all shards, to be released by the caller. */
  OrderedLocks lock() throws IOException {
    for (TableStore store : tables()) {
      store.shards().spreadIfContended();
    }
    while (true) {
      List<ReentrantLock> present = locks();
      OrderedLocks locks = new OrderedLocks(present);
      boolean hasToWait = present.stream().anyMatch(ReentrantLock::isLocked);
      locks.lock();
      boolean areRight = false;
      try {
        // A memtable may have been sealed or spread meanwhile.
        areRight = locks().equals(present);
        if (areRight) {
          shards.forEach(shard -> shard.store.shards().wrote(shard.index, hasToWait));
        }
      } finally {
        if (!areRight) {
          locks.unlock();
        }
      }
      if (areRight) {
        return locks;
      }
    }
  }

  /** Returns the locks of all shards, each once, in the order in which they are taken. */
  private List<ReentrantLock> locks() {
    Set<ReentrantLock> locks = new LinkedHashSet<>();
    TableStore store = null;
    int present = 0;
    for (Shard shard : shards) {
      if (shard.store != store) {
        // Read once for each table: locks of a memtable of one shard and of one of many, mixed,
        // would be out of order.
        store = shard.store;
        present = store.shards().present();
      }
      locks.add(shard.store.shards().lockOf(shard.index, present));
    }
    return List.copyOf(locks);
  }

  /** Returns each table that the batch writes to once. */
  Set<TableStore> tables() {
    Set<TableStore> tables = new LinkedHashSet<>();
    shards.forEach(shard -> tables.add(shard.store));
    return tables;
  }

  /** Returns the first of {@link #tables}. */
  TableStore first() {
    return shards.iterator().next().store;
  }

  /** Forgets all sizes, before the batch is encoded again. */
  void clearSizes() {
    sizes.clear();
  }

  /** Adds the size of a mutation to its shard, and returns that. */
  Shard addSize(TableStore store, int index, PartitionUpdate update) throws IOException {
    Shard shard = new Shard(store, index);
    Size size = sizes.computeIfAbsent(shard.inMemtable(), each -> new Size());
    size.bytes += shard.memtable().spaceFor(update);
    size.mutations++;
    return shard;
  }

  /**
   * Reserves the memory for all of the batch, or none of it. What is missing is checked as a whole
   * first: a batch that reserved it shard by shard would be refused because of its own
   * reservations.
   */
  void reserve(MemtablePool pool) {
    long missing = shortfall();
    if (missing > 0) {
      pool.requireFree(missing);
    }
    List<Shard> reserved = new ArrayList<>(sizes.size());
    try {
      sizes.forEach(
          (shard, size) -> {
            shard.memtable().reserve(shard.index, size.bytes);
            reserved.add(shard);
          });
    } catch (RuntimeException | Error e) {
      // Other writers have taken it meanwhile. No flush frees what a shard without rows keeps.
      reserved.forEach(shard -> shard.memtable().unreserve(shard.index));
      throw e;
    }
  }

  /** Returns how many bytes of the budget the batch is about to take. */
  long shortfall() {
    long sum = 0;
    for (Map.Entry<Shard, Size> entry : sizes.entrySet()) {
      Shard shard = entry.getKey();
      Size size = entry.getValue();
      sum += shard.memtable().shortfall(shard.index, size.bytes);
    }
    return sum;
  }

  /** Returns how many bytes of the budget empty memtables would take for the batch at least. */
  long leastBytes() {
    long sum = 0;
    for (Size size : sizes.values()) {
      sum += Memtable.leastBytes(size.bytes);
    }
    return sum;
  }

  /** Counts the batch once in the statistics of each table. */
  void countWrites(long nanos) {
    for (TableStore store : tables()) {
      int mutations = 0;
      for (Map.Entry<Shard, Size> entry : sizes.entrySet()) {
        mutations += entry.getKey().store == store ? entry.getValue().mutations : 0;
      }
      if (mutations > 0) {
        store.countWrite(nanos, mutations);
      }
    }
  }
}
