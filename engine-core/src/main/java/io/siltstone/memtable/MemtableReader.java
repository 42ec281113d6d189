package io.siltstone.memtable;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a memtable: single rows and slices of one partition at a time, forward or reversed.
 *
 * <pre>
 *   if (reader.seek(key, slices, reversed)) {       // false: the memtable does not have the key
 *     reader.nextPartition();                       // true once
 *     while (reader.nextUnfiltered()) { ... }       // static row, then the slices' rows and markers
 *   }
 * </pre>
 *
 * A range tombstone that reaches into a slice is cut at the slice. Rows that the partition's own
 * deletions cover are not shown. In a reversed read the end of a range comes before its start.
 *
 * <p>The reader holds a reference to the memtable from {@link #open} to {@link #close}, and can
 * then be opened on another memtable, so that many reads need only one reader. Confined to one
 * thread; allocates nothing once its arrays have grown to the largest row. Any use of a closed
 * reader throws an {@link IllegalStateException}.
 */
public final class MemtableReader implements PartitionCursor {
  private final RowEncoding encoding;
  private final List<Slice> everything;
  private final PartitionKey key = new PartitionKey();
  private @Nullable Memtable memtable;
  private @Nullable PartitionWalk walk;
  private boolean partitionPending;

  /** Creates a closed reader of memtables in the given encoding. */
  public MemtableReader(RowEncoding encoding) {
    this.encoding = encoding;
    this.everything = List.of(Slice.all(encoding));
  }

  /**
   * Opens the reader on a memtable, and leaves the previous one.
   *
   * @return false if the memtable was released; the reader is closed then
   * @throws IllegalArgumentException if the memtable has rows of another encoding
   */
  public boolean open(Memtable of) {
    if (!of.encoding().isSameAs(encoding)) {
      throw new IllegalArgumentException("a memtable of another encoding than the reader's");
    }
    close();
    if (!of.tryEnter()) {
      return false;
    }
    memtable = of;
    if (walk == null) {
      walk = new PartitionWalk(encoding, of.shard(0).arena());
    }
    return true;
  }

  /**
   * Sets the signal that cancels the steps of the reader until it is closed. The reader is open.
   */
  public void cancelOn(CancelSignal cancelSignal) {
    walk().cancelOn(cancelSignal);
  }

  /** Returns the number of bytes of the arrays that have grown to the largest row. */
  public long heldBytes() {
    return walk == null ? 0 : walk.heldBytes();
  }

  private Memtable memtable() {
    if (memtable == null) {
      throw new IllegalStateException("the memtable reader is closed");
    }
    return memtable;
  }

  private PartitionWalk walk() {
    if (memtable == null || walk == null) {
      throw new IllegalStateException("the memtable reader is closed");
    }
    return walk;
  }

  /** Moves to a partition in its present state: all of its rows, forward. */
  public boolean seek(PartitionKey of) {
    return seek(of, everything, false);
  }

  /**
   * Moves to a partition in its present state.
   *
   * @param slices in clustering order, not overlapping; none to read the static row only
   * @param reversed whether rows are shown from the last to the first
   * @return false if the memtable does not have the key; the reader is then empty
   */
  public boolean seek(PartitionKey of, List<Slice> slices, boolean reversed) {
    Memtable present = memtable();
    long hash = KeyHash.longOf(of);
    Shard shard = present.shard(present.shardOf(KeyHash.ofLong(hash)));
    return seek(shard, of, hash, slices, reversed, shard.sequence());
  }

  /** Moves to a partition in its state at a snapshot. */
  public boolean seek(
      PartitionKey of, List<Slice> slices, boolean reversed, MemtableSnapshot snapshot) {
    Memtable present = memtable();
    present.requireOwn(snapshot);
    long hash = KeyHash.longOf(of);
    int index = present.shardOf(KeyHash.ofLong(hash));
    return seek(present.shard(index), of, hash, slices, reversed, snapshot.sequence(index));
  }

  private boolean seek(
      Shard shard, PartitionKey of, long hash, List<Slice> slices, boolean reversed, int sequence) {
    int node = sequence == 0 ? Arena.NONE : shard.partitions().find(of, hash, sequence);
    walk().begin(shard.arena(), node, sequence, slices, reversed);
    partitionPending = node != Arena.NONE;
    if (partitionPending) {
      key.copyFrom(of);
    }
    return partitionPending;
  }

  @Override
  public RowEncoding encoding() {
    return encoding;
  }

  @Override
  public boolean nextPartition() {
    memtable();
    boolean first = partitionPending;
    partitionPending = false;
    return first;
  }

  @Override
  public PartitionKey key() {
    return key;
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

  /** Releases the reference to the memtable. The reader may be opened again. */
  @Override
  public void close() {
    partitionPending = false;
    if (walk != null) {
      walk.cancelOn(CancelSignal.NEVER);
    }
    if (memtable != null) {
      Memtable present = memtable;
      memtable = null;
      present.leave();
    }
  }
}
