/**
 * Reads of one table: how the rows of memtables and SSTables become one cursor.
 *
 * <pre>
 *   ReadSources ─► PartitionRead   slices of one partition ──┐
 *        └───────► TableSnapshot   PartitionRead, scans ─────┴─► MergeCursor
 * </pre>
 *
 * {@link io.siltstone.table.read.ReadSources} is the entry class. The package uses memtables, the
 * live set, SSTables and the merge. It does not know how tables are written: {@code table} above it
 * passes the present {@link io.siltstone.table.read.Memtables}.
 *
 * <p>Reads take no lock. A read takes the memtables first and the view of the SSTables after them;
 * a flush makes its SSTable live before its memtable is removed. So a read may see data twice,
 * which makes no difference to a merge, but never misses any. Snapshots and cursors are confined to
 * one thread at a time; all other classes are safe for all threads.
 *
 * <p>Not exported.
 */
@NullMarked
package io.siltstone.table.read;

import org.jspecify.annotations.NullMarked;
