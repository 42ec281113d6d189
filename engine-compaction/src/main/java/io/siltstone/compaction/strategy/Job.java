package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import java.util.List;

/**
 * A compaction that a strategy proposes: SSTables to be replaced by their merge.
 *
 * @param inputs the SSTables to merge, not empty; a single one is rewritten to purge tombstones
 * @param level the level of the outputs in leveled compaction, 0 in other strategies
 * @param split how the output is divided into SSTables
 * @param ignoresOverlaps whether the overlap check is skipped: fully expired SSTables are dropped
 *     even if they shadow data of other SSTables ({@code unsafe_aggressive_sstable_expiration})
 * @param reason a sentence for the operator: why these SSTables, and why now
 */
public record Job(
    List<LiveTable> inputs, int level, Split split, boolean ignoresOverlaps, String reason) {
  /** Copies the list. */
  public Job {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("a job without inputs");
    }
    inputs = List.copyOf(inputs);
  }

  /** Returns the bytes of the inputs' data files. */
  public long onDiskBytes() {
    return inputs.stream().mapToLong(LiveTable::onDiskBytes).sum();
  }
}
