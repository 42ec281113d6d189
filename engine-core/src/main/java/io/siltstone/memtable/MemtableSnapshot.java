package io.siltstone.memtable;

/**
 * A moment of a memtable: which updates readers of it see. Taken by {@link Memtable#snapshot()};
 * consistent over all partitions if no update was under way then, that is if all shard locks were
 * held. Immutable, safe for all threads, holds no memory of the memtable.
 */
public final class MemtableSnapshot {
  private final Memtable memtable;
  private final int[] sequences;

  MemtableSnapshot(Memtable memtable, int[] sequences) {
    this.memtable = memtable;
    this.sequences = sequences;
  }

  /** Of which memtable. */
  public Memtable memtable() {
    return memtable;
  }

  int sequence(int shard) {
    return sequences[shard];
  }
}
