/**
 * The BTI index: {@code Partitions.db} and {@code Rows.db}, two files of tries, which Cassandra 5
 * and 6 write in the versions {@code da} and {@code ea} in place of {@code Index.db} and {@code
 * Summary.db}. Both versions have the same form.
 *
 * <p>A {@code PartitionTrieWriter} keeps of each key the shortest beginning that no other key has;
 * the entry says where the partition is in the data file, or that a {@code RowTrieWriter} has
 * divided its rows into blocks, between which there are separators. {@code PartitionTrieCursor} and
 * {@code RowTrieCursor} search and walk over both; {@code TrieIndex}, {@code TrieBlocks} and {@code
 * TrieIndexOutput} make them the index of an SSTable. Source: Cassandra's format {@code bti}.
 */
@NullMarked
package io.siltstone.sstable.bti;

import org.jspecify.annotations.NullMarked;
