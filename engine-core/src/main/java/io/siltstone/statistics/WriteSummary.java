package io.siltstone.statistics;

/**
 * Summarizes the writes to a table since it was opened. Immutable. A conditional write that was not
 * applied does not count.
 *
 * @param mutations number of mutations written, including each one of a batch
 * @param micros duration of writes in microseconds, from the call until the write is visible:
 *     including waits for memory, for other writes to the same shard and for write stalls, without
 *     the wait for the commit log's sync. A batch counts once in each table that it writes to, with
 *     the time of the whole batch
 */
public record WriteSummary(long mutations, Distribution micros) {}
