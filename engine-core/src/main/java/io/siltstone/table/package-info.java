/**
 * One table of a database: its memtables and its live SSTables, read as one.
 *
 * <pre>
 *   ReadSources ─► PartitionRead (slices of one partition) ─┐
 *        └───────► TableSnapshot ─► PartitionRead, scans ───┴─► MergeCursor ─► OpenCursor
 * </pre>
 *
 * <p>A reader takes the memtables first and the view of the SSTables behind them. What a flush has
 * written becomes live before its memtable is taken away, so that a read may see data twice, which
 * makes no difference, and never misses any.
 *
 * <p>May use everything below it; used by the root package alone.
 */
@NullMarked
package io.siltstone.table;

import org.jspecify.annotations.NullMarked;
