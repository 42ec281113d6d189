package io.siltstone.compaction.task;

import io.siltstone.compaction.strategy.Split;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.PartitionSample;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of the partitions of a task's inputs, which can be merged apart from the others.
 *
 * @param share of the inputs' bytes that it has, about: 0 to 1
 */
record SubcompactionRange(PartitionRange range, double share) {
  private static final int SAMPLES_PER_PORTION = 16;
  private static final byte[] LEAST = {};

  /** That each of the inputs has so many bytes before a key more than before the last such key. */
  private record Step(PartitionKey key, long bytes) {}

  /**
   * Divides inputs into portions of about equal bytes, as their indexes tell. What makes a single
   * SSTable is not divided, nor is what makes fewer than there would be portions; where the outputs
   * end at tokens, portions do too.
   *
   * @param most portions
   * @return in order, one at least
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
      for (PartitionSample sample : input.samples(SAMPLES_PER_PORTION * count)) {
        steps.add(new Step(sample.key(), sample.dataPosition() - before));
        before = sample.dataPosition();
      }
    }
    steps.sort((left, right) -> left.key().compareTo(right.key()));
    List<SubcompactionRange> portions = new ArrayList<>();
    @Nullable PartitionKey from = null;
    long fromBytes = 0;
    long bytes = 0;
    for (Step step : steps) {
      bytes += step.bytes();
      // Also where the portions before this one have come out too large.
      if (bytes >= fromBytes + (total - fromBytes) / (count - portions.size())) {
        @Nullable PartitionKey to = end(step.key(), split);
        if (to != null && (from == null || to.compareTo(from) > 0)) {
          portions.add(
              new SubcompactionRange(
                  new PartitionRange(from, to), (double) (bytes - fromBytes) / total));
          from = to;
          fromBytes = bytes;
          if (portions.size() == count - 1) {
            break;
          }
        }
      }
    }
    portions.add(
        new SubcompactionRange(
            new PartitionRange(from, null), (double) (total - fromBytes) / total));
    return portions;
  }

  private static int outputs(List<SSTable> inputs, Split split) {
    if (split instanceof Split.BySize bySize) {
      long bytes = inputs.stream().mapToLong(SSTable::onDiskLength).sum();
      return (int) Math.min(Integer.MAX_VALUE, bytes / bySize.onDiskBytes());
    }
    return split instanceof Split.AtTokens atTokens ? atTokens.tokens().size() + 1 : 1;
  }

  /** Where a portion ends that should end at a key; null for nowhere. */
  private static @Nullable PartitionKey end(PartitionKey key, Split split) {
    if (!(split instanceof Split.AtTokens atTokens)) {
      return key;
    }
    for (long token : atTokens.tokens()) {
      // The token is the last of an SSTable.
      if (token >= key.token()) {
        return token == Long.MAX_VALUE ? null : PartitionKey.of(LEAST, token + 1);
      }
    }
    return null;
  }
}
