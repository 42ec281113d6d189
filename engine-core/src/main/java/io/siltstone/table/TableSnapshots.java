package io.siltstone.table;

import io.siltstone.table.read.TableSnapshot;
import io.siltstone.threads.Closeables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes snapshots of several tables at one moment. A batch is applied with the locks of all shards
 * that it writes to held. A snapshot that is taken with the locks of all shards of all its tables
 * held therefore has all of what a batch wrote to them, or nothing.
 */
public final class TableSnapshots {
  private TableSnapshots() {}

  /**
   * Returns snapshots of tables of one database at one moment, for which writes to these tables
   * wait.
   *
   * @param stores no table twice
   * @return one for each table, in their order; to be closed by the caller
   * @throws IllegalStateException if one of the tables is closed or was dropped
   */
  public static List<TableSnapshot> take(List<TableStore> stores) {
    OrderedLocks locks = locksOf(stores);
    List<TableSnapshot> taken = new ArrayList<>(stores.size());
    locks.lock();
    try {
      for (TableStore store : stores) {
        taken.add(store.reads().snapshot());
      }
      return taken;
    } catch (Throwable e) {
      Closeables.closeAllAfter(taken, e);
      throw e;
    } finally {
      locks.unlock();
    }
  }

  /** Returns the locks of all shards of tables, in the order of the locks of a batch. */
  static OrderedLocks locksOf(Collection<TableStore> stores) {
    List<ReentrantLock> all = new ArrayList<>();
    stores.stream()
        .sorted(Comparator.comparing(store -> store.id().id()))
        .forEach(store -> all.addAll(store.shardLocks()));
    return new OrderedLocks(all);
  }
}
