package io.siltstone.sstable.metadata;

import io.siltstone.partitioner.PartitionKey;
import org.jspecify.annotations.Nullable;

/**
 * Collects an SSTable's statistics of partitions: sizes, number of cells, cardinality of keys. It
 * is independent of the {@link StatisticsCollector}, so another thread may fill it.
 *
 * <p>Used by one thread at a time. Nothing is allocated per partition. Source: Cassandra {@code
 * MetadataCollector}.
 */
public final class PartitionCollector {
  private final EstimatedHistogram sizes = EstimatedHistogram.ofPartitionSizes();
  private final EstimatedHistogram cells = EstimatedHistogram.ofCellCounts();
  private final CardinalityEstimator cardinality = new CardinalityEstimator();
  private @Nullable KeyRange keyRange;

  /** Creates a collector without partitions. */
  public PartitionCollector() {}

  /**
   * Adds a partition.
   *
   * @param bytes uncompressed length in the data file, including the end mark
   * @param cellCount number of cells, including tombstones
   */
  public void add(PartitionKey key, long bytes, long cellCount) {
    sizes.add(bytes);
    cells.add(cellCount);
    cardinality.add(Murmur2Hash.hash(key.bytes(), key.offset(), key.length()));
  }

  /** Sets the first and last key, once they are known; copies them. */
  public void keyRange(PartitionKey first, PartitionKey last) {
    keyRange = new KeyRange(first.toByteArray(), last.toByteArray());
  }

  EstimatedHistogram sizes() {
    return sizes.copy();
  }

  EstimatedHistogram cells() {
    return cells.copy();
  }

  CardinalityEstimator cardinality() {
    return cardinality;
  }

  KeyRange keyRange() {
    if (keyRange == null) {
      throw new IllegalStateException("a table without partitions has no statistics");
    }
    return keyRange;
  }
}
