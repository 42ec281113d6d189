package io.siltstone.memtable;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a memtable as of a snapshot: the partitions of all shards, merged into partition order.
 * Flushes and range reads use it.
 *
 * <p>It holds a reference to the memtable until it is closed. Confined to one thread; allocates
 * nothing per partition or row.
 */
final class MemtableScan implements PartitionCursor {
  private final Memtable memtable;
  private final @Nullable PartitionKey end;
  private final List<Slice> everything;
  private final PartitionWalk walk;
  // A binary heap by key, the least first. The first shard has the present partition.
  private final ShardPlace[] heap;
  private int size;
  private boolean begun;
  private boolean closed;

  /** Creates a scan, which takes ownership of a reference to the memtable. */
  MemtableScan(
      Memtable memtable,
      PartitionRange range,
      MemtableSnapshot snapshot,
      CancelSignal cancelSignal) {
    this.memtable = memtable;
    this.end = range.to();
    this.everything = List.of(Slice.all(memtable.encoding()));
    this.walk = new PartitionWalk(memtable.encoding(), memtable.shard(0).arena());
    walk.cancelOn(cancelSignal);
    this.heap = new ShardPlace[memtable.shards()];
    for (int i = 0; i < heap.length; i++) {
      ShardPlace place = new ShardPlace(memtable.shard(i), snapshot.sequence(i), cancelSignal);
      if (place.goTo(range.from())) {
        heap[size++] = place;
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  private void siftDown(int index) {
    ShardPlace place = heap[index];
    int hole = index;
    while (2 * hole + 1 < size) {
      int child = 2 * hole + 1;
      if (child + 1 < size && heap[child + 1].key.compareTo(heap[child].key) < 0) {
        child++;
      }
      if (place.key.compareTo(heap[child].key) <= 0) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = place;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the memtable scan is closed");
    }
  }

  @Override
  public RowEncoding encoding() {
    return memtable.encoding();
  }

  @Override
  public boolean nextPartition() {
    requireOpen();
    if (begun && size > 0) {
      if (!heap[0].next()) {
        heap[0] = heap[--size];
      }
      if (size > 0) {
        siftDown(0);
      }
    }
    begun = true;
    if (size == 0 || (end != null && heap[0].key.compareTo(end) >= 0)) {
      size = 0;
      walk.begin(memtable.shard(0).arena(), Arena.NONE, 0, List.of(), false);
      return false;
    }
    ShardPlace place = heap[0];
    walk.begin(place.shard.arena(), place.node, place.sequence, everything, false);
    return true;
  }

  @Override
  public PartitionKey key() {
    requireOpen();
    if (size == 0) {
      throw new IllegalStateException("the memtable scan is at no partition");
    }
    return heap[0].key;
  }

  @Override
  public long deletionTimestamp() {
    return walk.deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return walk.deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    requireOpen();
    return walk.next();
  }

  @Override
  public Unfiltered unfiltered() {
    requireOpen();
    return walk.unfiltered();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      memtable.release();
    }
  }

  /** The position of the scan in one shard. */
  private static final class ShardPlace {
    private final Shard shard;
    private final int sequence;
    private final CancelSignal cancelSignal;
    private final PartitionKey key = new PartitionKey();
    private byte[] keyBytes = {};
    private int node;

    ShardPlace(Shard shard, int sequence, CancelSignal cancelSignal) {
      this.shard = shard;
      this.sequence = sequence;
      this.cancelSignal = cancelSignal;
    }

    /** Returns whether there is a partition from that key on. */
    boolean goTo(@Nullable PartitionKey from) {
      if (sequence == 0) {
        return false;
      }
      PartitionList partitions = shard.partitions();
      node = from == null ? partitions.first() : partitions.firstNotBefore(from);
      return settle();
    }

    /** Returns whether there is another partition. */
    boolean next() {
      node = shard.partitions().following(node);
      return settle();
    }

    /** Skips partitions that were added after the snapshot. */
    private boolean settle() {
      PartitionList partitions = shard.partitions();
      while (node != Arena.NONE && !partitions.isVisible(node, sequence)) {
        cancelSignal.throwIfCancelled();
        node = partitions.following(node);
      }
      if (node == Arena.NONE) {
        return false;
      }
      keyBytes = partitions.readKey(node, keyBytes, key);
      return true;
    }
  }
}
