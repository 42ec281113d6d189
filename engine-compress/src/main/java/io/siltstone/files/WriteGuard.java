package io.siltstone.files;

import io.siltstone.io.LockLostException;
import java.io.IOException;

/**
 * Asked before a step that another process must not take at the same time: a change of which files
 * are live, a deletion, a new segment of a log.
 *
 * <p>Safe for all threads, cheap, and takes no lock of the engine.
 */
@FunctionalInterface
public interface WriteGuard {
  /** Allows everything. */
  WriteGuard NONE = () -> {};

  /**
   * Does nothing if the step may be taken.
   *
   * @throws LockLostException if it may not, now or later
   * @throws IOException if that could not be found out
   */
  void requireOwned() throws IOException;
}
