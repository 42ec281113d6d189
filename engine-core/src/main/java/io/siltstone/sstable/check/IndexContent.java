package io.siltstone.sstable.check;

import org.jspecify.annotations.Nullable;

/**
 * The content that the index of a data file must have, as a hash. {@link DataFileParser} reports
 * what it finds in the data, and the check of the index computes the same hash from what it finds
 * in the index. Confined to one thread at a time.
 */
abstract class IndexContent {
  /** Hash of all that the index must contain. */
  final IndexHash hash = new IndexHash();

  /**
   * Begins a partition.
   *
   * @param bytes array that has the key
   * @param keyHash {@link RunningHash} of the key
   * @param position of the partition in the data file
   * @param timestamp of the deletion of the partition
   * @param localTime of the deletion of the partition
   */
  abstract void startPartition(
      byte[] bytes,
      int from,
      int length,
      long keyHash,
      long position,
      long timestamp,
      int localTime);

  /**
   * Begins the rows of the partition.
   *
   * @param offset of the first row or marker, from the beginning of the partition
   */
  abstract void startRows(long offset);

  /**
   * Ends an index block.
   *
   * @param next the first row or marker of the next block, null if the partition has no more
   * @param start offset of the block, from the beginning of the partition
   * @param end offset of its end, after the end mark if the last block has room for it
   * @param open hash of the deletion that is open at its end, 0 if there is none
   * @throws IllegalArgumentException if a value is so corrupt that it has no order
   */
  abstract void endBlock(
      Prefix first, Prefix last, @Nullable Prefix next, long start, long end, long open);

  /**
   * Ends the partition.
   *
   * @param endMark offset of its end mark
   */
  abstract void endPartition(long endMark);

  /** Ends the file. */
  abstract void end();
}
