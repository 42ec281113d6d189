package io.siltstone;

import io.siltstone.maintenance.CompactionState;
import io.siltstone.statistics.MemtableStatistics;
import io.siltstone.statistics.ReadSummary;
import io.siltstone.statistics.Traffic;
import io.siltstone.statistics.WriteSummary;
import io.siltstone.table.read.TableEstimate;
import java.util.Optional;

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
 * @param retentionFloor the retention floor, as a value of the time column; empty for none
 */
public record TableStatistics(
    SSTables sstables,
    MemtableStatistics memtable,
    int memtablesFlushing,
    ReadSummary reads,
    WriteSummary writes,
    Traffic traffic,
    CompactionState compaction,
    Optional<Object> retentionFloor) {

  /**
   * The number and sizes of the live SSTables.
   *
   * @param count the number of SSTables
   * @param onDiskBytes the size of their data files
   * @param dataBytes the size of their data before compression
   * @param offHeapBytes the off-heap memory for their filters, summaries and chunk offsets
   */
  public record SSTables(int count, long onDiskBytes, long dataBytes, long offHeapBytes) {}

  /**
   * The estimated size of a table, or of a range of its partitions, by {@link Table#estimate}.
   *
   * <p>Bytes are exact for SSTables, as far as they have been flushed. Partitions are exact for a
   * range that lies in one SSTable and has few of its samples, and wrong by a few percent
   * otherwise: how many SSTables share a partition is estimated for all of those that have some of
   * the range. Deleted and expired data counts until compaction has removed it.
   *
   * @param partitions the number of different partitions
   * @param rows the number of rows, in which each version in another SSTable or memtable counts
   *     once more, and static rows count: an upper bound. That of partitions if the table has no
   *     clustering columns
   * @param dataBytes the size before compression of all versions
   * @param onDiskBytes the part of the data files that they take up, without memtables
   */
  public record Estimate(long partitions, long rows, long dataBytes, long onDiskBytes) {
    static Estimate of(TableEstimate of) {
      return new Estimate(of.partitions(), of.rows(), of.dataBytes(), of.onDiskBytes());
    }
  }
}
