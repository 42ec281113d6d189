package io.siltstone.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Decides which tables are flushed together. Without a log, a crash leaves a table as it was at its
 * last flush. So that tables which are written together are found as of the same moment, all tables
 * of a keyspace that have no log form a group. A table that is logged is flushed alone: the log has
 * what came after its last flush.
 *
 * <p>Safe for all threads.
 */
final class FlushGroups {
  private final Supplier<Collection<TableStore>> tables;
  private final Map<String, FlushQueue> queues = new ConcurrentHashMap<>();

  /**
   * @param tables returns the present tables
   */
  FlushGroups(Supplier<Collection<TableStore>> tables) {
    this.tables = tables;
  }

  /** Returns the flushes that a request for a table joins. */
  FlushQueue of(TableStore store) {
    return store.definition().isLogged()
        ? store.flushes()
        : queues.computeIfAbsent(store.id().keyspace(), keyspace -> new FlushQueue());
  }

  /**
   * Returns the tables that a request for a table flushes together, in the order in which their
   * locks are taken. This changes only with the locks of their shards held, except that tables are
   * added that nobody has written to.
   *
   * @param queue that the request is in: in the one of a group, it serves all of the group
   */
  List<TableStore> membersOf(TableStore store, FlushQueue queue) {
    if (queue == store.flushes() && store.definition().isLogged()) {
      return store.isDropped() ? List.of() : List.of(store);
    }
    return tables.get().stream()
        .filter(other -> other == store || isUnlogged(other, store.id().keyspace()))
        .filter(other -> !other.isDropped())
        .sorted(Comparator.comparing(other -> other.id().id()))
        .toList();
  }

  private static boolean isUnlogged(TableStore store, String keyspace) {
    return !store.definition().isLogged() && store.id().keyspace().equals(keyspace);
  }

  /** Divides tables into those that are flushed together. */
  Collection<List<TableStore>> groups(Collection<TableStore> stores) {
    List<List<TableStore>> groups = new ArrayList<>();
    Map<String, List<TableStore>> unlogged = new LinkedHashMap<>();
    for (TableStore store : stores) {
      if (store.definition().isLogged()) {
        groups.add(List.of(store));
      } else {
        unlogged.computeIfAbsent(store.id().keyspace(), any -> new ArrayList<>()).add(store);
      }
    }
    groups.addAll(unlogged.values());
    return groups;
  }
}
