package io.siltstone;

import io.siltstone.spi.CompactionState;
import io.siltstone.statistics.MemtableStatistics;
import io.siltstone.statistics.ReadSummary;
import io.siltstone.statistics.Traffic;
import io.siltstone.statistics.WriteSummary;

/**
 * What a table has and what its reads and writes have cost since it was opened.
 *
 * @param sstables live ones
 * @param onDiskBytes of their data files
 * @param dataBytes of their data, uncompressed
 * @param offHeapBytes of their filters, summaries and chunk offsets
 * @param memtable that takes the writes
 * @param memtablesFlushing others, which are being written
 * @param reads what they have cost
 * @param writes what they have cost
 * @param traffic what flushes and compactions have moved
 * @param compaction how far it is behind
 */
public record TableStatistics(
    int sstables,
    long onDiskBytes,
    long dataBytes,
    long offHeapBytes,
    MemtableStatistics memtable,
    int memtablesFlushing,
    ReadSummary reads,
    WriteSummary writes,
    Traffic traffic,
    CompactionState compaction) {}
