/**
 * Simulation of compaction strategies over invented SSTables: write, space and read amplification
 * at any scale, without files.
 *
 * <p>A {@code Simulation} flushes, compacts and reads as a {@code Workload} says, by the clock of
 * the workload. It follows a sample of the table's keys, from which sizes, overlaps and SSTables
 * per read are computed.
 */
@NullMarked
package io.siltstone.compaction.simulate;

import org.jspecify.annotations.NullMarked;
