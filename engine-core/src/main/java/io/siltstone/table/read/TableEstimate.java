package io.siltstone.table.read;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.memtable.MemtableSnapshot;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.RangeSize;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.CardinalityEstimator;
import io.siltstone.statistics.MemtableStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Estimates the size of a range of partitions of a table from indexes, statistics, bloom filters
 * and memtables, without reading data.
 *
 * <p>Each SSTable tells its partitions and bytes in the range ({@link RangeSize}). How many of the
 * partitions are in several SSTables follows from the cardinality estimators of those that have
 * some of the range: the estimate of their union, over the sum of their own estimates, is taken as
 * the share of different ones in the range, too. Of keys of memtables, all or a sample are looked
 * up in the bloom filters, to see which are new.
 *
 * @param partitions different partitions
 * @param rows rows and static rows, each version of a row in another SSTable or memtable once more;
 *     the number of partitions if the table has no clustering columns
 * @param dataBytes before compression, of all versions
 * @param onDiskBytes of the data files
 */
public record TableEstimate(long partitions, long rows, long dataBytes, long onDiskBytes) {
  // With fewer samples, some 65,000 keys, all keys are looked up: a sample of n is wrong by about
  // half of the root of n.
  private static final int LEAST_SAMPLES = 256;

  /** Estimates a range of a snapshot. */
  static TableEstimate of(
      ReadSources of, List<MemtableSnapshot> memtables, View view, PartitionRange range)
      throws IOException {
    Sum sum = new Sum();
    List<SSTable> overlapping = new ArrayList<>();
    for (SSTable table : view.byFirstKey()) {
      if (range.overlaps(table.firstKey(), table.lastKey())) {
        sum.add(table, RangeSize.of(table, range));
        overlapping.add(table);
      }
    }
    sum.partitions = Math.max(sum.mostPartitions, sum.partitions * shareOfDifferent(overlapping));
    for (MemtableSnapshot memtable : memtables) {
      sum.add(memtable, range, overlapping);
    }
    long partitions = Math.round(sum.partitions);
    boolean isOfRows = !of.schema().clusteringColumns().isEmpty();
    return new TableEstimate(
        partitions,
        isOfRows ? Math.round(sum.rows) : partitions,
        Math.round(sum.dataBytes),
        Math.round(sum.onDiskBytes));
  }

  /** Returns the share of different partitions among those of all SSTables, more than 0 to 1. */
  private static double shareOfDifferent(List<SSTable> byFirstKey) {
    PartitionKey last = null;
    boolean doOverlap = false;
    for (SSTable table : byFirstKey) {
      doOverlap |= last != null && table.firstKey().compareTo(last) <= 0;
      last = last == null || table.lastKey().compareTo(last) > 0 ? table.lastKey() : last;
    }
    if (!doOverlap) {
      return 1;
    }
    CardinalityEstimator union = new CardinalityEstimator();
    double sum = 0;
    for (SSTable table : byFirstKey) {
      CardinalityEstimator own = table.statistics().compaction().cardinality();
      union.add(own);
      sum += own.estimate();
    }
    return sum == 0 ? 1 : Math.min(1, union.estimate() / sum);
  }

  /** The sums over SSTables and memtables. Confined to one thread. */
  private static final class Sum {
    private final long[] hash = new long[2];
    private double partitions;
    private double mostPartitions;
    private double rows;
    private double dataBytes;
    private double onDiskBytes;

    private void add(SSTable table, RangeSize size) {
      double share = table.dataLength() == 0 ? 0 : (double) size.dataBytes() / table.dataLength();
      partitions += size.partitions();
      mostPartitions = Math.max(mostPartitions, (double) size.partitions());
      rows += share * table.statistics().stats().totalRows();
      dataBytes += size.dataBytes();
      onDiskBytes += share * table.onDiskLength();
    }

    private void add(MemtableSnapshot snapshot, PartitionRange range, List<SSTable> tables)
        throws IOException {
      Memtable memtable = snapshot.memtable();
      MemtableStatistics all = memtable.statistics();
      if (all.partitions() == 0) {
        return;
      }
      List<PartitionKey> samples = MemtableSamples.of(memtable, range);
      double inRange;
      double areNew = 0;
      if (samples.size() < LEAST_SAMPLES) {
        inRange = 0;
        try (PartitionCursor cursor = memtable.scan(range, snapshot)) {
          while (cursor.nextPartition()) {
            inRange++;
            areNew += isNew(cursor.key(), tables) ? 1 : 0;
          }
        }
      } else {
        double perSample =
            (double) all.partitions() / MemtableSamples.of(memtable, PartitionRange.ALL).size();
        inRange = samples.size() * perSample;
        for (PartitionKey key : samples) {
          areNew += isNew(key, tables) ? perSample : 0;
        }
      }
      double share = Math.min(1, inRange / all.partitions());
      partitions += areNew;
      rows += share * all.rows();
      dataBytes += share * all.dataBytes();
    }

    private boolean isNew(PartitionKey key, List<SSTable> tables) throws IOException {
      Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
      for (SSTable table : tables) {
        if (table.mightContain(key, hash[0], hash[1])) {
          return false;
        }
      }
      return true;
    }
  }
}
