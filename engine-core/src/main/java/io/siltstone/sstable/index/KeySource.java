package io.siltstone.sstable.index;

import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of partitions from the data, for an index that does not have all of their bytes.
 * Confined to one thread.
 */
@FunctionalInterface
public interface KeySource extends Closeable {

  /**
   * Returns the key of the partition at a position.
   *
   * @param dataPosition in the uncompressed data, which is not trusted
   * @return the key, which is valid until the next call; null if no partition begins there
   * @throws IOException if the data cannot be read, or its checksum is wrong
   */
  @Nullable PartitionKey keyAt(long dataPosition) throws IOException;

  /** Closes what it has opened: nothing by default. */
  @Override
  default void close() throws IOException {}
}
