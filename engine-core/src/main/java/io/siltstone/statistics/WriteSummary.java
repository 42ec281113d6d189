package io.siltstone.statistics;

/**
 * What the writes to a table have cost since it was opened. Immutable.
 *
 * @param micros from the call until readers see what was written, in microseconds: with the wait
 *     for memory, for others who write to the same shard and for compaction that is behind, without
 *     the wait for the commit log's sync. Each mutation counts once, one of a batch with the time
 *     of the whole batch; a conditional write that was not done does not count
 */
public record WriteSummary(Distribution micros) {}
