package io.siltstone.sstable;

import io.siltstone.chunk.WriteBehindRing;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.filter.GatheredBits;
import java.util.Arrays;

/**
 * A batch of partitions without index blocks, which are added to index, filter, summary and
 * statistics together.
 */
final class PartitionBatch implements WriteBehindRing.Batch {
  private static final int PARTITIONS = 2048;
  private static final int KEY_BYTES = PartitionKey.MAX_LENGTH;

  private final BloomFilter filter;
  private final Partitioner partitioner;
  private final long[] tokens = new long[PARTITIONS];
  private final long[] hashes = new long[PARTITIONS];
  private final long[] positions = new long[PARTITIONS];
  private final long[] sizes = new long[PARTITIONS];
  private final long[] cells = new long[PARTITIONS];
  private final int[] keyEnds = new int[PARTITIONS];
  private byte[] keys = new byte[16 * PARTITIONS];
  private int count;
  private long keysHash;
  private int wrongToken;

  private final long[] hash = new long[2];
  private final long[] filterBits;

  PartitionBatch(BloomFilter filter, Partitioner partitioner) {
    this.filter = filter;
    this.partitioner = partitioner;
    this.filterBits = new long[PARTITIONS * filter.bitsPerKey()];
  }

  /** Returns whether there is no room for a partition with this key. */
  boolean isFull(PartitionKey key) {
    return count == PARTITIONS || keyEnd() + key.length() > KEY_BYTES;
  }

  private int keyEnd() {
    return count == 0 ? 0 : keyEnds[count - 1];
  }

  /** Adds a partition; the batch must not be full. */
  void add(PartitionKey key, long position, long size, long cellCount) {
    int from = keyEnd();
    int to = from + key.length();
    if (to > keys.length) {
      keys = Arrays.copyOf(keys, Math.min(KEY_BYTES, Math.max(to, 2 * keys.length)));
    }
    System.arraycopy(key.bytes(), key.offset(), keys, from, key.length());
    keyEnds[count] = to;
    tokens[count] = key.token();
    positions[count] = position;
    sizes[count] = size;
    cells[count] = cellCount;
    count++;
  }

  /** Returns the number of partitions. */
  int count() {
    return count;
  }

  /** Removes all partitions. */
  void clear() {
    count = 0;
  }

  @Override
  public void encode(int length) {
    keysHash = 0;
    wrongToken = -1;
    int from = 0;
    for (int i = 0; i < length; i++) {
      long token = partitioner.token(keys, from, keyEnds[i] - from, hash);
      if (token != tokens[i]) {
        wrongToken = i;
      }
      hashes[i] = hash[1];
      keysHash += hash[1];
      filter.bitsOf(hash[0], hash[1], filterBits, i * filter.bitsPerKey());
      from = keyEnds[i];
    }
  }

  /** Points a key at that of a partition. */
  void key(int partition, PartitionKey view) {
    int from = partition == 0 ? 0 : keyEnds[partition - 1];
    view.wrap(keys, from, keyEnds[partition] - from, tokens[partition]);
  }

  /** Returns the second half of the hash of a partition's key, in an encoded batch. */
  long hash(int partition) {
    return hashes[partition];
  }

  /** Returns the position of a partition in the uncompressed data file. */
  long position(int partition) {
    return positions[partition];
  }

  /** Returns the length of a partition in bytes. */
  long size(int partition) {
    return sizes[partition];
  }

  /** Returns the number of cells of a partition. */
  long cells(int partition) {
    return cells[partition];
  }

  /** Returns the sum of the {@link PartitionKey#longHash} of an encoded batch's keys. */
  long keysHash() {
    return keysHash;
  }

  /**
   * Returns a partition of an encoded batch whose key came with another key's token; -1 if none.
   */
  int wrongToken() {
    return wrongToken;
  }

  /** Adds the keys of an encoded batch to those that the filter is to have. */
  void addTo(GatheredBits bits) {
    bits.add(filterBits, count * filter.bitsPerKey());
  }

  @Override
  public void close() {
    // Its memory is on the heap.
  }
}
