package io.siltstone.compaction;

import io.siltstone.compaction.strategy.Plan;
import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.event.EngineListener;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.LiveTables;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the compaction of one table: the jobs of its strategy, or those of a request. Safe for all
 * threads.
 */
final class TablePlanner {
  private static final Logger LOG = LoggerFactory.getLogger(TablePlanner.class);

  private final CompactionHost host;
  private final TableId id;
  private final InstantSource clock;
  private final FailedInputs failedInputs;
  private volatile @Nullable Chosen chosen;

  /** The strategy of a schema; or, if its options are wrong, null and the reason. */
  private record Chosen(TableSchema schema, @Nullable Strategy strategy, String problem) {}

  TablePlanner(CompactionHost host, TableId id, InstantSource clock, FailedInputs failedInputs) {
    this.host = host;
    this.id = id;
    this.clock = clock;
    this.failedInputs = failedInputs;
  }

  /** Returns the present strategy of the table; null if its options are wrong, which is logged. */
  @Nullable Strategy strategy() {
    return choose(host.schema(id)).strategy();
  }

  private Chosen choose(TableSchema schema) {
    Chosen present = chosen;
    if (present == null || !present.schema().equals(schema)) {
      try {
        present = new Chosen(schema, StrategyRegistry.of(schema), "");
      } catch (IllegalArgumentException e) {
        present = new Chosen(schema, null, String.valueOf(e.getMessage()));
        LOG.error("{} is not compacted: {}", id, e.getMessage());
      }
      chosen = present;
    }
    return present;
  }

  private Strategy required(TableSchema schema) {
    Chosen present = choose(schema);
    if (present.strategy() == null) {
      throw new IllegalArgumentException(id + ": " + present.problem());
    }
    return present.strategy();
  }

  /** Returns the plan of a strategy for these SSTables. */
  Plan plan(Strategy strategy, LiveTables live) {
    return strategy.plan(failedInputs.mark(live), clock.millis());
  }

  /**
   * Returns the jobs of a request. A training of a compression dictionary needs no job, and is done
   * here.
   *
   * @throws IllegalArgumentException if the request cannot be carried out, with the reason
   */
  RequestPlanner.Planned plan(CompactionRequest request) throws IOException {
    if (request.operation() == CompactionRequest.Operation.TRAIN_DICTIONARY) {
      return new RequestPlanner.Planned(List.of(), List.of(host.trainDictionary(id)));
    }
    return plan(request, host.schema(id), host.live(id));
  }

  private RequestPlanner.Planned plan(
      CompactionRequest request, TableSchema schema, LiveTables live) {
    // A scrub, and nothing else, takes damaged SSTables. It also tries unreadable ones again.
    boolean isScrub = request.operation() == CompactionRequest.Operation.SCRUB;
    return new RequestPlanner(
            schema,
            () -> required(schema),
            host.version(),
            () -> host.dictionary(id, !request.isDryRun()).orElse(null),
            clock.millis())
        .plan(request, isScrub ? live : failedInputs.markDamaged(live));
  }

  /** Returns what a request would do, and does nothing. */
  CompactionReport dryRun(CompactionRequest request) {
    TableSchema schema = host.schema(id);
    LiveTables live = host.live(id);
    RequestPlanner.Planned planned = plan(request, schema, live);
    PurgeForecast forecast = new PurgeForecast(schema, live, clock.millis());
    List<EngineListener.CompactionStarted> jobs = new ArrayList<>();
    List<String> remarks = new ArrayList<>(planned.remarks());
    for (JobSpec spec : planned.jobs()) {
      jobs.add(spec.started(id, UUID.randomUUID()));
      remarks.addAll(spec.kind().isPurging() ? forecast.of(spec) : List.of(spec.reason()));
    }
    return new CompactionReport(List.of(), List.of(), jobs, remarks);
  }
}
