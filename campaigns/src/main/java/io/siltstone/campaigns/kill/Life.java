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
 * @param seed draws all that is written, and the options
 * @param mode in which the logs of both are synced
 */
record Life(Path directory, long seed, SyncMode mode) {
  private static final int OPERATIONS = 500;

  /** Returns what is done to the first database. */
  Sequence sequence() {
    return SequenceReplay.ofAtomicWrites(
        RandomStrategies.in(
            seed % 2 == 0
                ? CompactedSequences.ofAnyTimestamps(seed, OPERATIONS)
                : CompactedSequences.ofShortLivedTombstones(seed, OPERATIONS)));
  }

  /** Returns whether syncs are to come as often as can be, where they come by themselves. */
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
