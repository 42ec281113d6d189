package io.siltstone.statistics;

/**
 * Summarizes the writes to a table since it was opened. Immutable. A conditional write that was not
 * done does not count.
 *
 * @param mutations how many mutations were written, each of a batch by itself
 * @param micros what writes took, in microseconds: from the call until readers see what was
 *     written, with the wait for memory, for others who write to the same shard and for compaction
 *     that is after, without the wait for the commit log's sync. A batch counts once in each table
 *     that it writes to, with the time of the whole batch
 */
public record WriteSummary(long mutations, Distribution micros) {}
