/**
 * The compactor of an engine: which tables need work, which jobs run, what became of them.
 *
 * <p>{@code CompactionEngine} asks a {@link io.siltstone.compaction.strategy.Strategy} for jobs,
 * takes their SSTables by a {@link io.siltstone.spi.Claim}, and has {@link
 * io.siltstone.compaction.task} do them.
 */
@NullMarked
package io.siltstone.compaction;

import org.jspecify.annotations.NullMarked;
