/**
 * {@code Filter.db}: the bloom filter over partition keys. {@code FilterSize} finds how many bits
 * and hashes a chance of false positives needs; a {@code BloomFilter} is off-heap, and owned by the
 * table or writer that opened it; {@code GatheredBits} buffers the bits of a large one. Source:
 * Cassandra {@code BloomFilter}, {@code BloomCalculations}.
 */
@NullMarked
package io.siltstone.sstable.filter;

import org.jspecify.annotations.NullMarked;
