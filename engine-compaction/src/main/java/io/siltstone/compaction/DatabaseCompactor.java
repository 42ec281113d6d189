package io.siltstone.compaction;

import io.siltstone.compaction.strategy.Plan;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.LiveSetChange;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A service's front for one database or directory. Safe for all threads. */
final class DatabaseCompactor implements Compactor {
  private final CompactionService service;
  private final CompactionHost host;
  private final Map<TableId, TableCompactor> tables = new ConcurrentHashMap<>();
  private final Set<TableCompactor> dropped = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  DatabaseCompactor(CompactionService service, CompactionHost host) {
    this.service = service;
    this.host = host;
  }

  CompactionHost host() {
    return host;
  }

  /** Returns the clock by which data of the host expires. */
  InstantSource clock() {
    InstantSource asked = service.options().clock();
    return asked != null ? asked : host.clock();
  }

  boolean isClosed() {
    return isClosed;
  }

  boolean has(TableId table) {
    return !isClosed && host.tables().contains(table);
  }

  private TableCompactor work(TableId table) {
    return tables.computeIfAbsent(table, id -> new TableCompactor(service, this, id));
  }

  int tableCount() {
    return tables.size();
  }

  /** Forgets a table that is gone, and at which no thread is. */
  void forget(TableCompactor gone) {
    tables.remove(gone.id(), gone);
    dropped.remove(gone);
    service.over(gone);
  }

  @Override
  public void check(TableSchema schema) {
    var unused = StrategyRegistry.of(schema);
  }

  @Override
  public void onChange(TableId table, LiveSetChange change) {
    if (isClosed) {
      return;
    }
    if (change.cause() == LiveSetChange.Cause.DROP) {
      drop(table);
      return;
    }
    TableCompactor work = work(table);
    if (change.cause() == LiveSetChange.Cause.TRUNCATE) {
      work.cancel(job -> job.hasAnyOf(change.removed()));
    }
    service.consider(work);
  }

  private void drop(TableId table) {
    TableCompactor work = tables.remove(table);
    if (work != null) {
      // Known until its last thread has left; one of the same id may be created meanwhile.
      dropped.add(work);
      work.end(new CancellationException(table + " was dropped"));
    }
  }

  private Stream<TableCompactor> all() {
    return Stream.concat(tables.values().stream(), dropped.stream());
  }

  void considerAll() {
    if (!isClosed) {
      tables.values().forEach(service::consider);
    }
  }

  @Override
  public CompletionStage<CompactionReport> run(TableId table, CompactionRequest request) {
    if (!host.tables().contains(table)) {
      throw new IllegalArgumentException("there is no table " + table);
    }
    if (isClosed) {
      return CompletableFuture.failedStage(closed(table));
    }
    return work(table).run(request);
  }

  /** What fails for a table that was dropped or closed meanwhile was as good as cancelled. */
  Throwable orCancelled(TableId table, Throwable failure) {
    if (has(table) || !(failure instanceof Exception)) {
      return failure;
    }
    CancellationException cancelled = new CancellationException(table + " was closed or dropped");
    cancelled.initCause(failure);
    return cancelled;
  }

  static CancellationException closed(TableId table) {
    return new CancellationException("the compaction of " + table + " is closed");
  }

  @Override
  public CompactionState state(TableId table) {
    TableCompactor work = tables.get(table);
    return work == null ? CompactionState.IDLE : work.state();
  }

  Plan explain(TableId table, @Nullable Map<String, String> compaction) {
    TableSchema schema = host.schema(table);
    TableSchema asked =
        compaction == null
            ? schema
            : schema.toBuilder()
                .options(schema.options().toBuilder().compaction(compaction).build())
                .build();
    return work(table).explain(StrategyRegistry.of(asked));
  }

  List<ActiveJob> active() {
    return all().flatMap(work -> work.active().stream()).toList();
  }

  @Override
  public boolean isOwnThread() {
    return service.threads().isOwn();
  }

  @Override
  public void close() {
    if (isOwnThread()) {
      throw new IllegalStateException(
          "a compactor cannot be closed by a thread of its own, as by a listener that it calls");
    }
    isClosed = true;
    // All are told before one is waited for: its jobs may wait for threads that others have. Until
    // the end the service knows it, and lets go on what is paused.
    all().forEach(table -> table.end(closed(table.id())));
    all().forEach(TableCompactor::awaitEnd);
    all().forEach(service::over);
    tables.clear();
    dropped.clear();
    service.closed(this);
  }
}
