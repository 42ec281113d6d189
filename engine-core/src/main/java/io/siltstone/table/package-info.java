/**
 * Tables of an open database: how a write reaches the commit log and the memtable, how a memtable
 * becomes an SSTable, how tables are created, altered and dropped, and how all of it is found again
 * after a crash.
 *
 * <pre>
 *   MutationWriter ► CommitLog, Memtable      under the locks of the partitions' shards
 *   Flusher ───────► Memtable ─► LiveSet      when memory, log, time or a user asks for it
 *   TableChanges ──► TableStore               alter, truncate, import, drop; checkpoints
 *   LogReplay ─────► Memtable                 when a database is opened
 *   TableReads ────► table.read               rows and cursors for users
 * </pre>
 *
 * {@link io.siltstone.table.TableStore} is one table, and the entry class; {@link
 * io.siltstone.table.Services} is what all tables of a database share. How a read merges its
 * sources is the task of {@code table.read} below; the key-value store is {@code keyvalue} above.
 *
 * <p>A write holds the locks of the shards of its partitions; a change of the table itself holds
 * those of all shards. {@link io.siltstone.table.TableStore} states the order of locks.
 *
 * <p>Used by {@code keyvalue} and the root package. Not exported.
 */
@NullMarked
package io.siltstone.table;

import org.jspecify.annotations.NullMarked;
