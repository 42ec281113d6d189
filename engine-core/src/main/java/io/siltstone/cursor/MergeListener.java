package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;

/**
 * Receives what a {@link MergeCursor} takes from its sources and what it shows, so that a
 * compaction can prove that the merge lost nothing. Called on the cursor's thread, once per
 * partition, row and marker, and once per deletion of each source.
 */
public interface MergeListener {
  /** A listener that ignores all calls. */
  MergeListener NONE = new MergeListener() {};

  /**
   * Called when a partition begins.
   *
   * @param key valid during the call
   * @param sources number of sources that have it, 1 or more
   */
  default void partition(PartitionKey key, int sources) {}

  /** Called when nothing remains of the partition, which is then not shown. */
  default void emptyPartition(PartitionKey key) {}

  /**
   * Called when a row of the partition, or its static row, was taken from sources.
   *
   * @param sources number of sources that have it, 1 or more
   */
  default void row(int sources, boolean isShown) {}

  /**
   * Called when the deletion of the partition, or of a row, was taken from a source, before its
   * row.
   *
   * @param isShown whether the result has it; true only once if several sources have the same
   */
  default void deletion(long timestamp, boolean isShown) {}

  /**
   * Called when the markers at one place of the partition were taken from sources.
   *
   * @param sources number of sources that have one there, 1 or more
   */
  default void marker(int sources, boolean isShown) {}
}
