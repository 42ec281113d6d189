package io.siltstone.tools.terminal;

import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.schema.TableSchema;

/** Creates the compaction strategy that a table's options name. */
public final class TableStrategy {

  private TableStrategy() {}

  /**
   * Creates the strategy.
   *
   * @throws UsageException if it has options that are not allowed, because a schema may come from
   *     elsewhere
   */
  public static Strategy of(TableSchema schema) {
    try {
      return StrategyRegistry.of(schema);
    } catch (IllegalArgumentException e) {
      throw new UsageException(TableOption.name(schema) + ": " + e.getMessage(), e);
    }
  }
}
