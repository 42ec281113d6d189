package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTables;

/**
 * Decides which SSTables of a table to merge. A pure function: the same tables and time give the
 * same plan. Immutable, safe for all threads.
 */
public interface Strategy {

  /** The simple class name that Cassandra has for it. */
  String name();

  /**
   * What there is to do.
   *
   * @param live the tables; claimed ones are not chosen, but count for where others belong
   * @param now in milliseconds since 1970
   */
  Plan plan(LiveTables live, long now);
}
