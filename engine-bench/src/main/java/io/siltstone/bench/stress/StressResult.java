package io.siltstone.bench.stress;

import io.siltstone.DatabaseStatistics;
import io.siltstone.TableStatistics;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.schema.TableSchema;
import java.util.Optional;

/**
 * What came of a stress.
 *
 * @param options of it
 * @param schema of the table as it was
 * @param populated of writing all rows first, if that was asked for
 * @param run of writing and reading; without operations if it was stopped before
 * @param isStopped whether it was ended before its time
 * @param table at the end, before what is in memory was flushed
 * @param database at the end
 */
public record StressResult(
    StressOptions options,
    TableSchema schema,
    Optional<WorkloadResult> populated,
    WorkloadResult run,
    boolean isStopped,
    TableStatistics table,
    DatabaseStatistics database) {

  /** Whether nothing failed and every read was right. */
  public boolean isRight() {
    return run.isRight() && populated.map(WorkloadResult::isRight).orElse(true);
  }

  /** Bytes on disk for each byte of data; 0 if nothing is on disk. */
  public double compressionRatio() {
    return table.dataBytes() == 0 ? 0 : (double) table.onDiskBytes() / table.dataBytes();
  }
}
