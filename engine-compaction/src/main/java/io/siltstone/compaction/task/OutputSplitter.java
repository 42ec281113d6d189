package io.siltstone.compaction.task;

import io.siltstone.compaction.strategy.Split;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.SSTableWriter;
import java.util.List;

/**
 * Decides where one output SSTable of a compaction ends and the next begins, by the rule of a
 * {@link Split}. Confined to one thread.
 */
abstract class OutputSplitter {
  private OutputSplitter() {}

  /**
   * Returns a splitter for a range of partitions.
   *
   * @param range of the partitions that will be written
   * @param expectedBytes their expected bytes on disk
   */
  static OutputSplitter of(Split split, PartitionRange range, long expectedBytes) {
    if (split instanceof Split.BySize bySize) {
      return new BySize(bySize.onDiskBytes(), expectedBytes);
    }
    if (split instanceof Split.Halving halving) {
      return new Halving(halving.leastOnDiskBytes(), expectedBytes);
    }
    if (split instanceof Split.AtTokens atTokens) {
      PartitionKey from = range.from();
      PartitionKey to = range.to();
      return new AtTokens(
          atTokens.tokens().stream()
              .filter(token -> from == null || token >= from.token())
              .filter(token -> to == null || token < to.token())
              .toList());
    }
    return new OutputSplitter() {
      @Override
      boolean ends(PartitionKey next, SSTableWriter present) {
        return false;
      }

      @Override
      double share() {
        return 1;
      }
    };
  }

  /**
   * Returns whether the present output ends before a partition.
   *
   * @param present the output being written
   */
  final boolean endsBefore(PartitionKey next, SSTableWriter present) {
    return ends(next, present) && present.partitions() > 0;
  }

  /** Decides as {@link #endsBefore}, also for an output without partitions. */
  abstract boolean ends(PartitionKey next, SSTableWriter present);

  /** Returns the expected share, of all partitions, of the output that begins now. */
  abstract double share();

  private static final class BySize extends OutputSplitter {
    private final long bytes;
    private final double share;

    BySize(long bytes, long expectedBytes) {
      this.bytes = bytes;
      // An output is a little larger than the size that ends it.
      this.share = Math.min(1, 1.05 * bytes / Math.max(1, expectedBytes));
    }

    @Override
    boolean ends(PartitionKey next, SSTableWriter present) {
      return present.onDiskLength() >= bytes;
    }

    @Override
    double share() {
      return share;
    }
  }

  /** Source: Cassandra {@code SplittingSizeTieredCompactionWriter}. */
  private static final class Halving extends OutputSplitter {
    private final long least;
    private final long expected;
    private long target;
    private boolean isLast;

    Halving(long least, long expectedBytes) {
      this.least = least;
      this.expected = Math.max(1, expectedBytes);
      this.target = expected / 2;
      this.isLast = target < least;
    }

    @Override
    boolean ends(PartitionKey next, SSTableWriter present) {
      if (isLast || present.onDiskLength() < target) {
        return false;
      }
      target /= 2;
      isLast = target < least;
      return true;
    }

    @Override
    double share() {
      // The last output takes the rest.
      return isLast ? Math.min(1, 2.0 * target / expected) : (double) target / expected;
    }
  }

  private static final class AtTokens extends OutputSplitter {
    private final List<Long> tokens;
    private int next;

    AtTokens(List<Long> tokens) {
      this.tokens = tokens;
    }

    @Override
    boolean ends(PartitionKey partition, SSTableWriter present) {
      boolean ends = false;
      while (next < tokens.size() && partition.token() > tokens.get(next)) {
        next++;
        ends = true;
      }
      return ends;
    }

    @Override
    double share() {
      return 1.0 / (tokens.size() + 1);
    }
  }
}
