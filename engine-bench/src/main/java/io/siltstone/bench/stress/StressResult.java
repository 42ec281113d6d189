package io.siltstone.bench.stress;

import io.siltstone.DatabaseStatistics;
import io.siltstone.TableStatistics;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.schema.TableSchema;
import java.util.Optional;

/**
 * The result of a stress run.
 *
 * @param options of the run
 * @param schema of the table as it was
 * @param populated result of writing all rows first, if that was requested
 * @param run result of writing and reading; without operations if it was stopped before
 * @param isStopped whether it was stopped early
 * @param table statistics at the end, before memtables were flushed
 * @param database statistics at the end
 */
public record StressResult(
    StressOptions options,
    TableSchema schema,
    Optional<WorkloadResult> populated,
    WorkloadResult run,
    boolean isStopped,
    TableStatistics table,
    DatabaseStatistics database) {

  /** Returns whether nothing failed and every read was right. */
  public boolean isRight() {
    return run.isRight() && populated.map(WorkloadResult::isRight).orElse(true);
  }

  /** Returns bytes on disk per byte of data; 0 if nothing is on disk. */
  public double compressionRatio() {
    return table.sstables().dataBytes() == 0
        ? 0
        : (double) table.sstables().onDiskBytes() / table.sstables().dataBytes();
  }
}
