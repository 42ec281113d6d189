package io.siltstone.model;

import io.siltstone.Compaction;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A database answers as the model does, whatever its options are: each sequence is run in several
 * configurations. Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code
 * -Dsiltstone.scale=N}.
 */
class DatabaseSequencesTest {
  private static final int SEEDS = 8;
  private static final int CONFIGURATIONS = 2;
  private static final int OPERATIONS = 150;

  @Test
  void everyConfigurationAnswersAsTheModelSays() {
    SequenceRunner.seeds(
        SEEDS,
        seed -> {
          Sequence sequence = SequenceGenerator.draw(seed, OPERATIONS);
          Random random = new Random(seed);
          for (int i = 0; i < CONFIGURATIONS; i++) {
            Configuration configuration = Configuration.draw(random.nextLong());
            try {
              new SequenceRunner(
                      (of, clock) ->
                          new DatabaseEngine(
                              configuration, Compaction.none(), RandomMerge::merge, of, clock))
                  .run(sequence);
            } catch (AssertionError e) {
              throw new AssertionError(configuration + "\n" + e.getMessage(), e);
            }
          }
        });
  }
}
