package io.siltstone.compaction.task;

import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.List;

/**
 * The figures of a task do not add up: something was lost or made up between its inputs and its
 * outputs. The inputs are still live, the outputs are given up.
 */
public final class CompactionCheckException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient List<Descriptor> tables;

  CompactionCheckException(String message) {
    this(message, List.of());
  }

  /** With the inputs whose figures are wrong. */
  CompactionCheckException(String message, List<Descriptor> tables) {
    super(message);
    this.tables = List.copyOf(tables);
  }

  /** The inputs whose figures are wrong; empty if it cannot be told which. */
  public List<Descriptor> tables() {
    return tables;
  }
}
