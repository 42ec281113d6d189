package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;

/**
 * Is told what a {@link MergeCursor} takes from its sources, and whether something of it is shown:
 * so that who merges can prove that nothing was lost. Called on the cursor's thread, once per
 * partition, row and marker, and per deletion of each source.
 */
public interface MergeListener {
  /** Hears nothing. */
  MergeListener NONE = new MergeListener() {};

  /**
   * A partition begins.
   *
   * @param key valid during the call
   * @param sources that have it, 1 or more
   */
  default void partition(PartitionKey key, int sources) {}

  /** Nothing is left of the partition, and it is not shown. */
  default void emptyPartition(PartitionKey key) {}

  /**
   * A row of the partition, or its static row, was taken from sources.
   *
   * @param sources that have it, 1 or more
   */
  default void row(int sources, boolean isShown) {}

  /**
   * The deletion of the partition, or of a row, was taken from a source; told before its row.
   *
   * @param isShown whether what is shown has it, once for what several sources have
   */
  default void deletion(long timestamp, boolean isShown) {}

  /**
   * Markers at one place of the partition were taken from sources.
   *
   * @param sources that have one there, 1 or more
   */
  default void marker(int sources, boolean isShown) {}
}
