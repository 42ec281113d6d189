package io.siltstone.campaigns.run;

import java.io.Closeable;
import java.io.IOException;

/** Tries something again and again, in rounds that have numbers. Used by one thread. */
public interface Campaign extends Closeable {

  /** Returns whether there is a round of this number; a campaign that draws by chance has all. */
  default boolean hasRound(long round) {
    return true;
  }

  /**
   * Runs a round. The same number and seed try the same thing, as far as threads allow.
   *
   * @param round the number of the round, from 0 on
   * @param counts takes what is to be added up over all runs
   * @throws DeviationException if the engine does not do what it promises
   * @throws IOException if the campaign itself cannot go on
   */
  void round(long round, Counts counts) throws IOException, DeviationException;

  /** Ends what still runs, and deletes files that are not needed. */
  @Override
  default void close() throws IOException {}
}
