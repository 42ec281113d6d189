package io.siltstone.bench.workload;

import io.siltstone.Database;
import io.siltstone.DatabaseStatistics;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.statistics.CacheStatistics;
import java.io.IOException;

/**
 * Sizes and counts of a database and one of its tables at one moment.
 *
 * @param onDiskBytes size of the table's data files
 * @param sstables number of SSTables of the table
 * @param pendingCompactions number of compaction jobs that wait
 * @param runningCompactions number of compaction jobs that run
 * @param compactionDebtBytes bytes that compaction still has to read
 * @param heapBytes heap in use by the process, garbage included
 * @param offHeapBytes off-heap memory of the database
 * @param memtableBytes memory of its memtables, on and off the heap
 * @param chunkCache statistics of its chunk cache
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
    CacheStatistics chunkCache) {

  /** Returns the present values. */
  public static Gauges of(Database database, Table table) throws IOException {
    TableStatistics of = table.statistics();
    DatabaseStatistics all = database.statistics();
    Runtime jvm = Runtime.getRuntime();
    return new Gauges(
        of.sstables().onDiskBytes(),
        of.sstables().count(),
        of.compaction().pendingJobs(),
        of.compaction().runningJobs(),
        of.compaction().debtBytes(),
        jvm.totalMemory() - jvm.freeMemory(),
        all.offHeap().bytes(),
        all.memtables().bytes(),
        all.chunkCache());
  }
}
