package io.siltstone.campaigns.kill;

import io.siltstone.commitlog.SyncMode;
import io.siltstone.compaction.RandomStrategies;
import io.siltstone.model.CompactedSequences;
import io.siltstone.model.Sequence;
import io.siltstone.model.SequenceReplay;
import java.nio.file.Path;

/**
 * Two databases from their creation until they are deleted, over several processes that are killed:
 * one that runs a random sequence on tables of all kinds, compared with the reference model, and a
 * key-value store with several writing threads.
 *
 * @param directory of both databases
 * @param seed of everything that is written, and of the options
 * @param mode sync mode of both commit logs
 */
record DatabaseLife(Path directory, long seed, SyncMode mode) {
  private static final int OPERATIONS = 500;

  /** Returns the operations on the first database. */
  Sequence sequence() {
    return SequenceReplay.ofAtomicWrites(
        RandomStrategies.in(
            seed % 2 == 0
                ? CompactedSequences.ofAnyTimestamps(seed, OPERATIONS)
                : CompactedSequences.ofShortLivedTombstones(seed, OPERATIONS)));
  }

  /** Returns whether periodic syncs are as frequent as possible. */
  boolean isBusy() {
    return seed % 3 == 0;
  }

  Path progress() {
    return directory.resolve("progress");
  }

  Path errors() {
    return directory.resolve("errors");
  }
}
