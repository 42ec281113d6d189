package io.siltstone.memtable;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a memtable as of a snapshot: the partitions of all shards, merged into partition order.
 * Flushes and range reads use it.
 *
 * <p>The scan holds a reference to the memtable from {@link #open} to {@link #close}, and can then
 * be opened on another memtable, so that many ranges need only one scan. Confined to one thread;
 * allocates nothing per partition or row, and nothing per range once its arrays have grown. Any use
 * of a closed scan throws an {@link IllegalStateException}.
 */
public final class MemtableScan implements PartitionCursor {
  private final RowEncoding encoding;
  private final List<Slice> everything;
  private @Nullable Memtable memtable;
  private @Nullable PartitionKey end;
  private @Nullable PartitionWalk walk;
  // One for each shard of the memtable; more may be left from another one.
  private ShardPlace[] places = {};
  // A binary heap by key, the least first. The first shard has the present partition.
  private ShardPlace[] heap = {};
  private int size;
  private boolean begun;

  /** Creates a closed scan of memtables in the given encoding. */
  public MemtableScan(RowEncoding encoding) {
    this.encoding = encoding;
    this.everything = List.of(Slice.all(encoding));
  }

  /**
   * Opens the scan on a range of a memtable, and leaves the previous one.
   *
   * @param snapshot of the memtable
   * @param cancelSignal cancels the steps of the scan
   * @return false if the memtable was released; the scan is closed then
   * @throws IllegalArgumentException if the memtable has rows of another encoding
   */
  public boolean open(PartitionRange range, MemtableSnapshot snapshot, CancelSignal cancelSignal) {
    Memtable of = snapshot.memtable();
    if (!of.encoding().isSameAs(encoding)) {
      throw new IllegalArgumentException("a memtable of another encoding than the scan's");
    }
    close();
    if (!of.tryEnter()) {
      return false;
    }
    memtable = of;
    end = range.to();
    begun = false;
    try {
      if (walk == null) {
        walk = new PartitionWalk(encoding, of.shard(0).arena());
      }
      walk.cancelOn(cancelSignal);
      walk.begin(of.shard(0).arena(), Arena.NONE, 0, List.of(), false);
      begin(of, range.from(), snapshot, cancelSignal);
      return true;
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private void begin(
      Memtable of,
      @Nullable PartitionKey from,
      MemtableSnapshot snapshot,
      CancelSignal cancelSignal) {
    int shards = of.shards();
    int known = places.length;
    if (known < shards) {
      places = Arrays.copyOf(places, shards);
      heap = new ShardPlace[shards];
      for (int i = known; i < shards; i++) {
        places[i] = new ShardPlace(of.shard(i));
      }
    }
    for (int i = 0; i < shards; i++) {
      ShardPlace place = places[i];
      if (place.goTo(of.shard(i), snapshot.sequence(i), from, cancelSignal)) {
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

  private PartitionWalk walk() {
    PartitionWalk present = walk;
    if (memtable == null || present == null) {
      throw new IllegalStateException("the memtable scan is closed");
    }
    return present;
  }

  /** Returns the number of bytes of the arrays that have grown to the largest row. */
  public long heldBytes() {
    return walk == null ? 0 : walk.heldBytes();
  }

  @Override
  public RowEncoding encoding() {
    return encoding;
  }

  @Override
  public boolean nextPartition() {
    PartitionWalk rows = walk();
    if (begun && size > 0) {
      if (!heap[0].next()) {
        heap[0] = heap[--size];
      }
      if (size > 1) {
        siftDown(0);
      }
    }
    begun = true;
    ShardPlace place = size == 0 ? null : heap[0];
    if (place == null || (end != null && place.key.compareTo(end) >= 0)) {
      size = 0;
      rows.begin(places[0].arena, Arena.NONE, 0, List.of(), false);
      return false;
    }
    rows.begin(place.arena, place.node, place.sequence, everything, false);
    return true;
  }

  @Override
  public PartitionKey key() {
    walk();
    if (size == 0) {
      throw new IllegalStateException("the memtable scan is at no partition");
    }
    return heap[0].key;
  }

  @Override
  public long deletionTimestamp() {
    return walk().deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return walk().deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    return walk().next();
  }

  @Override
  public Unfiltered unfiltered() {
    return walk().unfiltered();
  }

  /** Releases the reference to the memtable. The scan may be opened again. */
  @Override
  public void close() {
    size = 0;
    end = null;
    if (walk != null) {
      walk.cancelOn(CancelSignal.NEVER);
    }
    if (memtable != null) {
      Memtable present = memtable;
      memtable = null;
      present.leave();
    }
  }

  /** The position of the scan in one shard. */
  private static final class ShardPlace {
    // Not the shard itself, so that a pooled scan keeps little of a memtable that is gone.
    private Arena arena;
    private PartitionList partitions;
    private int sequence;
    private CancelSignal cancelSignal = CancelSignal.NEVER;
    private final PartitionKey key = new PartitionKey();
    private byte[] keyBytes = {};
    private int node;

    ShardPlace(Shard shard) {
      arena = shard.arena();
      partitions = shard.partitions();
    }

    /** Returns whether there is a partition from that key on. */
    boolean goTo(Shard shard, int asOf, @Nullable PartitionKey from, CancelSignal cancelledBy) {
      arena = shard.arena();
      partitions = shard.partitions();
      sequence = asOf;
      cancelSignal = cancelledBy;
      if (sequence == 0) {
        return false;
      }
      node = from == null ? partitions.first() : partitions.firstNotBefore(from);
      return settle();
    }

    /** Returns whether there is another partition. */
    boolean next() {
      node = partitions.following(node);
      return settle();
    }

    /** Skips partitions that were added after the snapshot. */
    private boolean settle() {
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
