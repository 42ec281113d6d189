package io.siltstone.compaction.strategy;

import java.util.List;

/**
 * The rule by which the output of a job is divided into SSTables, always between two partitions.
 */
public sealed interface Split {
  /** The output is one SSTable. */
  Split NONE = new None();

  /** The output is one SSTable. */
  record None() implements Split {}

  /**
   * The output is divided into SSTables of about one size: each ends with the partition that
   * reaches it.
   *
   * @param onDiskBytes the size of a data file, at least 1
   */
  record BySize(long onDiskBytes) implements Split {}

  /**
   * The output is divided into SSTables of one half, one quarter and so on of the expected size,
   * until the rest would be too small.
   *
   * @param leastOnDiskBytes the least size of a data file
   */
  record Halving(long leastOnDiskBytes) implements Split {}

  /**
   * The output is divided at given tokens: the shard boundaries of unified compaction, or those of
   * a request.
   *
   * @param tokens in ascending order: each is the last token of an SSTable
   */
  record AtTokens(List<Long> tokens) implements Split {
    /** Copies the list. */
    public AtTokens {
      tokens = List.copyOf(tokens);
    }
  }
}
