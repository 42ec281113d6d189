package io.siltstone.model;

import io.siltstone.Compaction;
import io.siltstone.io.NioDirectory;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database answers as the model does, whatever its options are: each sequence is run in several
 * configurations. Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code
 * -Dsiltstone.scale=N}.
 */
class DatabaseSequencesTest {
  private static final int SEEDS = 4;
  private static final int SEEDS_ON_FILES = 2;
  private static final int CONFIGURATIONS = 2;
  private static final int OPERATIONS = 150;
  private static final int OPERATIONS_ON_FILES = 30;
  private static final int SEEDS_OF_WIDE = 2;
  private static final int OPERATIONS_OF_WIDE = 250;

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

  @Test
  void partitionsOfManyRowsAnswerLikewise() {
    SequenceRunner.seeds(
        SEEDS_OF_WIDE,
        seed -> {
          Configuration configuration = roomy(seed);
          try {
            new SequenceRunner(
                    (of, clock) ->
                        new DatabaseEngine(
                            configuration, Compaction.none(), RandomMerge::merge, of, clock))
                .run(SequenceGenerator.drawWide(seed, OPERATIONS_OF_WIDE));
          } catch (AssertionError e) {
            throw new AssertionError(configuration + "\n" + e.getMessage(), e);
          }
        });
  }

  /** One whose log takes changes of many rows. */
  private static Configuration roomy(long seed) {
    Random random = new Random(seed);
    Configuration configuration = Configuration.draw(random.nextLong());
    while (configuration.segmentBytes() < 1 << 20) {
      configuration = Configuration.draw(random.nextLong());
    }
    return configuration;
  }

  @Test
  void filesOfTheOperatingSystemAnswerLikewiseHoweverTheyAreAccessed(@TempDir Path temporary) {
    AtomicInteger runs = new AtomicInteger();
    SequenceRunner.seeds(
        SEEDS_ON_FILES,
        seed -> {
          Configuration configuration = Configuration.draw(seed);
          try {
            new SequenceRunner(
                    (of, clock) ->
                        new DatabaseEngine(
                            configuration,
                            Compaction.none(),
                            RandomMerge::merge,
                            of,
                            clock,
                            NioDirectory.open(
                                temporary.resolve("run-" + runs.incrementAndGet()),
                                configuration.files())))
                .run(SequenceGenerator.draw(seed, OPERATIONS_ON_FILES));
          } catch (AssertionError e) {
            throw new AssertionError(configuration + "\n" + e.getMessage(), e);
          }
        });
  }
}
