package io.siltstone.sstable;

import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.filter.BloomFilter;

/** The components by which partitions are found; the caller that takes them over closes them. */
record IndexParts(ReadableFile index, BloomFilter filter, IndexSummary summary) {}
