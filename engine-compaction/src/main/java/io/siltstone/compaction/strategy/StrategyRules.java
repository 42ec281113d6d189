package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.List;

/**
 * The rules that one compaction strategy has for itself: which SSTables it merges, and into what.
 * {@link RuledStrategy} has the rules that all strategies share. Immutable, safe for all threads.
 */
interface StrategyRules {

  /** Returns the simple name of Cassandra's strategy class. */
  String name();

  /**
   * Takes the SSTables to merge, the most urgent job first, and says why the others are left alone.
   *
   * @return the approximate number of bytes to merge before no job is left
   */
  long merge(CandidateSelection selection);

  /** Returns the group in which the strategy sees an SSTable. */
  TableGroup group(LiveTables live, LiveTable table);

  /** Takes all free SSTables for a major compaction. */
  void mergeAll(CandidateSelection selection, boolean isSplit);

  /**
   * Takes single SSTables that are worth rewriting for their tombstones, in the strategy's own
   * order.
   */
  void rewrite(
      CandidateSelection selection, List<LiveTable> worth, TombstoneCandidates tombstoneCandidates);

  /** Returns when fully expired SSTables are dropped. */
  ExpiryOptions expiry();

  /**
   * Returns whether SSTables are rewritten for their tombstones even if no tombstone option is
   * given.
   */
  default boolean purgesByDefault() {
    return true;
  }
}
