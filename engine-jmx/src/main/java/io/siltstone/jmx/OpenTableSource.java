package io.siltstone.jmx;

import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.StoredSummary;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

/** The figures of a table of an open database. */
record OpenTableSource(Table table) implements TableSource {
  @Override
  public String keyspace() {
    return table.id().keyspace();
  }

  @Override
  public String name() {
    return table.id().name();
  }

  @Override
  public Optional<TableOptions> options() {
    return Optional.of(table.schema().options());
  }

  @Override
  public StoredSummary stored() throws IOException {
    return table.storedSummary();
  }

  @Override
  public Optional<TableStatistics> statistics() throws IOException {
    return Optional.of(table.statistics());
  }

  @Override
  public CompactionState compaction() throws IOException {
    return table.statistics().compaction();
  }

  @Override
  public Optional<Object> retentionFloor() throws IOException {
    return table.retentionFloor();
  }

  @Override
  public boolean raiseRetentionFloor(String value) throws IOException {
    return table.raiseRetentionFloor(value);
  }

  @Override
  public void flush() throws IOException {
    table.flush();
  }

  @Override
  public String compact() throws IOException {
    CompactionReport report;
    try {
      report =
          table
              .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
              .toCompletableFuture()
              .join();
    } catch (CompletionException | CancellationException e) {
      throw new IOException(table + " was not compacted: " + e.getMessage(), e);
    }
    report.orThrow();
    long in = report.completed().stream().mapToLong(job -> job.inputs().size()).sum();
    long out = report.completed().stream().mapToLong(job -> job.outputs().size()).sum();
    return table + ": " + in + " SSTables were merged into " + out;
  }
}
