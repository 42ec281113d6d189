package io.siltstone.sstable.index;

import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;

/**
 * A cursor over the entries of a {@link KeyIndex} in the order of the keys.
 *
 * <p>Confined to one thread; the caller that opens it closes it.
 */
public interface KeyEntries extends Closeable {

  /**
   * Moves so that {@link #next()} returns the entry of a key at or before the given one, with not
   * many entries between them; the first entry if there is none before.
   */
  void seek(PartitionKey key) throws IOException;

  /** Moves to the next entry; returns false after the last. */
  boolean next() throws IOException;

  /**
   * Returns the key of the current entry, which is valid until the next move. An index that does
   * not have all of its bytes reads it from the data.
   */
  PartitionKey key() throws IOException;

  /** Returns whether the index has all bytes of keys, so that {@link #key()} reads no data. */
  boolean hasWholeKeys();

  /**
   * Returns whether the current entry may be that of a key, as far as the index tells: reads no
   * data.
   */
  boolean isOf(PartitionKey key) throws IOException;

  /** Returns the position of the current entry in the file with the keys, for messages. */
  long position();

  /** Returns the position of the partition in the uncompressed data, which is not checked. */
  long dataPosition() throws IOException;

  /** Moves blocks of the same index to those of the current entry, which may have none. */
  void openBlocks(BlockIndex blocks) throws IOException;
}
