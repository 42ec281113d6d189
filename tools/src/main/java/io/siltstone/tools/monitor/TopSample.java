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
 * The figures that {@code top} has read from a database at one moment. Rates are computed from two
 * samples.
 *
 * @param nanos time of the sample by {@link System#nanoTime}
 */
record TopSample(long nanos, Map<String, TableSample> tables, Caches caches) {

  /**
   * The counters and sizes of a table at one moment.
   *
   * @param reads with their latencies
   * @param mutations number of writes, measured or not
   * @param writes with their latencies
   * @param sstablesPerRead mean number of SSTables that a read found its partition in
   */
  record TableSample(
      boolean isOpen,
      Latencies reads,
      long mutations,
      Latencies writes,
      double sstablesPerRead,
      Storage storage,
      Backlog backlog) {
    static TableSample of(TableMXBean table) {
      DistributionFigures perRead = table.getSSTablesPerRead();
      return new TableSample(
          table.isOpen(),
          Latencies.of(table.getReadLatencyMicros()),
          table.getWriteCount(),
          Latencies.of(table.getWriteLatencyMicros()),
          perRead == null ? 0 : perRead.getMean(),
          new Storage(
              table.getSSTableCount(),
              table.getLiveBytes(),
              table.getFlushedBytes(),
              table.getCompactionBytesWritten()),
          new Backlog(
              PendingCompactions.isKnown(table),
              table.getPendingCompactions(),
              table.getRunningCompactions(),
              table.getCompactionDebtBytes()));
    }
  }

  /** The latencies of one kind of operation since the database was opened, in microseconds. */
  record Latencies(long count, double sumMicros, double p99Micros) {
    private static final Latencies NONE = new Latencies(0, 0, 0);

    private static Latencies of(@Nullable DistributionFigures values) {
      return values == null
          ? NONE
          : new Latencies(
              values.getCount(), values.getMean() * values.getCount(), values.getPercentile99());
    }
  }

  /** The size of a table, and the bytes written by flushes and compactions so far. */
  record Storage(int sstables, long bytes, long flushedBytes, long compactedBytes) {}

  /** The compactions of a table that run and that are still to be done, if that is known. */
  record Backlog(boolean isKnown, int pending, int running, long debtBytes) {}

  /** The hits and misses of the caches at one moment. */
  record Caches(long chunkHits, long chunkMisses, long keyHits, long keyMisses) {}

  static TopSample of(MonitoredDatabase monitoredDatabase, List<TableMXBean> tables)
      throws IOException {
    Map<String, TableSample> samples = new LinkedHashMap<>();
    for (TableMXBean table : tables) {
      samples.put(table.getKeyspace() + "." + table.getName(), TableSample.of(table));
    }
    Optional<DatabaseMXBean> database =
        monitoredDatabase.process().isPresent() ? monitoredDatabase.database() : Optional.empty();
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
