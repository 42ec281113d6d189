package io.siltstone.jmx;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Figures of one table. Sizes are bytes, timestamps are microseconds since 1970. Counters count
 * from the opening of the database. A figure may be up to a tenth of a second old, so that figures
 * that are read together are consistent.
 */
public interface TableMXBean {
  /** Returns its keyspace. */
  String getKeyspace();

  /** Returns its name. */
  String getName();

  /** Returns its compaction strategy with options; empty if the table's schema is not known. */
  Map<String, String> getCompactionOptions();

  /** Returns the compression options of new SSTables; empty if the schema is not known. */
  Map<String, String> getCompressionOptions();

  /**
   * Returns whether a database has it open, so that there are counters: all attributes from {@link
   * #getMemtableRows} to {@link #getWriteAmplification}. Otherwise these are 0 and null.
   */
  boolean isOpen();

  // SSTables.

  /** Returns the number of live SSTables. */
  int getSSTableCount();

  /** Returns the number of SSTables on level 0, 1 and so on. */
  int[] getSSTableCountPerLevel();

  /** Returns the size in bytes of all files of the SSTables on level 0, 1 and so on. */
  long[] getSSTableBytesPerLevel();

  /** Returns the size in bytes of all files of the largest SSTable. */
  long getMaxSSTableBytes();

  /** Returns the size in bytes of all files. */
  long getLiveBytes();

  /** Returns the uncompressed size in bytes of the data. */
  long getDataBytes();

  /** Returns the compressed by the uncompressed size of compressed data; -1 if there is none. */
  double getCompressionRatio();

  /**
   * Returns the estimated number of distinct partitions in SSTables, plus those of the memtable.
   */
  long getPartitionsEstimate();

  /** Returns the number of rows in SSTables; a row in several SSTables counts several times. */
  long getRows();

  /** Returns the distribution of uncompressed partition sizes, for each SSTable by itself. */
  DistributionFigures getPartitionBytes();

  /** Returns the distribution of cells per partition, for each SSTable by itself. */
  DistributionFigures getCellsPerPartition();

  /**
   * Returns the estimated share of cells, 0 to 1, that are tombstones older than {@code
   * gc_grace_seconds}.
   */
  double getDroppableTombstoneRatio();

  /** Returns the least timestamp; {@code Long.MAX_VALUE} if there are no SSTables. */
  long getMinTimestamp();

  /** Returns the greatest timestamp; {@code Long.MIN_VALUE} if there are no SSTables. */
  long getMaxTimestamp();

  /**
   * Returns the retention floor as text of the time column; null if the table has none. Rows whose
   * time is less are hidden.
   */
  @Nullable String getRetentionFloor();

  /** Returns the size in bytes of all files of SSTables that Cassandra has repaired. */
  long getRepairedBytes();

  /** Returns the size in bytes of bloom filters on disk. */
  long getBloomFilterBytes();

  /** Returns the size in bytes of bloom filters in memory. */
  long getBloomFilterOffHeapBytes();

  /** Returns the size in bytes of index summaries in memory. */
  long getIndexSummaryOffHeapBytes();

  /** Returns the size in bytes of chunk offsets in memory. */
  long getCompressionMetadataOffHeapBytes();

  // Counters and memtables of an open table.

  /** Returns the number of rows in the active memtable. */
  long getMemtableRows();

  /** Returns the size in bytes of all updates of the active memtable. */
  long getMemtableDataBytes();

  /** Returns the off-heap size in bytes of the active memtable. */
  long getMemtableOffHeapBytes();

  /** Returns the number of memtables that wait to be flushed or are being flushed. */
  int getPendingFlushes();

  /** Returns the number of reads of one partition. */
  long getReadCount();

  /** Returns the latency of reads of one partition in microseconds, from opening to closing. */
  @Nullable DistributionFigures getReadLatencyMicros();

  /** Returns the number of scans of several partitions. */
  long getScanCount();

  /** Returns the latency of scans in microseconds, from opening to closing. */
  @Nullable DistributionFigures getScanLatencyMicros();

  /** Returns the number of mutations written; each mutation of a batch counts. */
  long getWriteCount();

  /**
   * Returns the latency of writes in microseconds until they were visible, without the wait for the
   * sync of the commit log. A batch counts once, so there may be fewer of these than mutations.
   */
  @Nullable DistributionFigures getWriteLatencyMicros();

  /** Returns the distribution of the number of SSTables that had the partition of a read. */
  @Nullable DistributionFigures getSSTablesPerRead();

  /**
   * Returns the distribution of chunks per read that came from files, because they were not cached.
   */
  @Nullable DistributionFigures getChunksPerRead();

  /** Returns the distribution of the stored size of those chunks per read. */
  @Nullable DistributionFigures getDiskBytesPerRead();

  /** Returns the number of false positives of bloom filters. */
  long getBloomFilterFalsePositives();

  /** Returns the number of queries and iterators that their timeout has ended. */
  long getTimedOutReads();

  /** Returns the number of queries and iterators that were cancelled by a call. */
  long getCancelledReads();

  /** Returns the number of flushes. */
  long getFlushes();

  /** Returns the size in bytes of data files written by flushes. */
  long getFlushedBytes();

  /** Returns the number of committed compactions. */
  long getCompactions();

  /** Returns the size in bytes of data files read by compactions. */
  long getCompactionBytesRead();

  /** Returns the size in bytes of data files written by compactions. */
  long getCompactionBytesWritten();

  /** Returns the bytes written per byte flushed, the flush included; 0 before the first flush. */
  double getWriteAmplification();

  // Backlog.

  /**
   * Returns the number of compactions that wait for a thread; for files, those that the strategy
   * would start.
   */
  int getPendingCompactions();

  /** Returns the number of running compactions. */
  int getRunningCompactions();

  /** Returns the bytes in data files that have to be read before the strategy has nothing to do. */
  long getCompactionDebtBytes();

  // Operations.

  /**
   * Raises the retention floor: rows whose time is less are hidden from now on, for good.
   *
   * @param value text of the time column in CQL, or for a {@code timeuuid} a time in ISO 8601
   * @return false if the floor is as great or greater already
   */
  boolean raiseRetentionFloor(String value) throws IOException;

  /** Flushes the memtable, and returns when its SSTable is live. */
  void flush() throws IOException;

  /**
   * Merges all SSTables, and returns when that is done.
   *
   * @return a description of what was done
   */
  String compact() throws IOException;
}
