package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;

/**
 * A moving view over partitions in partition order, and within each over its static row, rows and
 * range-tombstone markers in clustering order. SSTables, memtables and merges all present their
 * rows through this interface.
 *
 * <pre>
 *   while (cursor.nextPartition()) {
 *     ... cursor.key(), cursor.deletionTimestamp() ...
 *     while (cursor.nextUnfiltered()) { ... cursor.unfiltered() ... }
 *   }
 * </pre>
 *
 * Views are valid until the next move. Nothing is allocated per partition, row or cell. Confined to
 * one thread; the opener closes it.
 */
public interface PartitionCursor extends Closeable {

  /** Returns the encoding of all unfiltereds that it shows. */
  RowEncoding encoding();

  /**
   * Moves to the next partition, skipping the rest of the present one.
   *
   * @return false after the last
   */
  boolean nextPartition() throws IOException;

  /** Returns the key of the present partition. */
  PartitionKey key();

  /**
   * Returns the timestamp of the present partition's deletion, {@link DeletionTime#NO_TIMESTAMP}
   * without.
   */
  long deletionTimestamp();

  /** Returns the local deletion time that belongs to {@link #deletionTimestamp()}. */
  long deletionLocalTime();

  /**
   * Moves to the next unfiltered of the present partition: the static row first, if there is one
   * that is not empty.
   *
   * @return false after the last
   */
  boolean nextUnfiltered() throws IOException;

  /**
   * Returns the present unfiltered, its body read and its walk over the columns at the beginning.
   */
  Unfiltered unfiltered();
}
