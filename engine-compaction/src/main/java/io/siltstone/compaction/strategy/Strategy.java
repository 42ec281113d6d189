package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.List;

/**
 * Decides which SSTables of a table to merge. A pure function: the same tables and time give the
 * same plan. Immutable, safe for all threads.
 *
 * <p>A table that must not be touched, because a job has it or because it is damaged, is given as
 * claimed: it is not chosen, but counts for where others belong.
 */
public interface Strategy {

  /** The simple class name that Cassandra has for it. */
  String name();

  /**
   * What there is to do.
   *
   * @param now in milliseconds since 1970
   */
  @SuppressWarnings("exports")
  Plan plan(LiveTables live, long now);

  /**
   * Which tables it sees a table together with.
   *
   * @param live that the table is one of
   */
  @SuppressWarnings("exports")
  TableGroup group(LiveTables live, LiveTable table);

  /**
   * Merges all that may be merged, wanted or not; also where {@code enabled} is false. Tables that
   * are claimed, and those set apart, are left out; repaired and unrepaired ones are not merged
   * with each other.
   *
   * @param isSplit whether to leave tables of halving sizes rather than one, where the strategy
   *     does not divide its tables itself
   * @param now in milliseconds since 1970
   * @return with no SSTable in common; all of them may run at once
   */
  @SuppressWarnings("exports")
  List<Job> major(LiveTables live, boolean isSplit, long now);
}
