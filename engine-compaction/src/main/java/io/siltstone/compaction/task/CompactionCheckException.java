package io.siltstone.compaction.task;

import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.List;

/**
 * Thrown when the counters of a compaction do not agree: something was lost or added between its
 * inputs and its outputs. The inputs are still live, and the outputs are discarded.
 */
public final class CompactionCheckException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient List<Descriptor> tables;

  CompactionCheckException(String message) {
    this(message, List.of());
  }

  /** Makes an exception that names the inputs whose counters are wrong. */
  CompactionCheckException(String message, List<Descriptor> tables) {
    super(message);
    this.tables = List.copyOf(tables);
  }

  /** Returns the inputs whose counters are wrong; empty if it is not known which. */
  public List<Descriptor> tables() {
    return tables;
  }
}
