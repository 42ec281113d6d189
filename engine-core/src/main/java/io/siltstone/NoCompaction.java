package io.siltstone;

import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.LiveSetChange;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The compactor that compacts nothing, and fails each request. */
enum NoCompaction implements Compactor {
  INSTANCE;

  @Override
  public void check(TableSchema schema) {}

  @Override
  public void onChange(TableId table, LiveSetChange change) {}

  @Override
  public CompletionStage<CompactionReport> run(TableId table, CompactionRequest request) {
    return CompletableFuture.failedStage(
        new UnsupportedOperationException(
            table + " cannot be compacted: it was opened without compaction, Compaction.none()"));
  }

  @Override
  public CompactionState state(TableId table) {
    return CompactionState.IDLE;
  }

  @Override
  public void close() {}
}
