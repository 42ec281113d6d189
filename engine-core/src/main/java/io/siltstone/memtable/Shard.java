package io.siltstone.memtable;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A shard of a memtable, with its own arena and sequence numbers.
 *
 * <p>One writer at a time, under a lock of the caller. Readers need no lock: they read {@link
 * #sequence} and see the updates that were complete by then.
 */
final class Shard {
  private final RowEncoding encoding;
  private final Arena arena;
  private final PartitionList partitions;
  private final ShardCounters counters = new ShardCounters();
  private final UpdateInspection inspection;
  private final long seed;
  // Created with the first update, since many tables have idle shards.
  private @Nullable ShardWriter writer;
  // Sequence number of the last complete update. Unsigned 32 bits suffice: each update takes more
  // than eight bytes, and an arena has at most 32 GiB.
  private volatile int sequence;
  // The same, with the updates that readers do not see yet. Only the writer uses it.
  private int applied;
  private boolean isHolding;
  private @Nullable Throwable failure;

  /**
   * @param seed of the heights in its skip lists
   */
  Shard(RowEncoding encoding, MemoryBudget budget, int slabBytes, long seed) {
    this.seed = seed;
    this.encoding = encoding;
    this.arena = new Arena(budget, slabBytes);
    this.partitions = new PartitionList(arena);
    this.inspection = new UpdateInspection(!encoding.header().clusteringTypes().isEmpty());
  }

  Arena arena() {
    return arena;
  }

  PartitionList partitions() {
    return partitions;
  }

  ShardCounters counters() {
    return counters;
  }

  /**
   * Returns the sequence number of the last update that readers see, 0 before the first. The read
   * has acquire semantics: the update's writes are visible.
   */
  int sequence() {
    return sequence;
  }

  /** Returns a lower bound of timestamps, see {@link Memtable#minTimestamp}. */
  long minTimestamp(PartitionKey key) {
    int present = sequence;
    return present != 0 && partitions.find(key, KeyHash.longOf(key), present) != Arena.NONE
        ? counters.get(ShardCounters.MIN_TIMESTAMP)
        : Long.MAX_VALUE;
  }

  /** Returns a sampled key, see {@link Memtable#sampleBefore}. */
  @Nullable PartitionKey sampleBefore(PartitionKey key) {
    if (sequence == 0) {
      return null;
    }
    int node = partitions.sampleBefore(key);
    if (node == Arena.NONE) {
      return null;
    }
    PartitionKey sample = new PartitionKey();
    partitions.readKey(node, new byte[0], sample);
    return sample;
  }

  /** Returns the maximum number of bytes that an update takes. Called by the writer. */
  long spaceFor(PartitionUpdate update) throws IOException {
    inspection.read(update);
    return spaceOfInspected();
  }

  private long spaceOfInspected() {
    return inspection.changes() ? inspection.space() : 0;
  }

  /** Reserves memory, see {@link Arena#reserve}. Called by the writer. */
  void reserve(long bytes) {
    arena.reserve(bytes);
    countMemory();
  }

  /** Returns the lack of memory, see {@link Arena#shortfall}. Called by the writer. */
  long shortfall(long bytes) {
    return arena.shortfall(bytes);
  }

  /** Undoes a reservation, see {@link Arena#unreserve}. Called by the writer. */
  void unreserve() {
    arena.unreserve();
    countMemory();
  }

  /** Hides the updates that follow until {@link #publish}. Called by the writer. */
  void hold() {
    isHolding = true;
  }

  /** Shows all updates that were hidden, at once. Called by the writer. */
  void publish() {
    isHolding = false;
    sequence = applied;
  }

  /**
   * Applies an update, which becomes visible to all readers at once: now, or with {@link #publish}.
   * Called by the writer.
   *
   * @param isInspected whether {@link #spaceFor} was called last for this update
   */
  void apply(PartitionUpdate update, boolean isInspected) throws IOException {
    if (failure != null) {
      throw new IllegalStateException("an update of the memtable failed halfway", failure);
    }
    long space = isInspected ? spaceOfInspected() : spaceFor(update);
    if (space == 0) {
      counters.add(ShardCounters.OPERATIONS, 1);
      return;
    }
    long reserved = arena.reserved();
    if (reserved < space) {
      reserve(space);
      reserved = space;
    }
    if (writer == null) {
      writer = new ShardWriter(encoding, arena, partitions, counters, seed);
    }
    int next = applied + 1;
    try {
      writer.apply(update, inspection, next);
    } catch (Throwable e) {
      failure = e;
      throw e;
    }
    arena.reduceReserved(reserved - space);
    count(update);
    applied = next;
    if (!isHolding) {
      sequence = next;
    }
  }

  private void count(PartitionUpdate update) {
    counters.add(ShardCounters.OPERATIONS, 1);
    counters.add(ShardCounters.DATA_BYTES, update.length());
    counters.setLeast(ShardCounters.MIN_TIMESTAMP, inspection.minTimestamp());
    counters.setGreatest(ShardCounters.MAX_TIMESTAMP, inspection.maxTimestamp());
    counters.setLeast(ShardCounters.MIN_LOCAL_DELETION_TIME, inspection.minLocalDeletionTime());
    if (inspection.ranges() > 0) {
      counters.add(ShardCounters.RANGE_TOMBSTONES, inspection.ranges());
    }
    if (!DeletionTime.isLive(update.deletionTimestamp())) {
      counters.add(ShardCounters.PARTITION_DELETIONS, 1);
    }
    countMemory();
  }

  private void countMemory() {
    counters.set(ShardCounters.OFF_HEAP_BYTES, arena.offHeapBytes());
    counters.set(
        ShardCounters.HEAP_BYTES, arena.heapBytes() + (writer == null ? 0 : writer.heapBytes()));
  }

  void close() {
    arena.close();
  }
}
