package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.List;

/**
 * What is a strategy's own: which tables it merges, and into what. What all have in common is in
 * {@link RuledStrategy}. Immutable, safe for all threads.
 */
interface StrategyRules {

  /** The simple class name that Cassandra has for the strategy. */
  String name();

  /**
   * Takes what there is to merge, the most urgent first, and says why the rest is left alone.
   *
   * @return about how many bytes are to be merged before there is nothing left to do
   */
  long merge(CandidateSelection candidateSelection);

  /** Which tables are seen together. */
  TableGroup group(LiveTables live, LiveTable table);

  /** Takes everything, whether there is a reason or not. */
  void mergeAll(CandidateSelection candidateSelection, boolean isSplit);

  /** Takes single tables that are worth rewriting for their tombstones, in an order of its own. */
  void rewrite(
      CandidateSelection candidateSelection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates);

  /** Which of the free tables may be looked at for having expired as a whole. */
  ExpiryOptions expiry();

  /** Whether tables are rewritten for their tombstones unless it is asked for. */
  default boolean purgesByDefault() {
    return true;
  }
}
