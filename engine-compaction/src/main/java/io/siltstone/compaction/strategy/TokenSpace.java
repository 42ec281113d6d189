package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the density of SSTables over the token space, and the shard boundaries at which unified
 * compaction divides its outputs. Keys that are ordered by their bytes are spread unevenly: each
 * SSTable counts as if it covered the whole space, which is one shard. Source: Cassandra {@code
 * ShardManagerNoDisks}, {@code ShardManagerTrivial}, {@code Murmur3Partitioner.split}.
 */
final class TokenSpace {
  // An SSTable of a few partitions covers next to nothing, which says nothing about its density.
  private static final double LEAST_COVERAGE = Math.scalb(1.0, -48);

  private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal ALL = BigDecimal.valueOf(Long.MAX_VALUE).subtract(LEAST);

  private TokenSpace() {}

  /**
   * Returns the density of an SSTable: its bytes over the share of the token space that it covers.
   */
  static double density(Partitioner partitioner, LiveTable table) {
    return table.onDiskBytes() / coverage(partitioner, table.firstKey(), table.lastKey());
  }

  /** Returns the density that the merge of SSTables would have. */
  static double density(Partitioner partitioner, List<LiveTable> tables) {
    return CandidateSelection.onDiskBytes(tables)
        / coverage(partitioner, Levels.firstKey(tables), Levels.lastKey(tables));
  }

  private static double coverage(Partitioner partitioner, PartitionKey first, PartitionKey last) {
    if (partitioner != Partitioner.MURMUR3) {
      return 1;
    }
    // The subtraction overflows where it should: the whole space is 1.
    double share = Math.scalb((double) (last.token() + 1 - first.token()), -Long.SIZE);
    double positive = share > 0 ? share : share + 1;
    return positive < LEAST_COVERAGE ? 1 : positive;
  }

  /**
   * Returns the shard boundaries at which the merge of SSTables is divided.
   *
   * @param shards the number of shards of the whole token space
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

  /** Returns a shard, counted from 1, that ends at the token or shortly before it. */
  private static int firstShard(long token, int shards) {
    double share = Math.scalb((double) token, -Long.SIZE) + 0.5;
    return Math.max(1, (int) (share * shards) - 1);
  }

  /**
   * Returns the last token of a shard.
   *
   * @param shard from 1 (inclusive) to the number of shards (exclusive)
   */
  static long end(int shard, int shards) {
    return ALL.multiply(BigDecimal.valueOf(1.0 / shards * shard))
        .add(LEAST)
        .toBigInteger()
        .longValue();
  }
}
