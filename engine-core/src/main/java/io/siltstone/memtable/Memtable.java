package io.siltstone.memtable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.statistics.MemtableStatistics;
import io.siltstone.threads.References;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one table that are not yet in an SSTable, off-heap, with their versions.
 *
 * <p>Partitions are spread over shards by a hash of their keys. Writes: {@link #apply}, by a caller
 * who holds that shard's lock (the table owns the locks, 16 for each table; a memtable has none).
 * An update becomes visible at once. Timestamps decide what wins, so the order of updates and
 * updates applied twice make no difference.
 *
 * <p>Reads: {@link #reader()} and {@link #scan}, by any thread, without locks; each reader or scan
 * belongs to one thread. A reader sees each partition as it was between two updates; with a {@link
 * MemtableSnapshot}, as it was then. Nothing is ever changed in place, so that memory grows with
 * each update until the memtable is given up.
 *
 * <p>Lifetime: it begins with one reference, of its maker. Readers and scans hold one each. When
 * the last is {@linkplain #release released}, memory goes back to the budget; any use after that is
 * an {@link IllegalStateException}.
 */
public final class Memtable {
  /** Shards of a memtable unless said otherwise. */
  public static final int DEFAULT_SHARDS = 16;

  private static final int MAX_SHARDS = 1 << 10;

  // What a shard has on the heap beside its slabs, about, once it has been written to.
  private static final long HEAP_BYTES_PER_SHARD = 8 << 10;

  private final RowEncoding encoding;
  private final Shard[] shards;
  private final AtomicInteger references = new AtomicInteger(1);
  // Given up with the last reference: what is read still is freed by its last reader.
  private final References readers = new References(this::free);

  /**
   * An empty memtable. No memory is taken before the first update.
   *
   * @param encoding of all rows; its delta bases must allow for all times that come
   * @param shards how many, a power of two
   * @param budget where memory comes from
   */
  public Memtable(RowEncoding encoding, int shards, MemoryBudget budget) {
    this(encoding, shards, budget, Arena.SLAB_BYTES);
  }

  Memtable(RowEncoding encoding, int shards, MemoryBudget budget, int slabBytes) {
    if (shards < 1 || shards > MAX_SHARDS || Integer.bitCount(shards) != 1) {
      throw new IllegalArgumentException(
          shards + " shards, allowed are powers of two from 1 to " + MAX_SHARDS);
    }
    this.encoding = encoding;
    this.shards = new Shard[shards];
    for (int i = 0; i < shards; i++) {
      this.shards[i] = new Shard(encoding, budget, slabBytes, i);
    }
  }

  /** The encoding of all its rows. */
  public RowEncoding encoding() {
    return encoding;
  }

  /** How many shards it has. */
  public int shards() {
    return shards.length;
  }

  /** In which shard a partition is. */
  public int shardOf(PartitionKey key) {
    return shardOf(key, shards.length);
  }

  /**
   * In which of {@code shards} a partition is: by a hash of token and key, as the tokens of ordered
   * partitioners are not spread.
   *
   * @param shards a power of two
   */
  public static int shardOf(PartitionKey key, int shards) {
    long hash = key.token();
    byte[] bytes = key.bytes();
    int at = key.offset();
    int end = at + key.length();
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ BigEndian.getLong(bytes, at));
    }
    for (; at < end; at++) {
      hash = mix(hash ^ bytes[at]);
    }
    return (int) (mix(hash) >>> Integer.SIZE) & (shards - 1);
  }

  private static long mix(long bits) {
    long hash = (bits ^ bits >>> 32) * 0x9e37_79b9_7f4a_7c15L;
    return hash ^ hash >>> 29;
  }

  /** Returns the greatest timestamp of a shard, {@link Long#MIN_VALUE} if it has none. */
  public long maxTimestamp(int shard) {
    return shards[shard].counters().get(ShardCounters.MAX_TIMESTAMP);
  }

  /**
   * Most bytes that an update takes, for {@link #reserve}. The caller holds the lock of its shard.
   *
   * @throws IOException if the update is damaged
   */
  public long spaceFor(PartitionUpdate update) throws IOException {
    requireOpen();
    requireEncoding(update);
    return shards[shardOf(update.key())].spaceFor(update);
  }

  /**
   * Sees to it that updates that take up to {@code bytes} by {@link #spaceFor} can be applied to a
   * shard: then {@link #apply} of them is not refused for memory. The caller holds the shard's
   * lock, until they are applied. Takes the place of what was reserved before.
   *
   * @throws OutOfBudgetException if the budget does not have the memory; nothing has changed then
   */
  public void reserve(int shard, long bytes) {
    requireOpen();
    shards[shard].reserve(bytes);
  }

  /**
   * Returns how many bytes of the budget a {@link #reserve} would take now, beyond what the shard
   * has already. The caller holds the shard's lock.
   */
  public long shortfall(int shard, long bytes) {
    requireOpen();
    return shards[shard].shortfall(bytes);
  }

  /**
   * Returns how many bytes of the budget one shard of an empty memtable takes at least for updates
   * that take {@code bytes} by {@link #spaceFor}.
   */
  public static long leastBytes(long bytes) {
    return Arena.leastSlabBytes(bytes);
  }

  /**
   * Undoes the {@link #reserve} before, for updates that are not applied after all. The caller has
   * held the shard's lock since.
   */
  public void unreserve(int shard) {
    requireOpen();
    shards[shard].unreserve();
  }

  /**
   * Applies an update, which readers see wholly or not at all. The caller holds the lock of its
   * shard.
   *
   * @throws IllegalArgumentException if its rows have another encoding
   * @throws IOException if the update is damaged; nothing of it has been applied then
   * @throws OutOfBudgetException if the budget does not have the memory, unless it is reserved;
   *     nothing of the update has been applied then
   */
  public void apply(PartitionUpdate update) throws IOException {
    requireOpen();
    requireEncoding(update);
    shards[shardOf(update.key())].apply(update);
  }

  private void requireEncoding(PartitionUpdate update) {
    if (!update.encoding().isSameAs(encoding)) {
      throw new IllegalArgumentException(
          "change of " + update.key() + " in another encoding than the memtable's");
    }
  }

  /**
   * What is visible now. Consistent over all shards if the caller holds all their locks; else each
   * partition is, but not one with the other.
   */
  public MemtableSnapshot snapshot() {
    int[] sequences = new int[shards.length];
    for (int i = 0; i < sequences.length; i++) {
      sequences[i] = shards[i].sequence();
    }
    return new MemtableSnapshot(this, sequences);
  }

  /**
   * A reader of partitions, to be closed by the caller.
   *
   * @throws IllegalStateException if the memtable has been given up
   */
  public MemtableReader reader() {
    MemtableReader reader = new MemtableReader(encoding);
    if (!reader.open(this)) {
      throw givenUp();
    }
    return reader;
  }

  /** A scan over a range of partitions as of now; see the others. */
  public PartitionCursor scan(PartitionRange range) {
    return scan(range, snapshot(), CancelSignal.NEVER);
  }

  /** A scan over a range of partitions as of a snapshot of this memtable; see the other. */
  public PartitionCursor scan(PartitionRange range, MemtableSnapshot snapshot) {
    return scan(range, snapshot, CancelSignal.NEVER);
  }

  /**
   * A scan over a range of partitions, in partition order, to be closed by the caller. Memory does
   * not grow with partitions or rows.
   *
   * @param snapshot of this memtable
   * @param cancelSignal ends steps once it has begun
   * @throws IllegalStateException if the memtable has been given up
   */
  public PartitionCursor scan(
      PartitionRange range, MemtableSnapshot snapshot, CancelSignal cancelSignal) {
    requireOwn(snapshot);
    if (!tryReference()) {
      throw givenUp();
    }
    try {
      return new MemtableScan(this, range, snapshot, cancelSignal);
    } catch (Throwable e) {
      release();
      throw e;
    }
  }

  /**
   * A key before the given one: the greatest of about one in 256 keys, or null if there is none.
   * The caller holds a reference.
   *
   * @throws IllegalStateException if the memtable has been given up
   */
  public @Nullable PartitionKey sampleBefore(PartitionKey key) {
    requireOpen();
    PartitionKey greatest = null;
    for (Shard shard : shards) {
      PartitionKey sample = shard.sampleBefore(key);
      if (sample != null && (greatest == null || sample.compareTo(greatest) > 0)) {
        greatest = sample;
      }
    }
    return greatest;
  }

  /**
   * At most the least timestamp, in microseconds, of anything of a partition; {@link
   * Long#MAX_VALUE} if it does not have the partition, or has been given up. By any thread.
   */
  public long minTimestamp(PartitionKey key) {
    if (!tryEnter()) {
      return Long.MAX_VALUE;
    }
    try {
      return shards[shardOf(key)].minTimestamp(key);
    } finally {
      leave();
    }
  }

  void requireOwn(MemtableSnapshot snapshot) {
    if (snapshot.memtable() != this) {
      throw new IllegalArgumentException("a snapshot of another memtable");
    }
  }

  Shard shard(int index) {
    return shards[index];
  }

  /** Whether a reference could be taken: false if the last one has been released. */
  public boolean tryReference() {
    int present;
    do {
      present = references.get();
      if (present == 0) {
        return false;
      }
    } while (!references.compareAndSet(present, present + 1));
    return true;
  }

  /**
   * Releases a reference; with the last one, all memory.
   *
   * @throws IllegalStateException if there is none
   */
  public void release() {
    int present;
    do {
      present = references.get();
      if (present == 0) {
        throw givenUp();
      }
    } while (!references.compareAndSet(present, present - 1));
    if (present == 1) {
      readers.giveUp();
    }
  }

  /** Takes a reference for a reader, who comes and goes often. False as {@link #tryReference}. */
  boolean tryEnter() {
    return readers.tryAcquire();
  }

  /** Releases a reader's reference. */
  void leave() {
    readers.release();
  }

  private void free() {
    for (Shard shard : shards) {
      shard.close();
    }
  }

  private void requireOpen() {
    if (references.get() == 0) {
      throw givenUp();
    }
  }

  private static IllegalStateException givenUp() {
    return new IllegalStateException("the memtable has been released");
  }

  /** Bytes that it has of its memory budget. Readable at any time, by any thread. */
  public long offHeapBytes() {
    return sum(ShardCounters.OFF_HEAP_BYTES);
  }

  /** Whether no update has been applied that changes anything. */
  public boolean isEmpty() {
    return sum(ShardCounters.PARTITIONS) == 0;
  }

  /** What it has taken so far. Readable at any time, by any thread. */
  public MemtableStatistics statistics() {
    long heapBytes = sum(ShardCounters.HEAP_BYTES);
    long minTimestamp = Long.MAX_VALUE;
    long maxTimestamp = Long.MIN_VALUE;
    long minLocalDeletionTime = DeletionTime.NO_DELETION_TIME;
    for (Shard shard : shards) {
      ShardCounters counters = shard.counters();
      minTimestamp = Math.min(minTimestamp, counters.get(ShardCounters.MIN_TIMESTAMP));
      maxTimestamp = Math.max(maxTimestamp, counters.get(ShardCounters.MAX_TIMESTAMP));
      minLocalDeletionTime =
          Math.min(minLocalDeletionTime, counters.get(ShardCounters.MIN_LOCAL_DELETION_TIME));
      heapBytes += shard.sequence() == 0 ? 0 : HEAP_BYTES_PER_SHARD;
    }
    return new MemtableStatistics(
        sum(ShardCounters.OPERATIONS),
        sum(ShardCounters.DATA_BYTES),
        sum(ShardCounters.PARTITIONS),
        sum(ShardCounters.ROWS),
        offHeapBytes(),
        heapBytes,
        minTimestamp,
        maxTimestamp,
        minLocalDeletionTime,
        sum(ShardCounters.PARTITION_DELETIONS) > 0,
        sum(ShardCounters.RANGE_TOMBSTONES) > 0);
  }

  private long sum(int counter) {
    long sum = 0;
    for (Shard shard : shards) {
      sum += shard.counters().get(counter);
    }
    return sum;
  }
}
