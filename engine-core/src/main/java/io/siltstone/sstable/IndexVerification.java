package io.siltstone.sstable;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.Closeable;
import java.io.IOException;

/**
 * The comparison of the index of an SSTable with its data: of each entry with a partition, and of
 * its index blocks with the rows and markers of the partition, in the order of the data. The index
 * is read from its files once more, whatever the open SSTable has of it in memory.
 *
 * <p>Used once, by one thread, and closed by it.
 */
interface IndexVerification extends Closeable {

  /** Opens the comparison of an SSTable, before the first entry. */
  static IndexVerification of(SSTable table) throws IOException {
    return table.descriptor().version().hasTrieIndex()
        ? new TrieIndexVerification(table)
        : new BigIndexVerification(table);
  }

  /** Moves to the next entry; returns whether there is one. */
  boolean next() throws IOException;

  /**
   * Returns the position of the entry's partition in the uncompressed data, as the index has it.
   */
  long dataPosition();

  /**
   * Compares the entry with a partition of the data.
   *
   * @param position of the partition in the uncompressed data
   * @param hash second half of the key's hash for the bloom filter
   * @throws CorruptSSTableException if it is not the entry of the partition
   */
  void verify(PartitionKey key, long position, long hash) throws IOException;

  /** Begins with the rows of the partition, whose static row has been read. */
  void startRows(DataCursor data) throws IOException;

  /**
   * Compares the current row or marker with the index block in which it must be.
   *
   * @param open the range tombstone that is open after it
   */
  void verifyRow(DataCursor data, OpenRange open) throws IOException;

  /** Ends the partition, whose end mark has been read. */
  void endPartition(DataCursor data) throws IOException;

  /**
   * Ends the comparison, after {@link #next()} has returned false.
   *
   * @param partitions number of entries
   */
  void end(long partitions) throws IOException;

  /** Returns the exception for damage of the entry, or of the end of the index after the last. */
  CorruptSSTableException corrupt(String reason);
}
