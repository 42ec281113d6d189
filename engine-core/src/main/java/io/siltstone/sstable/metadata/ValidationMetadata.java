package io.siltstone.sstable.metadata;

import io.siltstone.sstable.format.CorruptSSTableException;

/**
 * The validation metadata of an SSTable, which must match before the SSTable is used.
 *
 * @param partitioner Cassandra's name of the class; see {@link
 *     io.siltstone.partitioner.Partitioner#ofClassName}
 * @param bloomFilterFpChance false-positive chance for which the bloom filter was created, 1 if
 *     there is none
 */
public record ValidationMetadata(String partitioner, double bloomFilterFpChance) {

  static ValidationMetadata read(MetadataInput in) throws CorruptSSTableException {
    String partitioner = in.modifiedUtf8();
    return new ValidationMetadata(partitioner, in.float64());
  }

  void write(MetadataOutput out) {
    out.modifiedUtf8(partitioner);
    out.float64(bloomFilterFpChance);
  }
}
