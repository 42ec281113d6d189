package io.siltstone.tools.terminal;

import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.schema.TableSchema;

/** The compaction strategy that a table names. */
public final class TableStrategy {

  private TableStrategy() {}

  /**
   * Makes it.
   *
   * @throws UsageException if it has options that are not allowed: a schema may come from elsewhere
   */
  public static Strategy of(TableSchema schema) {
    try {
      return StrategyRegistry.of(schema);
    } catch (IllegalArgumentException e) {
      throw new UsageException(TableOption.name(schema) + ": " + e.getMessage(), e);
    }
  }
}
