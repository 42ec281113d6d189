package io.siltstone.compaction.task;

import java.io.IOException;

/**
 * The figures of a task do not add up: something was lost or made up between its inputs and its
 * outputs. The inputs are still live, the outputs are given up.
 */
public final class CompactionCheckException extends IOException {
  private static final long serialVersionUID = 1L;

  CompactionCheckException(String message) {
    super(message);
  }
}
