package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import java.util.List;

/**
 * SSTables to be replaced by others.
 *
 * @param inputs not empty; with one, what can be purged of it is
 * @param level of the outputs in leveled compaction, 0 elsewhere
 * @param split how the output is divided into SSTables
 * @param ignoresOverlaps whether data older than all that is live elsewhere is not looked for:
 *     expired tables go even if they shadow something ({@code
 *     unsafe_aggressive_sstable_expiration})
 * @param reason for the operator, one sentence: why these, why now
 */
@SuppressWarnings("exports")
public record Job(
    List<LiveTable> inputs, int level, Split split, boolean ignoresOverlaps, String reason) {
  /** Copies the list. */
  public Job {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("a job without inputs");
    }
    inputs = List.copyOf(inputs);
  }

  /** Bytes of the inputs' data files. */
  public long onDiskBytes() {
    return inputs.stream().mapToLong(LiveTable::onDiskBytes).sum();
  }
}
