package io.siltstone.maintenance;

import io.siltstone.sstable.format.Descriptor;
import java.time.Instant;

/**
 * The metadata of a live SSTable, by which a program chooses the SSTables of a {@linkplain
 * CompactionRequest#withTables request}, or of a rebuild. Immutable; holds no file and no memory
 * off-heap, and stays as it is after the SSTable was compacted.
 *
 * @param descriptor version and generation: the identity of the SSTable within the table
 * @param onDiskBytes the size of its data file
 * @param dataBytes the size of its data before compression
 * @param partitions the approximate number of partitions
 * @param rows the number of rows, including static rows
 * @param level the level of leveled compaction, from 0 on
 * @param minTimestamp the least timestamp of its cells, rows and deletions, in microseconds since
 *     1970
 * @param maxTimestamp the greatest of these timestamps
 * @param writtenAt the time at which its data file was completed, in milliseconds
 */
public record LiveSSTable(
    Descriptor descriptor,
    long onDiskBytes,
    long dataBytes,
    long partitions,
    long rows,
    int level,
    long minTimestamp,
    long maxTimestamp,
    Instant writtenAt) {}
