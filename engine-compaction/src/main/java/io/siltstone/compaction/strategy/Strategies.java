package io.siltstone.compaction.strategy;

import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import java.util.Map;
import java.util.TreeMap;

/** Makes the strategy that a table asks for. */
public final class Strategies {

  private Strategies() {}

  /**
   * The strategy of a table's {@code compaction} option, with Cassandra's options and defaults.
   *
   * @throws IllegalArgumentException naming every option that is not known or has a bad value, the
   *     value, and what is allowed
   */
  public static Strategy of(TableSchema schema) {
    TableOptions table = schema.options();
    Map<String, String> given = new TreeMap<>(table.compaction());
    given.remove("class");
    OptionValues values = new OptionValues(table.compactionStrategy(), given);
    PurgeOptions purge = PurgeOptions.of(values, table.gcGraceSeconds());
    Rules rules =
        switch (table.compactionStrategy()) {
          case SizeTiered.NAME -> new SizeTiered(SizeTieredOptions.of(values));
          default ->
              throw new IllegalArgumentException(
                  "compaction: class = "
                      + table.compactionStrategy()
                      + ", allowed "
                      + String.join(", ", TableOptions.COMPACTION_STRATEGIES));
        };
    boolean isEnabled = values.flag("enabled", true);
    values.ignore("log_all");
    values.finish();
    return new RuledStrategy(rules, purge, isEnabled);
  }
}
