package io.siltstone.sstable.index;

import io.siltstone.cache.KeyLookup;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.FileReads;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open index of an SSTable: its keys in order, with the positions of their partitions in the
 * data, and the index blocks of wide partitions.
 *
 * <p>Immutable, safe for all threads; what it opens is for one thread each, and closed by the
 * caller, before the index.
 */
public interface KeyIndex extends Closeable {

  /** Returns the first key, which must not be changed. */
  PartitionKey firstKey();

  /** Returns the last key, which must not be changed. */
  PartitionKey lastKey();

  /** Returns its off-heap memory in bytes. */
  long memoryBytes();

  /** Returns the length of the file with the keys in bytes. */
  long length();

  /**
   * Opens a lookup of keys.
   *
   * @param known the key cache, taken over; not every format uses it
   * @param keys taken over
   * @param reads counts the reads of the index
   */
  PartitionLookup lookup(KeyLookup known, KeySource keys, FileReads reads) throws IOException;

  /**
   * Opens a cursor over all entries, before the first one.
   *
   * @param keys taken over
   */
  KeyEntries entries(KeySource keys) throws IOException;

  /**
   * Opens a view of the index blocks of a partition, of none at first.
   *
   * @param reads counts the reads of the index
   */
  BlockIndex blocks(FileReads reads) throws IOException;

  /**
   * Returns a key that is less than a given one, with not many keys between them; null if there is
   * none.
   *
   * @param keys not taken over
   */
  @Nullable PartitionKey sampleBefore(PartitionKey key, KeySource keys) throws IOException;

  /**
   * Returns partitions that are spread evenly over all of them by number, the first one included.
   *
   * @param most the maximum number of samples, 1 or more
   * @param keys not taken over
   */
  List<PartitionSample> samples(int most, KeySource keys) throws IOException;

  /**
   * Estimates the number of keys of a range with many keys.
   *
   * @param from first key of the range, or null if it begins with the first of all
   * @param to first key after the range, or null if it ends with the last of all
   * @param all number of keys of the SSTable
   * @param share of the data that lies in the range, 0 to 1
   * @return the number, or -1 if there are so few that they can be counted
   */
  long estimatedKeys(
      @Nullable PartitionKey from, @Nullable PartitionKey to, long all, double share);
}
