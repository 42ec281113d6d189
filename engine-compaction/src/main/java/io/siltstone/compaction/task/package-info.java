/**
 * One job: reads its inputs, merges them, forgets what may be forgotten, writes, checks, commits.
 *
 * <p>{@code CompactionTask} is the entry. A {@code MergeRun} divides the inputs into {@code
 * Portion}s, each merged by a {@code MergePart} on a thread of its own if there is one: cursors
 * over the inputs, merged by the engine, through a {@code Purge} into {@code Outputs}, which begin
 * the next SSTable where the {@code Division} says. A {@code RecompressRun} and a {@code ScrubRun}
 * take each input by itself. Before a commit {@code Tally} and {@code Landmarks} must agree that
 * what went in has come out or was forgotten by a rule.
 */
@NullMarked
package io.siltstone.compaction.task;

import org.jspecify.annotations.NullMarked;
