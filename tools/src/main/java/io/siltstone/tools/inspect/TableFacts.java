package io.siltstone.tools.inspect;

import io.siltstone.schema.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a table from which {@link AdviceRules} derives its advice.
 *
 * @param name of the table
 * @param schema with its present options
 * @param data amount of data
 * @param partitions sizes of partitions
 * @param chunks chunk lengths that were tried on a sample of the data
 * @param keys what a sample of keys has in all SSTables
 * @param times when rows were written, and when they expire
 * @param droppable share of all cells that were deleted or have expired for gc_grace_seconds
 * @param traffic how the table is used; null if that is not known
 */
record TableFacts(
    String name,
    TableSchema schema,
    DataSize data,
    PartitionSizes partitions,
    ChunkTrials chunks,
    KeySample keys,
    WriteTimes times,
    double droppable,
    @Nullable TableTraffic traffic) {

  /**
   * The amount of data in all SSTables.
   *
   * @param sstables number of SSTables
   * @param onDiskBytes size of the data files
   * @param dataBytes size of the data before compression
   * @param otherSSTables number of SSTables whose compression is not the one of the schema
   * @param otherBytes size of the data files of those
   * @param rows number of rows; a row in several SSTables counts several times
   * @param debtBytes bytes that the strategy still has to merge, even if compaction is turned off
   * @param flushBytes approximate size of one flush
   */
  record DataSize(
      int sstables,
      long onDiskBytes,
      long dataBytes,
      int otherSSTables,
      long otherBytes,
      long rows,
      long debtBytes,
      long flushBytes) {}

  /**
   * The sizes of partitions within one SSTable, before compression.
   *
   * @param count number of partitions; one in several SSTables counts several times
   * @param medianBytes size that half of them do not exceed
   * @param p95Bytes size that 95 % of them do not exceed
   * @param maxBytes approximate size of the largest
   */
  record PartitionSizes(long count, long medianBytes, long p95Bytes, long maxBytes) {}

  /**
   * The chunk lengths that a sample of the data was compressed with.
   *
   * @param sampledBytes size of the sample
   * @param lengths ascending; the present chunk length is one of them
   * @param compressors that it was compressed with, some with a dictionary
   */
  record ChunkTrials(
      long sampledBytes, List<ChunkFigures> lengths, List<CompressorTrial> compressors) {
    ChunkTrials {
      lengths = List.copyOf(lengths);
      compressors = List.copyOf(compressors);
    }
  }

  /**
   * What a sample of keys has in all SSTables.
   *
   * @param count number of keys
   * @param sstablesPerRead mean number of SSTables that have such a key
   * @param maxSSTablesPerRead greatest number of SSTables that have one of the keys
   * @param shadowed share of their cells that newer cells or deletions hide
   * @param tombstones share of what they have that is a deletion
   */
  record KeySample(
      int count,
      double sstablesPerRead,
      int maxSSTablesPerRead,
      double shadowed,
      double tombstones) {}

  /**
   * When rows were written, and when they expire.
   *
   * @param clustering name of the first clustering column if it is a time, else empty
   * @param order share of neighboring rows that were written in the order of that column; NaN if it
   *     is not known
   * @param partitionSpan mean share of the table's time span over which the rows of a sampled
   *     partition were written
   * @param ttlSeconds greatest time to live if everything expires, else 0
   * @param spanSeconds time from the oldest write to the newest
   */
  record WriteTimes(
      String clustering, double order, double partitionSpan, long ttlSeconds, long spanSeconds) {}

  /** The compaction option that turns compaction on or off. */
  static final String ENABLED = "enabled";

  /** Returns the strategy's simple name. */
  String strategy() {
    String full = schema.options().compactionStrategy();
    return full.substring(full.lastIndexOf('.') + 1);
  }

  /** Returns whether compaction is turned on. */
  boolean isCompacted() {
    return !"false".equalsIgnoreCase(schema.options().compaction().get(ENABLED));
  }

  /**
   * Returns the mean number of SSTables per read: of actual reads if there were enough, else of the
   * sampled keys.
   */
  double perRead() {
    return traffic != null && traffic.hasReads()
        ? traffic.sstablesPerRead()
        : keys.sstablesPerRead();
  }

  boolean isCompressed() {
    return schema.options().compression().isEnabled();
  }

  /** Returns the figures of a chunk length that was tried. */
  ChunkFigures with(int chunkBytes) {
    return chunks.lengths().stream()
        .filter(each -> each.chunkBytes() == chunkBytes)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the figures of the present chunk length. */
  ChunkFigures present() {
    return with(schema.options().compression().chunkLengthBytes());
  }

  /** Returns the bytes of a partition that a read of a row has to examine, in one SSTable. */
  static long touchedBytes(long medianPartitionBytes) {
    return Math.max(1, Math.min(medianPartitionBytes, INDEX_BLOCK_BYTES));
  }

  /** The size of index blocks, by which rows of a larger partition are found. */
  static final int INDEX_BLOCK_BYTES = 16 * 1024;
}
