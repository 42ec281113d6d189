package io.siltstone.sstable.metadata;

import io.siltstone.sstable.format.CorruptSSTableException;

/**
 * The compaction metadata of an SSTable, which only compaction reads.
 *
 * @param cardinality of the partition keys; must not be changed
 */
public record CompactionMetadata(CardinalityEstimator cardinality) {

  static CompactionMetadata read(MetadataInput in) throws CorruptSSTableException {
    in.count(in.int32(), 1, "bytes of cardinality");
    return new CompactionMetadata(CardinalityEstimator.read(in));
  }

  void write(MetadataOutput out) {
    MetadataOutput bytes = new MetadataOutput();
    cardinality.write(bytes);
    byte[] written = bytes.toByteArray();
    out.int32(written.length);
    out.bytes(written);
  }
}
