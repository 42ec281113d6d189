package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;

/**
 * A moving view over partitions in partition order, and within each over its static row, rows and
 * range-tombstone markers in clustering order. What everything that holds rows offers: tables on
 * disk, memtables, merges.
 *
 * <pre>
 *   while (cursor.nextPartition()) {
 *     ... cursor.key(), cursor.deletionTimestamp() ...
 *     while (cursor.nextUnfiltered()) { ... cursor.unfiltered() ... }
 *   }
 * </pre>
 *
 * Views are valid until the next move. Nothing is allocated per partition, row or cell. Confined to
 * one thread; closed by its opener.
 */
public interface PartitionCursor extends Closeable {

  /** The encoding of all unfiltereds that it shows. */
  RowEncoding encoding();

  /**
   * Moves to the next partition, passing over what is left of the present one.
   *
   * @return false behind the last
   */
  boolean nextPartition() throws IOException;

  /** Key of the present partition. */
  PartitionKey key();

  /** Timestamp of the present partition's deletion, {@link DeletionTime#NO_TIMESTAMP} without. */
  long deletionTimestamp();

  /** Local deletion time that belongs to {@link #deletionTimestamp()}. */
  long deletionLocalTime();

  /**
   * Moves to the next unfiltered of the present partition: the static row first, if there is one
   * that is not empty.
   *
   * @return false behind the last
   */
  boolean nextUnfiltered() throws IOException;

  /** The present unfiltered, its body read and its walk over the columns at the beginning. */
  Unfiltered unfiltered();
}
