package io.siltstone.sstable.index;

import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Looks up keys that pass the bloom filter.
 *
 * <p>Confined to one thread; the caller that opens it closes it. Allocates nothing.
 */
public interface PartitionLookup extends Closeable {

  /**
   * Returns whether the key cache has a position for the key; {@link #dataPosition()} then returns
   * it, and the caller has to check it.
   *
   * @param h1 first half of the key's hash
   * @param h2 second half of it
   */
  boolean recall(long h1, long h2) throws IOException;

  /** Adds the current position to the key cache, for the key of this hash. */
  void remember(long h1, long h2) throws IOException;

  /**
   * Searches for a key that passes the filter.
   *
   * @param h2 second half of the key's hash
   * @return whether this is now at its entry; the caller has to check that the data has the key
   *     there, and to call {@link #refute} if not
   */
  boolean find(PartitionKey key, long h2) throws IOException;

  /**
   * Tells what it means that the key which {@link #find} has found is not at its position: an index
   * that has only the beginnings of keys may find another one in its place.
   *
   * @param there the key that the data has at the position, or null if no partition begins there
   * @throws io.siltstone.sstable.format.CorruptSSTableException unless the SSTable does not have
   *     the key
   */
  void refute(PartitionKey sought, @Nullable PartitionKey there) throws IOException;

  /**
   * Moves to the first entry whose key is at or after {@code key}. Checks as far as possible that
   * it is the first.
   *
   * @return false if all keys are before
   */
  boolean seekCeiling(PartitionKey key) throws IOException;

  /**
   * Returns the key of the current entry, after {@link #seekCeiling}; valid until the next move.
   */
  PartitionKey key();

  /** Returns the position of the partition in the uncompressed data file. */
  long dataPosition();

  /**
   * Returns the position after the partition in the uncompressed data file, or a little more;
   * {@link Long#MAX_VALUE} if it is not known, or if the partition has index blocks. It comes from
   * the index, and can be wrong as it has no checksum.
   */
  long dataEnd() throws IOException;

  /** Returns the position of the entry in the file with the keys. */
  long entryPosition();

  /** Moves blocks of the same index to those of the partition, which may have none. */
  void openBlocks(BlockIndex blocks) throws IOException;
}
