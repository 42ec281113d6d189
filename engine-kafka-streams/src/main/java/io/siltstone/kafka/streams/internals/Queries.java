package io.siltstone.kafka.streams.internals;

import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.internals.StoreQueryUtils;

/**
 * Interactive queries of stores.
 *
 * <p>Uses {@code StoreQueryUtils}, in which Kafka has the queries of its own stores: what a query
 * means, and what is answered to one that a store does not know, is defined nowhere else.
 */
public final class Queries {
  private static final boolean HAS_ISOLATION_LEVELS = hasIsolationLevels();

  private Queries() {}

  // Since 4.4.
  private static boolean hasIsolationLevels() {
    try {
      QueryConfig.class.getMethod("getIsolationLevel");
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** Returns whether a query is to see only what is committed. */
  public static boolean isOfCommitted(QueryConfig config) {
    return HAS_ISOLATION_LEVELS && config.getIsolationLevel() == IsolationLevel.READ_COMMITTED;
  }

  /** Returns whether the position of a store has reached a bound. */
  public static boolean isPermitted(Position position, PositionBound bound, int partition) {
    return StoreQueryUtils.isPermitted(position, bound, partition);
  }

  /** Runs a query of a store that is at a position. */
  public static <R> QueryResult<R> run(
      Query<R> query,
      PositionBound bound,
      QueryConfig config,
      StateStore store,
      Position position,
      StateStoreContext context) {
    return StoreQueryUtils.handleBasicQueries(query, bound, config, store, position, context);
  }
}
