package io.siltstone.memtable;

import io.siltstone.cursor.KeyRangeDeletions;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a memtable: the sequence number of each shard up to which a reader sees updates.
 * {@link Memtable#snapshot()} takes it; it is consistent over all partitions if all shard locks
 * were held. Immutable, safe for use by all threads; it holds no memory of the memtable.
 */
public final class MemtableSnapshot {
  private final Memtable memtable;
  private final int[] sequences;
  private final @Nullable KeyRangeDeletions keyRanges;

  MemtableSnapshot(Memtable memtable, int[] sequences, @Nullable KeyRangeDeletions keyRanges) {
    this.memtable = memtable;
    this.sequences = sequences;
    this.keyRanges = keyRanges;
  }

  /** Returns the memtable of the snapshot. */
  public Memtable memtable() {
    return memtable;
  }

  /** Returns the deletions of ranges of keys that the memtable had; null if there were none. */
  public @Nullable KeyRangeDeletions keyRanges() {
    return keyRanges;
  }

  int sequence(int shard) {
    return sequences[shard];
  }
}
