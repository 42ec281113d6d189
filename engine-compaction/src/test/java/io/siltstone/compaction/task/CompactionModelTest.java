package io.siltstone.compaction.task;

import io.siltstone.Compaction;
import io.siltstone.model.CompactedSequences;
import io.siltstone.model.DatabaseEngine;
import io.siltstone.model.Sequence;
import io.siltstone.model.SequenceRunner;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * A database answers as the reference model does, whatever SSTables are compacted at any time.
 * Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class CompactionModelTest {
  private static final int SEEDS = 2;
  private static final int OPERATIONS = 200;

  @Test
  void whatWasWrittenLateIsThereAfterCompactions() {
    run(seed -> CompactedSequences.ofAnyTimestamps(seed, OPERATIONS));
  }

  @Test
  void whatIsForgottenDoesNotComeBack() {
    run(seed -> CompactedSequences.ofShortLivedTombstones(seed, OPERATIONS));
  }

  private static void run(LongFunction<Sequence> sequences) {
    SequenceRunner.seeds(
        SEEDS,
        seed ->
            new SequenceRunner(
                    (of, clock) ->
                        DatabaseEngine.open(
                            seed,
                            Compaction.none(),
                            (host, table, random) -> RandomJobs.some(host, table, random, clock),
                            of,
                            clock))
                .run(sequences.apply(seed)));
  }
}
