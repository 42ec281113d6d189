/**
 * Compaction strategies: pure functions from the live SSTables and the time to jobs. They see
 * neither files nor threads, so that they can be tested, explained and simulated.
 *
 * <p>{@code StrategyRegistry} makes the {@code Strategy} that a table's options name, under
 * Cassandra's names and with its options and defaults: {@code SizeTieredStrategy}, {@code
 * LeveledStrategy}, {@code TimeWindowStrategy} or {@code UnifiedStrategy}. Its {@code Plan} lists
 * {@code Job}s, the most urgent first, and says in words why it wants each, or why none. {@code
 * RuledStrategy} has the rules that all share; {@code TombstoneCandidates} finds expired SSTables
 * and those worth rewriting for their tombstones.
 */
@NullMarked
package io.siltstone.compaction.strategy;

import org.jspecify.annotations.NullMarked;
