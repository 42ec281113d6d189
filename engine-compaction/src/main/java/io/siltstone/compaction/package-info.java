/**
 * The compactor of an engine: which tables need work, which jobs run, what became of them.
 *
 * <p>{@link io.siltstone.compaction.CompactionService} is the entry, for one database or several.
 * For each of their tables a {@code TableWork} asks a {@link
 * io.siltstone.compaction.strategy.Strategy} for jobs, takes their SSTables by a {@link
 * io.siltstone.spi.Claim}, and has {@link io.siltstone.compaction.task} do them.
 */
@NullMarked
package io.siltstone.compaction;

import org.jspecify.annotations.NullMarked;
