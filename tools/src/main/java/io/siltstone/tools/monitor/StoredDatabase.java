package io.siltstone.tools.monitor;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.jmx.CompactionMXBean;
import io.siltstone.jmx.DatabaseBeans;
import io.siltstone.jmx.DatabaseMXBean;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.maintenance.CompactionState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A database, or the directory of one table, that this process has opened for reading only.
 *
 * @param opened closed with this
 * @param isDatabase whether the directory is a database, rather than that of one table
 */
record StoredDatabase(String place, Database opened, boolean isDatabase)
    implements MonitoredDatabase {
  @Override
  public Optional<DatabaseMXBean> database() {
    return isDatabase ? Optional.of(DatabaseBeans.of(opened)) : Optional.empty();
  }

  @Override
  public Optional<CompactionMXBean> compaction() {
    return Optional.empty();
  }

  @Override
  public List<TableMXBean> tables() throws IOException {
    List<TableMXBean> tables = new ArrayList<>();
    for (Table table : opened.tables()) {
      // Without counters, which would count what this process does.
      tables.add(
          DatabaseBeans.ofFiles(
              table.id().keyspace(),
              table.id().name(),
              table.schema().options(),
              table.storedSummary(),
              pending(table),
              table.retentionFloor()));
    }
    return tables;
  }

  /**
   * Returns the compactions that the strategy would do; they are not known if its options are not
   * allowed.
   */
  private static CompactionState pending(Table table) throws IOException {
    Strategy strategy;
    try {
      strategy = StrategyRegistry.of(table.schema());
    } catch (IllegalArgumentException e) {
      return CompactionState.IDLE;
    }
    Plan plan = strategy.plan(table.live(), System.currentTimeMillis());
    return new CompactionState(plan.jobs().size(), 0, plan.debtBytes());
  }

  @Override
  public Optional<RunningProcess> process() {
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
