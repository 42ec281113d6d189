/**
 * The compactor of an engine: decides which tables need work, runs jobs, and keeps their history.
 *
 * <p>{@link io.siltstone.compaction.CompactionService} is the entry, for one database or several.
 * Its methods may be called from any thread.
 *
 * <p>For each table a {@code TableCompactor} decides which thread does what, and when. A {@code
 * TablePlanner} says what there is to do, with jobs from the table's {@link
 * io.siltstone.compaction.strategy.Strategy}. A {@code JobRunner} takes the SSTables of a job by a
 * {@link io.siltstone.spi.Claim} and runs the job with {@link io.siltstone.compaction.task}. {@code
 * Failures} keeps what must not be tried again.
 */
@NullMarked
package io.siltstone.compaction;

import org.jspecify.annotations.NullMarked;
