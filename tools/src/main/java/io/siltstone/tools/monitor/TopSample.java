package io.siltstone.tools.monitor;

import io.siltstone.jmx.DatabaseMXBean;
import io.siltstone.jmx.DistributionFigures;
import io.siltstone.jmx.TableMXBean;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code top} has seen of a place at one moment; rates come from two of them.
 *
 * @param nanos when
 */
record TopSample(long nanos, Map<String, TableSample> tables, Caches caches) {

  /** What a table had done, and had, at one moment. */
  record TableSample(
      boolean isOpen,
      long reads,
      double readMicros,
      long mutations,
      long writes,
      double writeMicros,
      double readP99,
      double writeP99,
      double sstablesPerRead,
      int sstables,
      long bytes,
      long flushedBytes,
      long compactedBytes,
      boolean isPendingKnown,
      int pending,
      int running,
      long debtBytes) {
    static TableSample of(TableMXBean table) {
      DistributionFigures reads = table.getReadLatencyMicros();
      DistributionFigures writes = table.getWriteLatencyMicros();
      DistributionFigures perRead = table.getSSTablesPerRead();
      return new TableSample(
          table.isOpen(),
          count(reads),
          sum(reads),
          table.getWriteCount(),
          count(writes),
          sum(writes),
          reads == null ? 0 : reads.getPercentile99(),
          writes == null ? 0 : writes.getPercentile99(),
          perRead == null ? 0 : perRead.getMean(),
          table.getSSTableCount(),
          table.getLiveBytes(),
          table.getFlushedBytes(),
          table.getCompactionBytesWritten(),
          PendingWork.isKnown(table),
          table.getPendingCompactions(),
          table.getRunningCompactions(),
          table.getCompactionDebtBytes());
    }

    private static long count(@Nullable DistributionFigures values) {
      return values == null ? 0 : values.getCount();
    }

    private static double sum(@Nullable DistributionFigures values) {
      return values == null ? 0 : values.getMean() * values.getCount();
    }
  }

  /** What the caches had done at one moment. */
  record Caches(long chunkHits, long chunkMisses, long keyHits, long keyMisses) {}

  static TopSample of(Observed observed, List<TableMXBean> tables) throws IOException {
    Map<String, TableSample> samples = new LinkedHashMap<>();
    for (TableMXBean table : tables) {
      samples.put(table.getKeyspace() + "." + table.getName(), TableSample.of(table));
    }
    Optional<DatabaseMXBean> database =
        observed.process().isPresent() ? observed.database() : Optional.empty();
    Caches caches =
        database
            .map(
                of -> {
                  var chunks = of.getChunkCache();
                  var keys = of.getKeyCache();
                  return new Caches(
                      chunks.getHits(), chunks.getMisses(), keys.getHits(), keys.getMisses());
                })
            .orElseGet(() -> new Caches(0, 0, 0, 0));
    return new TopSample(System.nanoTime(), samples, caches);
  }
}
