package io.siltstone.jmx;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Figures of one table. Bytes are bytes, timestamps microseconds since 1970. What comes from
 * counters counts from the opening of the database; what was asked for at most a tenth of a second
 * before may be told again, so that figures that are asked for together belong together.
 */
public interface TableMXBean {
  /** Its keyspace. */
  String getKeyspace();

  /** Its name. */
  String getName();

  /** Its compaction strategy with options; empty if the table's schema is not known. */
  Map<String, String> getCompactionOptions();

  /** Its compression options, as new SSTables have them; empty if the schema is not known. */
  Map<String, String> getCompressionOptions();

  /**
   * Whether a database has it open, so that there are counters: all attributes from {@link
   * #getMemtableRows} to {@link #getWriteAmplification}. Otherwise these are 0 and null.
   */
  boolean isOpen();

  // The SSTables.

  /** Live SSTables. */
  int getSSTableCount();

  /** How many are on level 0, 1 and so on. */
  int[] getSSTableCountPerLevel();

  /** Bytes of all files of those on level 0, 1 and so on. */
  long[] getSSTableBytesPerLevel();

  /** Bytes of all files of the largest SSTable. */
  long getMaxSSTableBytes();

  /** Bytes of all files. */
  long getLiveBytes();

  /** Uncompressed bytes of the data. */
  long getDataBytes();

  /** Compressed by uncompressed size of what is compressed; -1 if nothing is. */
  double getCompressionRatio();

  /** Different partitions, estimated; those of the memtable are added. */
  long getPartitionsEstimate();

  /** Rows in SSTables; one that several have counts as often. */
  long getRows();

  /** Sizes of partitions in bytes, uncompressed, those of each SSTable by itself. */
  DistributionFigures getPartitionBytes();

  /** Cells per partition, those of each SSTable by itself. */
  DistributionFigures getCellsPerPartition();

  /** Estimated share of cells, 0 to 1, that are tombstones older than {@code gc_grace_seconds}. */
  double getDroppableTombstoneRatio();

  /** Least timestamp; the greatest long if there are no SSTables. */
  long getMinTimestamp();

  /** Greatest timestamp; the least long if there are no SSTables. */
  long getMaxTimestamp();

  /** Bytes of all files of SSTables that Cassandra has repaired. */
  long getRepairedBytes();

  /** Bytes of bloom filters on disk. */
  long getBloomFilterBytes();

  /** Bytes of bloom filters in memory. */
  long getBloomFilterOffHeapBytes();

  /** Bytes of index summaries in memory. */
  long getIndexSummaryOffHeapBytes();

  /** Bytes of chunk offsets in memory. */
  long getCompressionMetadataOffHeapBytes();

  // What a database knows that has it open.

  /** Rows in the memtable that takes the writes. */
  long getMemtableRows();

  /** Bytes of all updates of the memtable that takes the writes. */
  long getMemtableDataBytes();

  /** Off-heap bytes of that memtable. */
  long getMemtableOffHeapBytes();

  /** Memtables that wait to be written or are being written. */
  int getPendingFlushes();

  /** Reads of a partition. */
  long getReadCount();

  /** Microseconds that reads of a partition took, from opening to closing. */
  @Nullable DistributionFigures getReadLatencyMicros();

  /** Scans of several partitions. */
  long getScanCount();

  /** Microseconds that scans took, from opening to closing. */
  @Nullable DistributionFigures getScanLatencyMicros();

  /** Mutations written, each of a batch by itself. */
  long getWriteCount();

  /**
   * Microseconds until what was written was visible, without the wait for the log's sync. A batch
   * counts once, so that there may be fewer of these than mutations.
   */
  @Nullable DistributionFigures getWriteLatencyMicros();

  /** How many SSTables had the partition of a read. */
  @Nullable DistributionFigures getSSTablesPerRead();

  /** Chunks fetched from files per read: what the chunk cache did not have. */
  @Nullable DistributionFigures getChunksPerRead();

  /** Bytes of those chunks per read, as stored. */
  @Nullable DistributionFigures getDiskBytesPerRead();

  /** Times that a bloom filter let a key through that its SSTable did not have. */
  long getBloomFilterFalsePositives();

  /** Memtables written. */
  long getFlushes();

  /** Bytes of data files that flushes have written. */
  long getFlushedBytes();

  /** Compactions committed. */
  long getCompactions();

  /** Bytes of data files that compactions have read. */
  long getCompactionBytesRead();

  /** Bytes of data files that compactions have written. */
  long getCompactionBytesWritten();

  /** Bytes written for each byte flushed, the flush included; 0 before the first flush. */
  double getWriteAmplification();

  // What is to be done.

  /** Compactions that wait for a thread; of files, that the strategy would do. */
  int getPendingCompactions();

  /** Compactions that run. */
  int getRunningCompactions();

  /** Bytes of data files to be read before the strategy has nothing to do. */
  long getCompactionDebtBytes();

  // Operations.

  /** Writes what is in memory to an SSTable, and returns when that is there. */
  void flush() throws IOException;

  /**
   * Merges all SSTables, and returns when that is done.
   *
   * @return what was done, in words
   */
  String compact() throws IOException;
}
