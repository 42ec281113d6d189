package io.siltstone;

import io.siltstone.maintenance.CompactionState;
import io.siltstone.statistics.MemtableStatistics;
import io.siltstone.statistics.ReadSummary;
import io.siltstone.statistics.Traffic;
import io.siltstone.statistics.WriteSummary;

/**
 * The size of a table at one moment, and what its reads and writes have cost since it was opened.
 * Sizes are in bytes.
 *
 * @param sstables the live SSTables
 * @param memtable the memtable that takes the writes
 * @param memtablesFlushing the number of other memtables, which are being flushed
 * @param reads the number and costs of reads
 * @param writes the number and costs of writes
 * @param traffic the bytes that flushes and compactions have read and written
 * @param compaction how far compaction is behind
 */
public record TableStatistics(
    SSTables sstables,
    MemtableStatistics memtable,
    int memtablesFlushing,
    ReadSummary reads,
    WriteSummary writes,
    Traffic traffic,
    CompactionState compaction) {

  /**
   * The number and sizes of the live SSTables.
   *
   * @param count the number of SSTables
   * @param onDiskBytes the size of their data files
   * @param dataBytes the size of their data before compression
   * @param offHeapBytes the off-heap memory for their filters, summaries and chunk offsets
   */
  public record SSTables(int count, long onDiskBytes, long dataBytes, long offHeapBytes) {}
}
