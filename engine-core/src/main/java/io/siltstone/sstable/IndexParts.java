package io.siltstone.sstable;

import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.filter.BloomFilter;

/** What tells where the partitions of a table are; closed by whoever takes it over. */
record IndexParts(ReadableFile index, BloomFilter filter, IndexSummary summary) {}
