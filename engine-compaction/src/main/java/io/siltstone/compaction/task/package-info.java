/**
 * Compaction tasks: one task reads its inputs, merges them, purges tombstones, writes outputs,
 * checks and commits.
 *
 * <p>{@code CompactionTask} is the entry. A {@code MergeRun} divides the inputs into {@code
 * SubcompactionRange}s, each merged by a {@code Subcompaction}, on a thread of its own if there is
 * one: cursors over the inputs, merged by {@code MergeCursor}, through a {@code PurgingCursor} into
 * {@code OutputSSTables}, which begins the next SSTable where the {@code OutputSplitter} says. A
 * {@code RecompressRun} and a {@code ScrubRun} handle each input by itself. Before the commit,
 * {@code StageCounters} and {@code BoundaryKeyCheck} must agree that all data that was read was
 * written, or was removed by a rule.
 */
@NullMarked
package io.siltstone.compaction.task;

import org.jspecify.annotations.NullMarked;
