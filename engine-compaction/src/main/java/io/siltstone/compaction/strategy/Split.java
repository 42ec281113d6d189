package io.siltstone.compaction.strategy;

import java.util.List;

/** How the output of a job is divided into SSTables, always between two partitions. */
public sealed interface Split {
  /** One SSTable. */
  Split NONE = new None();

  /** One SSTable. */
  record None() implements Split {}

  /**
   * SSTables of about a size: each ends with the partition that reaches it.
   *
   * @param onDiskBytes of a data file, 1 or more
   */
  record BySize(long onDiskBytes) implements Split {}

  /**
   * SSTables of one half, one quarter, and so on, of the expected size, as long as they are not too
   * small.
   *
   * @param leastOnDiskBytes of a data file
   */
  record Halving(long leastOnDiskBytes) implements Split {}

  /**
   * SSTables that do not reach over given places.
   *
   * @param tokens ascending: each is the last of an SSTable
   */
  record AtTokens(List<Long> tokens) implements Split {
    /** Copies the list. */
    public AtTokens {
      tokens = List.copyOf(tokens);
    }
  }
}
