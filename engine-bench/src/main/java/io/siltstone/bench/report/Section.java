package io.siltstone.bench.report;

import java.util.List;

/**
 * A part of a report.
 *
 * @param title of the part
 * @param blocks in their order
 */
public record Section(String title, List<Block> blocks) {
  /** Copies the list. */
  public Section {
    blocks = List.copyOf(blocks);
  }
}
