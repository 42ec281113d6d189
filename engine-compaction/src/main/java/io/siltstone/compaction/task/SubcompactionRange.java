package io.siltstone.compaction.task;

import io.siltstone.compaction.strategy.Split;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.index.PartitionSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token range of a compaction's inputs that a {@link Subcompaction} merges independently of the
 * others.
 *
 * @param share the estimated share of the inputs' bytes in it, 0 to 1
 */
record SubcompactionRange(PartitionRange range, double share) {
  private static final int SAMPLES_PER_RANGE = 16;
  private static final byte[] LEAST = {};

  /** An index sample of one input: its key, and the bytes since the previous sample. */
  private record Step(PartitionKey key, long bytes) {}

  /**
   * Divides inputs into ranges of about the same number of bytes, by samples of their indexes. A
   * job that makes a single SSTable is not divided, and there are no more ranges than expected
   * outputs. Where outputs end at tokens, so do the ranges.
   *
   * @param most the greatest number of ranges
   * @return at least one, in the order of tokens
   */
  static List<SubcompactionRange> divide(List<SSTable> inputs, Split split, int most)
      throws IOException {
    int count = Math.min(most, outputs(inputs, split));
    if (count <= 1) {
      return List.of(new SubcompactionRange(PartitionRange.ALL, 1));
    }
    List<Step> steps = new ArrayList<>();
    long total = 0;
    for (SSTable input : inputs) {
      total += input.dataLength();
      long before = 0;
      for (PartitionSample sample : input.samples(SAMPLES_PER_RANGE * count)) {
        steps.add(new Step(sample.key(), sample.dataPosition() - before));
        before = sample.dataPosition();
      }
    }
    steps.sort((left, right) -> left.key().compareTo(right.key()));
    List<SubcompactionRange> ranges = new ArrayList<>();
    @Nullable PartitionKey from = null;
    long fromBytes = 0;
    long bytes = 0;
    for (Step step : steps) {
      bytes += step.bytes();
      // This also holds where earlier ranges have become too large.
      if (bytes >= fromBytes + (total - fromBytes) / (count - ranges.size())) {
        @Nullable PartitionKey to = end(step.key(), split);
        if (to != null && (from == null || to.compareTo(from) > 0)) {
          ranges.add(
              new SubcompactionRange(
                  new PartitionRange(from, to), (double) (bytes - fromBytes) / total));
          from = to;
          fromBytes = bytes;
          if (ranges.size() == count - 1) {
            break;
          }
        }
      }
    }
    ranges.add(
        new SubcompactionRange(
            new PartitionRange(from, null), (double) (total - fromBytes) / total));
    return ranges;
  }

  private static int outputs(List<SSTable> inputs, Split split) {
    if (split instanceof Split.BySize bySize) {
      long bytes = inputs.stream().mapToLong(SSTable::onDiskLength).sum();
      return (int) Math.min(Integer.MAX_VALUE, bytes / bySize.onDiskBytes());
    }
    return split instanceof Split.AtTokens atTokens ? atTokens.tokens().size() + 1 : 1;
  }

  /** Returns the end of a range that should end at a key; null for no end. */
  private static @Nullable PartitionKey end(PartitionKey key, Split split) {
    if (!(split instanceof Split.AtTokens atTokens)) {
      return key;
    }
    for (long token : atTokens.tokens()) {
      // The token is the last one of an SSTable.
      if (token >= key.token()) {
        return token == Long.MAX_VALUE ? null : PartitionKey.of(LEAST, token + 1);
      }
    }
    return null;
  }
}
