package io.siltstone.sstable.index;

import io.siltstone.partitioner.PartitionKey;

/**
 * A sampled partition of an SSTable, according to its index.
 *
 * @param key must not be changed
 * @param dataPosition position in the uncompressed data
 */
public record PartitionSample(PartitionKey key, long dataPosition) {}
