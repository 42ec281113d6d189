package io.siltstone.kafka.streams.host;

import io.siltstone.event.EngineListener;
import io.siltstone.schema.TableId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the tables in which the engine has found damaged files, when the database was opened or
 * by a compaction: the stores that have them begin with an empty table when they are opened next,
 * and are restored. Safe for use by all threads.
 */
final class DamagedTables implements EngineListener {
  private final Set<String> keyspaces = ConcurrentHashMap.newKeySet();

  @Override
  public void corruptionFound(CorruptionFound event) {
    TableId table = event.table();
    if (table != null) {
      keyspaces.add(table.keyspace());
    }
  }

  /** Returns whether the table of a keyspace, which has no other, is damaged. */
  boolean has(String keyspace) {
    return keyspaces.contains(keyspace);
  }
}
