package io.siltstone.memtable;

/**
 * A snapshot of a memtable: the sequence number of each shard up to which a reader sees updates.
 * {@link Memtable#snapshot()} takes it; it is consistent over all partitions if all shard locks
 * were held. Immutable, safe for use by all threads; it holds no memory of the memtable.
 */
public final class MemtableSnapshot {
  private final Memtable memtable;
  private final int[] sequences;

  MemtableSnapshot(Memtable memtable, int[] sequences) {
    this.memtable = memtable;
    this.sequences = sequences;
  }

  /** Returns the memtable of the snapshot. */
  public Memtable memtable() {
    return memtable;
  }

  int sequence(int shard) {
    return sequences[shard];
  }
}
