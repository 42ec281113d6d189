package io.siltstone.campaigns.run;

import java.io.Closeable;
import java.io.IOException;

/** A test that is repeated in numbered rounds. Confined to one thread. */
public interface Campaign extends Closeable {

  /** Returns whether there is a round with this number; a random campaign has all. */
  default boolean hasRound(long round) {
    return true;
  }

  /**
   * Runs a round. The same number and seed repeat the same round, as far as threads allow.
   *
   * @param round the number of the round, from 0 on
   * @param counts receives counts that are added up over all runs
   * @throws DeviationException if the engine does not do what it promises
   * @throws IOException if the campaign itself cannot continue
   */
  void round(long round, Counts counts) throws IOException, DeviationException;

  /** Ends what is still running, and deletes files that are not needed. */
  @Override
  default void close() throws IOException {}
}
