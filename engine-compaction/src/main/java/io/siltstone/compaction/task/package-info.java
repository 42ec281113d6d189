/**
 * One job: reads its inputs, merges them, forgets what may be forgotten, writes, checks, commits.
 *
 * <p>{@code CompactionTask} is the entry. A {@code MergeRun} divides the inputs into {@code
 * Portion}s, each merged by a {@code Subcompaction} on a thread of its own if there is one: cursors
 * over the inputs, merged by the engine, through a {@code PurgingCursor} into {@code
 * OutputSSTables}, which begin the next SSTable where the {@code OutputSplitter} says. A {@code
 * RecompressRun} and a {@code ScrubRun} take each input by itself. Before a commit {@code
 * StageCounters} and {@code BoundaryKeyCheck} must agree that what went in has come out or was
 * forgotten by a rule.
 */
@NullMarked
package io.siltstone.compaction.task;

import org.jspecify.annotations.NullMarked;
