/**
 * Compaction jobs as values: what a strategy plans to compact, and what a job has done. Immutable,
 * safe for all threads.
 *
 * <p>A {@code Plan} lists {@code Job}s, each with the {@code Split} of its output; a {@code
 * JobReport} says what became of one.
 */
@NullMarked
package io.siltstone.compaction.job;

import org.jspecify.annotations.NullMarked;
