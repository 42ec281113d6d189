/**
 * Rows that are not yet in an SSTable: off-heap, sharded, with their versions.
 *
 * <p>Entry: {@link io.siltstone.memtable.Memtable}. A memtable is divided into shards by a hash of
 * the partition key; each shard has an arena of its own, in which a skip list of partitions leads
 * to rows, static rows and deletions. Nothing written is ever changed: a write adds versions, each
 * with the sequence number of its update, and links them. So readers need no lock. They take a
 * shard's sequence number once and pass over what is newer. One writer at a time per shard, whose
 * lock is the caller's.
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
