package io.siltstone.sstable.metadata;

import io.siltstone.partitioner.PartitionKey;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what a table's statistics tell of its partitions, beside the {@link StatisticsCollector},
 * which does not depend on it: so both can be fed by threads of their own.
 *
 * <p>Used by one thread at a time. Nothing is allocated per partition. Source: Cassandra {@code
 * MetadataCollector}.
 */
public final class PartitionCollector {
  private final EstimatedHistogram sizes = EstimatedHistogram.ofPartitionSizes();
  private final EstimatedHistogram cells = EstimatedHistogram.ofCellCounts();
  private final CardinalityEstimator cardinality = new CardinalityEstimator();
  private @Nullable KeyRange keyRange;

  /** Of no partitions. */
  public PartitionCollector() {}

  /**
   * Adds a partition.
   *
   * @param bytes it takes in the data file, uncompressed, end mark included
   * @param cellCount cells it has, tombstones among them
   */
  public void add(PartitionKey key, long bytes, long cellCount) {
    sizes.add(bytes);
    cells.add(cellCount);
    cardinality.add(Murmur2Hash.hash(key.bytes(), key.offset(), key.length()));
  }

  /** Tells the first and the last key of all, once they are known; copies them. */
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
