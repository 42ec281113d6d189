package io.siltstone.sstable.index;

import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;

/**
 * Writes the index of an SSTable, in the order of its partitions. Memory does not grow with a
 * partition. Confined to one thread at a time; closing it closes its files.
 */
public interface IndexOutput extends Closeable {

  /**
   * Begins a partition.
   *
   * @param dataPosition its position in the uncompressed data file
   */
  void startPartition(long dataPosition) throws IOException;

  /**
   * Records a row or marker (not the static row).
   *
   * @param from its beginning, from the partition's beginning
   * @param to its end
   */
  void add(Unfiltered unfiltered, long from, long to) throws IOException;

  /**
   * Returns whether the current partition has blocks, and the next row or marker begins another.
   */
  boolean isBetweenBlocks();

  /**
   * Ends the partition's blocks.
   *
   * @param length of the partition in bytes, with its end mark
   * @return whether there are blocks to write
   */
  boolean endBlocks(long length) throws IOException;

  /**
   * Writes the entry of a partition without blocks. It may be a partition before the current one,
   * and another thread may call this method than the others.
   *
   * @param hash second half of the key's hash for the bloom filter
   * @param dataPosition of the partition in the uncompressed data file
   */
  void addEntry(PartitionKey key, long hash, long dataPosition) throws IOException;

  /**
   * Writes the entry of the current partition, whose blocks have ended and are to be written.
   *
   * @param hash second half of the key's hash for the bloom filter
   * @param head of the partition
   */
  void addEntryWithBlocks(PartitionKey key, long hash, Head head) throws IOException;

  /**
   * The beginning of a partition.
   *
   * @param dataPosition of the partition in the uncompressed data file
   * @param length before its first row or marker
   * @param timestamp of its deletion
   * @param localTime of its deletion
   */
  record Head(long dataPosition, long length, long timestamp, long localTime) {}

  /**
   * Writes all that is buffered and makes the files durable; there was at least one partition.
   *
   * @param firstKey key of the first partition
   * @param lastKey key of the last partition
   */
  void finish(PartitionKey firstKey, PartitionKey lastKey) throws IOException;
}
