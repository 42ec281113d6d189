package io.siltstone.model;

import io.siltstone.testkit.LeakChecking;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Memtables and SSTables, merged, answer as the model does. Repeated with {@code
 * -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class MergedPartsTest {
  private static final int SEEDS = 13;
  private static final int OPERATIONS = 200;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void readsGiveWhatTheModelSays() {
    SequenceRunner runner =
        new SequenceRunner((sequence, clock) -> new MergedParts(sequence, clock, leaks.memory()));
    SequenceRunner.seeds(SEEDS, seed -> runner.run(SequenceGenerator.draw(seed, OPERATIONS)));
  }
}
