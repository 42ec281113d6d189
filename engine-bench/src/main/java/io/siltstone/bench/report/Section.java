package io.siltstone.bench.report;

import java.util.List;

/**
 * A section of a report.
 *
 * @param title of the section
 * @param blocks in their order
 */
public record Section(String title, List<Block> blocks) {
  /** Copies the list. */
  public Section {
    blocks = List.copyOf(blocks);
  }
}
