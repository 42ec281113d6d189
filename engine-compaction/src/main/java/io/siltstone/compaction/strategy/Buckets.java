package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Tables of similar size. Source of the rule: Cassandra {@code
 * SizeTieredCompactionStrategy.getBuckets}.
 */
final class Buckets {

  /** Tables of similar size, ascending, and their average as the rule reckons it. */
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
   * Groups tables by size. A table joins the bucket of the greatest average that it is similar to;
   * Cassandra takes any of them.
   *
   * @return ascending by size, as are the tables of each
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
   * The smallest tables of the smallest bucket that has enough of them; empty if none has.
   *
   * <p>Cassandra takes the bucket that is read most per key, which is not known here. Small tables
   * are, and to merge them takes away the most tables for the bytes.
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
