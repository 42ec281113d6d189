/**
 * The index of an SSTable as readers and writers see it, whatever its format: {@code KeyIndex}
 * looks partitions up and goes through them in order, {@code BlockIndex} finds a place within a
 * wide partition, and an {@code IndexOutput} writes both. The packages {@code sstable.big} and
 * {@code sstable.bti} implement them for Cassandra's two formats.
 */
@NullMarked
package io.siltstone.sstable.index;

import org.jspecify.annotations.NullMarked;
