/**
 * The tables of an open database: how a write reaches log and memtable, how a memtable becomes an
 * SSTable, how a read is put together from both, and how all of it is found again after a crash.
 *
 * <pre>
 *   Writer ──────► CommitLog, Memtable        under the locks of the partitions' shards
 *   Flusher ─────► Memtable ─► LiveSet        when memory, log, time or a user asks for it
 *   TableChanges ► TableStore                 alter, truncate, import, drop; checkpoints
 *   LogReplay ───► Memtable                   when a database is opened
 *
 *   TableReads ──► ReadSources ─► PartitionRead (slices of one partition) ─┐
 *                      └────────► TableSnapshot ─► PartitionRead, scans ───┴─► MergeCursor
 * </pre>
 *
 * {@code TableStore} is one table; {@code Services} is what all tables of a database share.
 *
 * <p>Reads take no lock. A reader takes the memtables first and the view of the SSTables behind
 * them; what a flush has written becomes live before its memtable is taken away, so that a read may
 * see data twice, which makes no difference, and never misses any.
 *
 * <p>Used by the root package alone, and not meant for users.
 */
@NullMarked
package io.siltstone.table;

import org.jspecify.annotations.NullMarked;
