/**
 * The compactor of an engine: which tables need work, which jobs run, what became of them.
 *
 * <p>{@link io.siltstone.compaction.CompactionService} is the entry, for one database or several.
 * For each of their tables a {@code TableWork} decides which thread does what when. What there is
 * to do is said by a {@code TablePlanner}, for which a {@link
 * io.siltstone.compaction.strategy.Strategy} finds jobs; a {@code JobRunner} has {@link
 * io.siltstone.compaction.task} do them, with their SSTables taken by a {@link
 * io.siltstone.spi.Claim}; {@code Failures} keeps what is not to be tried again.
 */
@NullMarked
package io.siltstone.compaction;

import org.jspecify.annotations.NullMarked;
