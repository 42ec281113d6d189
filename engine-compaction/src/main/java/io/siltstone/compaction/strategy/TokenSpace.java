package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Shares of the token space and where it is divided. Keys that are ordered by their bytes are
 * spread over it unevenly: they count as if each table covered all of it, which is one shard.
 * Source: Cassandra {@code ShardManagerNoDisks}, {@code ShardManagerTrivial}, {@code
 * Murmur3Partitioner.split}.
 */
final class TokenSpace {
  // Tables of a few partitions cover next to nothing: that says nothing about their density.
  private static final double LEAST_COVERAGE = Math.scalb(1.0, -48);

  private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal ALL = BigDecimal.valueOf(Long.MAX_VALUE).subtract(LEAST);

  private TokenSpace() {}

  /** Bytes of a table by the share of the token space that it covers. */
  static double density(Partitioner partitioner, LiveTable table) {
    return table.onDiskBytes() / coverage(partitioner, table.firstKey(), table.lastKey());
  }

  /** Likewise of what tables become when they are merged. */
  static double density(Partitioner partitioner, List<LiveTable> tables) {
    return CandidateSelection.onDiskBytes(tables)
        / coverage(partitioner, Levels.firstKey(tables), Levels.lastKey(tables));
  }

  private static double coverage(Partitioner partitioner, PartitionKey first, PartitionKey last) {
    if (partitioner != Partitioner.MURMUR3) {
      return 1;
    }
    // Overflows where it should: the whole space is 1.
    double share = Math.scalb((double) (last.token() + 1 - first.token()), -Long.SIZE);
    double positive = share > 0 ? share : share + 1;
    return positive < LEAST_COVERAGE ? 1 : positive;
  }

  /**
   * Where tables that are merged are divided.
   *
   * @param shards of the whole token space
   */
  static Split split(Partitioner partitioner, List<LiveTable> tables, int shards) {
    if (partitioner != Partitioner.MURMUR3 || shards == 1) {
      return Split.NONE;
    }
    long first = Levels.firstKey(tables).token();
    long last = Levels.lastKey(tables).token();
    List<Long> ends = new ArrayList<>();
    for (int i = firstShard(first, shards); i < shards; i++) {
      long end = end(i, shards);
      if (end >= last) {
        break;
      }
      if (end >= first) {
        ends.add(end);
      }
    }
    return ends.isEmpty() ? Split.NONE : new Split.AtTokens(ends);
  }

  /** A shard, counted from 1, that ends at the token or before it, but not long before. */
  private static int firstShard(long token, int shards) {
    double share = Math.scalb((double) token, -Long.SIZE) + 0.5;
    return Math.max(1, (int) (share * shards) - 1);
  }

  /**
   * The last token of a shard.
   *
   * @param shard from 1 to the number of shards, that one excluded
   */
  static long end(int shard, int shards) {
    return ALL.multiply(BigDecimal.valueOf(1.0 / shards * shard))
        .add(LEAST)
        .toBigInteger()
        .longValue();
  }
}
