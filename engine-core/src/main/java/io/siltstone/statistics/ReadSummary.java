package io.siltstone.statistics;

/**
 * Summarizes the reads of a table since it was opened. Immutable.
 *
 * @param sstables number of SSTables that had the partition, per read of a partition
 * @param chunks read from files per read of a partition, which the chunk cache did not have
 * @param bytes of those chunks on disk
 * @param readMicros from the opening of a read of a partition to its closing, in microseconds
 * @param scanMicros likewise of scans of several partitions
 * @param filterFalsePositives number of bloom filter false positives
 * @param timedOut number of queries and iterators that their timeout has ended
 * @param cancelled number of queries and iterators that were cancelled by a call of {@code cancel}
 */
public record ReadSummary(
    Distribution sstables,
    Distribution chunks,
    Distribution bytes,
    Distribution readMicros,
    Distribution scanMicros,
    long filterFalsePositives,
    long timedOut,
    long cancelled) {}
