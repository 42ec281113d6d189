/**
 * The BIG index: {@code Index.db} with its promoted index, and {@code Summary.db}.
 *
 * <p>An {@code IndexWriter} writes an entry per partition, with the blocks that a {@code
 * PartitionIndex} has gathered on disk rather than on the heap; keys at intervals are sampled into
 * an {@code IndexSummary}, which is off-heap. A partition is looked for from the sample before it
 * on, with an {@code IndexCursor}; {@code IndexBlocks} searches the blocks of a wide one where they
 * lie. Source: Cassandra's format {@code big}.
 */
@NullMarked
package io.siltstone.sstable.big;

import org.jspecify.annotations.NullMarked;
