package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.List;

/**
 * A compaction strategy: decides which SSTables of a table to merge. It is a pure function: the
 * same SSTables and time give the same plan. Immutable, safe for all threads.
 *
 * <p>An SSTable that must not be touched, because a job has it or because it is damaged, is passed
 * as claimed or damaged: it is not chosen, but counts when others are placed.
 */
public interface Strategy {

  /** Returns the simple name of Cassandra's strategy class. */
  String name();

  /**
   * Returns the jobs that the strategy would start now.
   *
   * @param now in milliseconds since 1970
   */
  Plan plan(LiveTables live, long now);

  /**
   * Returns the group (level, window, size tier) in which the strategy sees an SSTable.
   *
   * @param live the live SSTables, which include this one
   */
  TableGroup group(LiveTables live, LiveTable table);

  /**
   * Plans a major compaction: merges all SSTables that may be merged, even if {@code enabled} is
   * false. Claimed SSTables and those of a pending repair are left out; repaired and unrepaired
   * ones are not merged with each other.
   *
   * @param isSplit whether to divide the output into SSTables of halving sizes, where the strategy
   *     does not divide it in another way
   * @param now in milliseconds since 1970
   * @return jobs with no SSTable in common; all of them may run at once
   */
  List<Job> major(LiveTables live, boolean isSplit, long now);
}
