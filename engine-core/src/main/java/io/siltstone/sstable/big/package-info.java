/**
 * The BIG index: {@code Index.db} with its promoted index, and {@code Summary.db}.
 *
 * <p>An {@code IndexWriter} writes an entry per partition, with the blocks that a {@code
 * PartitionIndex} has collected on disk rather than on the heap; keys at intervals are sampled into
 * an {@code IndexSummary}, which is off-heap. An {@code IndexCursor} searches for a partition from
 * the sample before it on; {@code IndexBlocks} searches the blocks of a wide partition in the index
 * file. Source: Cassandra's format {@code big}.
 */
@NullMarked
package io.siltstone.sstable.big;

import org.jspecify.annotations.NullMarked;
