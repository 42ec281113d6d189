package io.siltstone.bench.workload;

import io.siltstone.Database;
import io.siltstone.DatabaseStatistics;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import java.io.IOException;

/**
 * What a database and one table of it have at some moment.
 *
 * @param onDiskBytes of the table's data files
 * @param sstables of the table
 * @param pendingCompactions jobs that wait
 * @param runningCompactions jobs that are being done
 * @param compactionDebtBytes that compaction still has to read
 * @param heapBytes in use by the process, garbage included
 * @param offHeapBytes of the database
 * @param memtableBytes on and off the heap
 * @param chunkCacheHits since the database was opened
 * @param chunkCacheMisses since the database was opened
 */
public record Gauges(
    long onDiskBytes,
    int sstables,
    int pendingCompactions,
    int runningCompactions,
    long compactionDebtBytes,
    long heapBytes,
    long offHeapBytes,
    long memtableBytes,
    long chunkCacheHits,
    long chunkCacheMisses) {

  /** As they are now. */
  public static Gauges of(Database database, Table table) throws IOException {
    TableStatistics of = table.statistics();
    DatabaseStatistics all = database.statistics();
    Runtime jvm = Runtime.getRuntime();
    return new Gauges(
        of.onDiskBytes(),
        of.sstables(),
        of.compaction().pendingJobs(),
        of.compaction().runningJobs(),
        of.compaction().debtBytes(),
        jvm.totalMemory() - jvm.freeMemory(),
        all.offHeapBytes(),
        all.memtableBytes(),
        all.chunkCache().hits(),
        all.chunkCache().misses());
  }
}
