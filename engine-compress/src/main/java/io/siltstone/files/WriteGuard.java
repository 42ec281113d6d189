package io.siltstone.files;

import java.io.IOException;

/**
 * Checked before a step that another process must not take at the same time: a change of which
 * files are live, a deletion, a new segment of a log.
 *
 * <p>Safe for use by all threads, cheap, and takes no lock of the engine.
 */
@FunctionalInterface
public interface WriteGuard {
  /** A guard that allows everything. */
  WriteGuard NONE = () -> {};

  /**
   * Returns normally if the step may be taken.
   *
   * @throws LockLostException if it may not be taken, now or later
   * @throws IOException if the check failed
   */
  void requireOwned() throws IOException;
}
