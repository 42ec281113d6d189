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

/**
 * Compacts the tables of one database, or of one table directory that no database has open. Safe
 * for all threads.
 */
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

  /** Returns the clock that decides what has expired: that of the options, or else the host's. */
  InstantSource clock() {
    InstantSource asked = service.options().clock();
    return asked != null ? asked : host.clock();
  }

  boolean isClosed() {
    return isClosed;
  }

  boolean has(TableId table) {
    return !isClosed && host.has(table);
  }

  private TableCompactor compactor(TableId table) {
    return tables.computeIfAbsent(table, id -> new TableCompactor(service, this, id));
  }

  int tableCount() {
    return tables.size();
  }

  /** Removes a table that was closed or dropped, and that no thread is working on. */
  void remove(TableCompactor gone) {
    tables.remove(gone.id(), gone);
    dropped.remove(gone);
    service.remove(gone);
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
    TableCompactor compactor = compactor(table);
    if (change.cause() == LiveSetChange.Cause.TRUNCATE) {
      compactor.cancel(job -> job.hasAnyOf(change.removed()));
    }
    service.consider(compactor);
  }

  private void drop(TableId table) {
    TableCompactor compactor = tables.remove(table);
    if (compactor != null) {
      // Kept until its last thread has left; a table with the same id may be created meanwhile.
      dropped.add(compactor);
      compactor.end(new CancellationException(table + " was dropped"));
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
    if (!host.has(table)) {
      throw new IllegalArgumentException("there is no table " + table);
    }
    if (isClosed) {
      return CompletableFuture.failedStage(closed(table));
    }
    return compactor(table).run(request);
  }

  /**
   * Returns a cancellation in place of a failure that occurred because the table was dropped or
   * closed.
   */
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
    TableCompactor compactor = tables.get(table);
    return compactor == null ? CompactionState.IDLE : compactor.state();
  }

  Plan explain(TableId table, @Nullable Map<String, String> compaction) {
    TableSchema schema = host.schema(table);
    TableSchema asked =
        compaction == null
            ? schema
            : schema.toBuilder()
                .options(schema.options().toBuilder().compaction(compaction).build())
                .build();
    return compactor(table).explain(StrategyRegistry.of(asked));
  }

  List<ActiveJob> active() {
    return all().flatMap(compactor -> compactor.active().stream()).toList();
  }

  @Override
  public boolean isOwnThread() {
    return service.threads().isCompactionThread();
  }

  @Override
  public void close() {
    if (isOwnThread()) {
      throw new IllegalStateException(
          "a compactor cannot be closed by one of its own threads, for instance in a listener");
    }
    isClosed = true;
    // All are ended before one is awaited: its jobs may wait for threads that others occupy. Until
    // the end the service knows this compactor, so that a resume reaches its paused jobs.
    all().forEach(table -> table.end(closed(table.id())));
    all().forEach(TableCompactor::awaitEnd);
    all().forEach(service::remove);
    tables.clear();
    dropped.clear();
    service.closed(this);
  }
}
