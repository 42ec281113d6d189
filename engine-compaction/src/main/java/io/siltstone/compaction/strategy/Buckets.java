package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Groups SSTables into the buckets of size-tiered compaction: SSTables of similar size. Source of
 * the rule: Cassandra {@code SizeTieredCompactionStrategy.getBuckets}.
 */
final class Buckets {

  /**
   * SSTables of similar size, in ascending order, and their average size as the rule computes it.
   */
  private static final class Bucket {
    final List<LiveTable> tables = new ArrayList<>();
    long averageBytes;

    void add(LiveTable table) {
      long total = tables.size() * averageBytes + table.onDiskBytes();
      tables.add(table);
      averageBytes = total / tables.size();
    }
  }

  private Buckets() {}

  /**
   * Groups SSTables by size. An SSTable joins, of the buckets whose average it is similar to, the
   * one with the greatest average; Cassandra takes any of them.
   *
   * @return the buckets in ascending order of size, as are the SSTables of each
   */
  static List<List<LiveTable>> of(List<LiveTable> tables, SizeTieredOptions options) {
    List<Bucket> buckets = new ArrayList<>();
    tables.stream()
        .sorted(Comparator.comparingLong(LiveTable::onDiskBytes))
        .forEach(table -> similar(buckets, table.onDiskBytes(), options).add(table));
    return buckets.stream().map(bucket -> bucket.tables).toList();
  }

  private static Bucket similar(List<Bucket> buckets, long size, SizeTieredOptions options) {
    for (int i = buckets.size() - 1; i >= 0; i--) {
      Bucket bucket = buckets.get(i);
      long average = bucket.averageBytes;
      if ((size > average * options.bucketLow() && size < average * options.bucketHigh())
          || (size < options.minSSTableBytes() && average < options.minSSTableBytes())) {
        return bucket;
      }
    }
    Bucket fresh = new Bucket();
    buckets.add(fresh);
    return fresh;
  }

  /**
   * Returns the smallest SSTables of the smallest bucket that has {@code min_threshold} of them, at
   * most {@code max_threshold}; an empty list if no bucket has enough.
   *
   * <p>Cassandra takes the bucket that is read most per key, which is not known here. Merging small
   * SSTables removes the most files for the bytes that it writes.
   */
  static List<LiveTable> next(List<LiveTable> tables, SizeTieredOptions options) {
    for (List<LiveTable> bucket : of(tables, options)) {
      if (bucket.size() >= options.minThreshold()) {
        return bucket.subList(0, Math.min(bucket.size(), options.maxThreshold()));
      }
    }
    return List.of();
  }
}
