/**
 * The memtable: rows that are not yet in an SSTable, off-heap and sharded, with their versions.
 *
 * <p>Entry: {@link io.siltstone.memtable.Memtable}. A memtable is divided into shards by a hash of
 * the partition key; each shard has an arena of its own, in which a skip list of partitions leads
 * to rows, static rows and deletions. Nothing is changed in place: a write adds versions, each with
 * the sequence number of its update, and links them. Readers therefore need no lock: they read a
 * shard's sequence number once and skip newer versions. There is one writer at a time per shard,
 * under a lock of the caller.
 *
 * <pre>
 *   Memtable ─► Shard ─► PartitionList ─► state: partition deletion, RangeRuns
 *                  │            └───────► RowList ─► RowVersions
 *                  └── ShardWriter (applies updates)
 *   MemtableReader, MemtableScan ─► PartitionWalk ─► RowPlaces, RangeWalk, RowMerger
 * </pre>
 */
@NullMarked
package io.siltstone.memtable;

import org.jspecify.annotations.NullMarked;
