package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import java.util.Comparator;

/**
 * What is a strategy's own: which tables it merges, and into what. What all have in common is in
 * {@link RuledStrategy}. Immutable, safe for all threads.
 */
interface Rules {

  /** The simple class name that Cassandra has for the strategy. */
  String name();

  /** Takes what there is to merge, the most urgent first, and says why the rest is left alone. */
  void merge(Selection selection);

  /** Takes everything, whether there is a reason or not. */
  void mergeAll(Selection selection, boolean isSplit);

  /** Which tables are rewritten for their tombstones first. */
  Comparator<LiveTable> purgeOrder(Purges purges);

  /** The job that rewrites one table. */
  Job rewrite(Selection selection, LiveTable table, String reason);

  /** Which of the free tables may be looked at for having expired as a whole. */
  ExpiryOptions expiry();

  /** Whether tables are rewritten for their tombstones unless it is asked for. */
  default boolean purgesByDefault() {
    return true;
  }

  /**
   * When a table that has expired as a whole is dropped.
   *
   * @param leastAgeMillis of the data file: what could not be dropped is not tried again at once
   * @param ignoresOverlaps whether it is dropped even if it shadows something in another table
   */
  record ExpiryOptions(long leastAgeMillis, boolean ignoresOverlaps) {
    static final long DEFAULT_LEAST_AGE_SECONDS = 600;
    static final ExpiryOptions DEFAULT = new ExpiryOptions(DEFAULT_LEAST_AGE_SECONDS * 1000, false);
  }
}
