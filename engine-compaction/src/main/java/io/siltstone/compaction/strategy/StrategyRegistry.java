package io.siltstone.compaction.strategy;

import io.siltstone.cursor.RetentionFloor;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The registry of compaction strategies: makes the strategy that a table's {@code compaction}
 * option names. A new strategy is registered here.
 */
public final class StrategyRegistry {

  private StrategyRegistry() {}

  /**
   * Returns the strategy of a table's {@code compaction} option, with Cassandra's options and
   * defaults.
   *
   * @throws IllegalArgumentException naming every option that is not known or has a bad value, the
   *     value, and what is allowed
   */
  public static Strategy of(TableSchema schema) {
    OptionValues values = values(schema.options());
    PurgeOptions purge = PurgeOptions.of(values, schema.options().gcGraceSeconds());
    boolean isEnabled = values.flag("enabled", true);
    values.ignore("log_all");
    StrategyRules rules = rules(schema, values);
    values.finish();
    return new RuledStrategy(rules, purge, isEnabled);
  }

  private static OptionValues values(TableOptions table) {
    Map<String, String> given = new TreeMap<>(table.compaction());
    given.remove("class");
    return new OptionValues(table.compactionStrategy(), given);
  }

  private static StrategyRules rules(TableSchema schema, OptionValues values) {
    String name = schema.options().compactionStrategy();
    return switch (name) {
      case SizeTieredStrategy.NAME -> new SizeTieredStrategy(SizeTieredOptions.of(values));
      case LeveledStrategy.NAME -> new LeveledStrategy(LeveledOptions.of(values));
      case TimeWindowStrategy.NAME ->
          new TimeWindowStrategy(
              TimeWindowOptions.of(values, RetentionFloor.hasTimeColumn(schema)));
      case UnifiedStrategy.NAME -> new UnifiedStrategy(UnifiedOptions.of(values));
      default ->
          throw new IllegalArgumentException(
              "compaction: class = "
                  + name
                  + ", allowed "
                  + String.join(", ", TableOptions.COMPACTION_STRATEGIES));
    };
  }

  /**
   * Returns new levels for the SSTables of a table with leveled compaction, by which no two of one
   * level overlap and none is in a higher level than an older one that it overlaps. Claimed
   * SSTables stay where they are.
   *
   * @throws IllegalArgumentException if the table's compaction is not leveled, or as {@link #of}
   */
  public static Map<Descriptor, Integer> relevel(TableSchema schema, LiveTables live) {
    if (!schema.options().compactionStrategy().equals(LeveledStrategy.NAME)) {
      throw new IllegalArgumentException(
          "only tables with "
              + LeveledStrategy.NAME
              + ", this one has "
              + schema.options().compactionStrategy());
    }
    of(schema);
    LeveledStrategy rules = new LeveledStrategy(LeveledOptions.of(values(schema.options())));
    Map<Descriptor, Integer> levels = new HashMap<>();
    for (CandidateSelection selection : CandidateSelection.byRepairState(live, 0)) {
      levels.putAll(rules.relevel(selection));
    }
    return levels;
  }
}
