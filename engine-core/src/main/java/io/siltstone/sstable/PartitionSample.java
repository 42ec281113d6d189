package io.siltstone.sstable;

import io.siltstone.partitioner.PartitionKey;

/**
 * A partition of a table, as its index tells of it.
 *
 * @param key of its own; not to be changed
 * @param dataPosition where it begins in the uncompressed data
 */
public record PartitionSample(PartitionKey key, long dataPosition) {}
