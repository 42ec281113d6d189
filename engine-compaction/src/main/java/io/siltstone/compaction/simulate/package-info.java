/**
 * The strategies over live tables that are made up: amplification at any scale, without files.
 *
 * <p>A {@code Simulation} flushes, compacts and reads as a {@code Workload} says, by the clock of
 * the workload. Of the keys of the table it follows a sample, from which sizes, overlaps and
 * SSTables per read are told.
 */
@NullMarked
package io.siltstone.compaction.simulate;

import org.jspecify.annotations.NullMarked;
