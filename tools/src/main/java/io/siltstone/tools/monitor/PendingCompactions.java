package io.siltstone.tools.monitor;

import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlTypes;
import java.util.Map;
import java.util.Optional;

/** Determines whether the pending compactions of tables are known. */
final class PendingCompactions {
  private PendingCompactions() {}

  static boolean isKnown(TableMXBean table) {
    return whyUnknown(table).isEmpty();
  }

  /**
   * Returns the reason why they are not known: there is no schema, or its compaction options are
   * not allowed.
   */
  static Optional<String> whyUnknown(TableMXBean table) {
    if (!hasSchema(table)) {
      return Optional.of("there is no schema.cql beside the SSTables");
    }
    try {
      Strategy unused = strategy(table.getCompactionOptions());
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Returns whether a {@code schema.cql} has the options of a table. */
  static boolean hasSchema(TableMXBean table) {
    return !table.getCompactionOptions().isEmpty();
  }

  private static Strategy strategy(Map<String, String> options) {
    return StrategyRegistry.of(
        TableSchema.builder("any", "table")
            .partitionKey("key", CqlTypes.BLOB)
            .options(TableOptions.builder().compaction(options).build())
            .build());
  }
}
