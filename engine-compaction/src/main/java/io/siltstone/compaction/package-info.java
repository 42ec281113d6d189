/**
 * The compaction service: decides which tables need compaction, runs jobs, and keeps their history.
 *
 * <p>{@link io.siltstone.compaction.CompactionService} is the entry, for one database or several.
 * Its methods may be called from any thread.
 *
 * <p>For each table a {@code TableCompactor} decides which thread does what, and when. A {@code
 * TablePlanner} plans the jobs: those of the table's {@link
 * io.siltstone.compaction.strategy.Strategy}, or those of a request, by a {@code RequestPlanner}. A
 * {@code JobRunner} runs a job on the SSTables of its {@link io.siltstone.spi.Claim} with {@code
 * task}. {@code FailedInputs} keeps what must not be retried yet.
 */
@NullMarked
package io.siltstone.compaction;

import org.jspecify.annotations.NullMarked;
