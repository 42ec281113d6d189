package io.siltstone.statistics;

/**
 * The statistics of a memtable. The numbers are read one by one, not at the same moment.
 *
 * @param operations the number of updates applied
 * @param dataBytes the size of those updates in serialized form
 * @param partitions the number of partitions
 * @param rows the number of rows, static rows among them
 * @param memory the memory that it takes up
 * @param times the span of timestamps and deletion times of its data
 * @param hasPartitionDeletions whether some update deleted a partition
 * @param hasRangeTombstones whether some update had a range tombstone
 */
public record MemtableStatistics(
    long operations,
    long dataBytes,
    long partitions,
    long rows,
    Memory memory,
    Times times,
    boolean hasPartitionDeletions,
    boolean hasRangeTombstones) {

  /**
   * The memory that a memtable takes up, in bytes.
   *
   * @param offHeapBytes the off-heap memory, which counts against the memory budget
   * @param heapBytes the memory on the heap, approximately
   */
  public record Memory(long offHeapBytes, long heapBytes) {}

  /**
   * The span of timestamps and deletion times in a memtable.
   *
   * @param minTimestamp the least of all timestamps in microseconds, including those of deletions;
   *     {@link Long#MAX_VALUE} without any
   * @param maxTimestamp the greatest of them; {@link Long#MIN_VALUE} without any
   * @param minLocalDeletionTime the least time in seconds at which something was deleted or
   *     expires; {@link io.siltstone.cursor.DeletionTime#NO_DELETION_TIME} without any
   */
  public record Times(long minTimestamp, long maxTimestamp, long minLocalDeletionTime) {}
}
