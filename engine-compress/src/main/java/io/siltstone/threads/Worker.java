package io.siltstone.threads;

import java.util.function.LongSupplier;

/**
 * A background worker: takes a turn whenever it is signalled, and when the time has come that the
 * last turn has asked for. Two turns never overlap.
 *
 * <p>Safe for use by all threads.
 */
public interface Worker {

  /** Creates workers, with a thread of their own or with threads that they share. */
  @FunctionalInterface
  interface Factory {
    /**
     * Returns a worker, to be started and stopped by the caller.
     *
     * @param turn takes a turn, and returns the nanoseconds until the next one; {@link
     *     Long#MAX_VALUE} if that is to be signalled. Must not throw
     */
    Worker create(LongSupplier turn);
  }

  /** Begins to take turns. */
  void start();

  /** Requests a turn that begins after this call. Cheap if one is requested already. */
  void signal();

  /**
   * Takes a last turn, and returns when it has ended; none follows. Interrupts do not end the wait,
   * and are kept.
   */
  void stop();
}
