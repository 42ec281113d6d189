package io.siltstone.statistics;

/**
 * What the reads of a table have cost since it was opened. Immutable.
 *
 * @param sstables how many SSTables had the partition, per read of a partition
 * @param chunks fetched from files per read of a partition: what the chunk cache did not have
 * @param bytes of those chunks on disk
 * @param readMicros from the opening of a read of a partition to its closing, in microseconds
 * @param scanMicros likewise of scans of several partitions
 * @param filterFalsePositives times that a bloom filter let a key through that its SSTable did not
 *     have
 */
public record ReadSummary(
    Distribution sstables,
    Distribution chunks,
    Distribution bytes,
    Distribution readMicros,
    Distribution scanMicros,
    long filterFalsePositives) {}
