package io.siltstone.statistics;

/**
 * The statistics of a memtable. The numbers are read one by one, not at the same moment.
 *
 * @param operations updates applied
 * @param dataBytes of those updates in serialized form
 * @param partitions that it has
 * @param rows that it has, static rows among them
 * @param offHeapBytes that it has of its memory budget
 * @param heapBytes that it has on the heap, about
 * @param minTimestamp least of all timestamps in microseconds, of deletions too; {@link
 *     Long#MAX_VALUE} without any
 * @param maxTimestamp greatest of them; {@link Long#MIN_VALUE} without any
 * @param minLocalDeletionTime least time in seconds at which something was deleted or expires;
 *     {@link io.siltstone.cursor.DeletionTime#NO_DELETION_TIME} without any
 * @param hasPartitionDeletions whether some update deleted a partition
 * @param hasRangeTombstones whether some update had a range tombstone
 */
public record MemtableStatistics(
    long operations,
    long dataBytes,
    long partitions,
    long rows,
    long offHeapBytes,
    long heapBytes,
    long minTimestamp,
    long maxTimestamp,
    long minLocalDeletionTime,
    boolean hasPartitionDeletions,
    boolean hasRangeTombstones) {}
