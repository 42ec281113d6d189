package io.siltstone.memtable;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.KeyRangeDeletions;
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
 * The memtable of a table: rows that are not yet in an SSTable, off-heap, with their versions.
 *
 * <p>Partitions are spread over shards by a hash of their keys. A memtable that is written by one
 * thread at a time has one shard, and is {@linkplain #spread spread} over more of them when writers
 * wait for each other. {@link #apply} adds an update; the caller holds the lock of the shard (the
 * table owns the locks, one per shard; a memtable has none). An update becomes visible at once. The
 * greater timestamp wins, so neither the order of updates nor applying one twice makes a
 * difference. An example, of updates of one row in one shard:
 *
 * <pre>
 *   sequence 1   UPDATE v='a', w='b' at 10    version 1: v='a'@10, w='b'@10
 *   sequence 2   UPDATE v='c' at 20           version 2: v='c'@20, w='b'@10, merged, as the row is small
 *   sequence 3   UPDATE v='x' at 5            version 3: v='c'@20, w='b'@10; the older timestamp loses
 * </pre>
 *
 * A read ({@link #reader()} or {@link #scan}) takes no lock. It reads the shard's sequence number
 * once, say 2, and skips all newer versions: it finds the row in the skip list, passes over version
 * 3, and returns version 2. So a reader sees each partition as it was between two updates, and with
 * a {@link MemtableSnapshot} as it was at the snapshot. Nothing is changed in place; memory grows
 * with each update until the memtable is released. Of a large row a version contains only the
 * change, and the read merges it with the versions below, see {@link RowVersions}. Readers and
 * scans are confined to one thread each.
 *
 * <p>Lifetime: a memtable begins with one reference, which its creator owns. Readers and scans hold
 * one each. When the last one is {@linkplain #release released}, the memory returns to the budget;
 * any later use throws an {@link IllegalStateException}.
 */
public final class Memtable {
  /** The default number of shards. */
  public static final int DEFAULT_SHARDS = 16;

  private static final int MAX_SHARDS = 1 << 10;
  private static final Shard[] NONE = {};

  private final RowEncoding encoding;
  private final int shardCount;
  private final MemoryBudget budget;
  private final int slabBytes;
  // Stands for each shard before the first update, and is never written.
  private final Shard idle;
  // Null before the first update, since most of many tables are idle.
  private volatile Shard @Nullable [] shards;
  private final AtomicInteger references = new AtomicInteger(1);
  // Replaced as a whole by the deletion of a range of keys, which happens rarely. Guarded by this
  // for changes.
  private volatile @Nullable KeyRangeDeletions keyRanges;
  // Closed with the last reference, so that the last reader frees the memory.
  private final References readers = new References(this::free);

  /**
   * Creates an empty memtable. It takes no memory before the first update.
   *
   * @param encoding of all rows; its delta bases must be suitable for all times written
   * @param shards number of shards, a power of two
   * @param budget from which memory is taken
   */
  public Memtable(RowEncoding encoding, int shards, MemoryBudget budget) {
    this(encoding, shards, budget, Arena.SLAB_BYTES);
  }

  Memtable(RowEncoding encoding, int shards, MemoryBudget budget, int slabBytes) {
    if (shards < 1 || shards > MAX_SHARDS || Integer.bitCount(shards) != 1) {
      throw new IllegalArgumentException(
          shards + " shards, allowed powers of two from 1 to " + MAX_SHARDS);
    }
    this.encoding = encoding;
    this.shardCount = shards;
    this.budget = budget;
    this.slabBytes = slabBytes;
    this.idle = new Shard(encoding, budget, slabBytes, 0);
  }

  /** Returns the shards, to be written. */
  private Shard[] writable() {
    Shard[] present = shards;
    return present != null ? present : create();
  }

  private synchronized Shard[] create() {
    Shard[] present = shards;
    if (present == null) {
      present = new Shard[shardCount];
      for (int i = 0; i < shardCount; i++) {
        present[i] = new Shard(encoding, budget, slabBytes, i);
      }
      shards = present;
    }
    return present;
  }

  /** Returns the shards, none before the first update. */
  private Shard[] written() {
    Shard[] present = shards;
    return present != null ? present : NONE;
  }

  /** Returns the encoding of all its rows. */
  public RowEncoding encoding() {
    return encoding;
  }

  /** Returns the number of shards. */
  public int shards() {
    return shardCount;
  }

  /** Returns the shard of a partition. */
  public int shardOf(PartitionKey key) {
    return shardOf(key, shardCount);
  }

  /**
   * Returns the shard of a partition among {@code shards}, by a hash of its key.
   *
   * @param shards a power of two
   */
  public static int shardOf(PartitionKey key, int shards) {
    return shards == 1 ? 0 : KeyHash.of(key) & (shards - 1);
  }

  /**
   * Returns the index of the shard that has the partitions of a shard of a memtable with as many or
   * more of them.
   */
  public int shardOf(int index) {
    return index & (shardCount - 1);
  }

  /** Returns the greatest timestamp of a shard, {@link Long#MIN_VALUE} if it has none. */
  public long maxTimestamp(int shard) {
    return shard(shard).counters().get(ShardCounters.MAX_TIMESTAMP);
  }

  /**
   * Returns the maximum number of bytes that an update takes, for {@link #reserve}. The caller
   * holds the lock of its shard.
   *
   * @throws IOException if the update is corrupt
   */
  public long spaceFor(PartitionUpdate update) throws IOException {
    requireOpen();
    requireEncoding(update);
    return writable()[shardOf(update.key())].spaceFor(update);
  }

  /**
   * Reserves memory for updates of a shard that take up to {@code bytes} by {@link #spaceFor}, so
   * that {@link #apply} cannot fail for lack of memory. The caller holds the shard's lock until the
   * updates are applied. Replaces the previous reservation.
   *
   * @throws OutOfBudgetException if the budget is exhausted; nothing has changed then
   */
  public void reserve(int shard, long bytes) {
    requireOpen();
    writable()[shard].reserve(bytes);
  }

  /**
   * Returns the number of bytes that {@link #reserve} would take from the budget now, beyond the
   * memory that the shard has. The caller holds the shard's lock.
   */
  public long shortfall(int shard, long bytes) {
    requireOpen();
    return writable()[shard].shortfall(bytes);
  }

  /**
   * Returns the least number of bytes of the budget that one shard of an empty memtable takes for
   * updates of {@code bytes} by {@link #spaceFor}.
   */
  public static long leastBytes(long bytes) {
    return Arena.leastSlabBytes(bytes);
  }

  /**
   * Undoes the last {@link #reserve}, if the updates are not applied. The caller has held the
   * shard's lock since then.
   */
  public void unreserve(int shard) {
    requireOpen();
    writable()[shard].unreserve();
  }

  /**
   * Applies an update, which readers see completely or not at all. The caller holds the lock of its
   * shard; for the deletion of a range of keys those of all shards.
   *
   * @throws IllegalArgumentException if its rows have another encoding
   * @throws IOException if the update is corrupt; nothing of it is applied then
   * @throws OutOfBudgetException if the budget is exhausted and the memory is not reserved; nothing
   *     of the update is applied then
   */
  public void apply(PartitionUpdate update) throws IOException {
    apply(update, false);
  }

  /**
   * Applies an update as {@link #apply(PartitionUpdate)}, for which {@link #spaceFor} was called.
   *
   * @param isInspected whether that was the last call for its shard, for which the caller has held
   *     the lock since then, and the update is unchanged
   */
  public void apply(PartitionUpdate update, boolean isInspected) throws IOException {
    requireOpen();
    requireEncoding(update);
    KeyRangeDeletions.Fragment range = update.isOfKeyRange() ? update.keyRange() : null;
    writable()[shardOf(update.key())].apply(update, isInspected);
    if (range != null) {
      synchronized (this) {
        keyRanges = KeyRangeDeletions.with(keyRanges, range);
      }
    }
  }

  /**
   * Returns the deletions of ranges of keys among the updates; null if there are none. Of each the
   * memtable also has the deletion of its first key.
   */
  public @Nullable KeyRangeDeletions keyRanges() {
    return keyRanges;
  }

  /**
   * Hides the updates that follow until {@link #publish}, from readers and snapshots. The caller
   * holds the locks of all shards, or is the only writer.
   */
  public void hold() {
    requireOpen();
    for (Shard shard : writable()) {
      shard.hold();
    }
  }

  /**
   * Shows the updates that were hidden since {@link #hold}: in each shard all of them at once. The
   * caller holds the locks of all shards, or is the only writer.
   */
  public void publish() {
    requireOpen();
    for (Shard shard : writable()) {
      shard.publish();
    }
  }

  /**
   * Returns a memtable with the same content and more shards, to be released by the caller. The
   * caller holds the locks of all shards. Snapshots of this memtable stay snapshots of this one.
   *
   * @param count number of shards, a power of two
   * @throws OutOfBudgetException if the budget has no room for both
   */
  public Memtable spread(int count) throws IOException {
    Memtable next = new Memtable(encoding, count, budget, slabBytes);
    try (PartitionCursor all = scan(PartitionRange.ALL)) {
      PartitionUpdate update = new PartitionUpdate(encoding);
      while (all.nextPartition()) {
        update.copyFrom(all);
        next.apply(update);
      }
      next.keyRanges = keyRanges;
      // The updates count, not the partitions that are left of them.
      for (int counter : new int[] {ShardCounters.OPERATIONS, ShardCounters.DATA_BYTES}) {
        next.writable()[0].counters().add(counter, sum(counter) - next.sum(counter));
      }
      return next;
    } catch (Throwable e) {
      next.release();
      throw e;
    }
  }

  private void requireEncoding(PartitionUpdate update) {
    if (!update.encoding().isSameAs(encoding)) {
      throw new IllegalArgumentException(
          "change of " + update.key() + " in another encoding than the memtable's");
    }
  }

  /**
   * Returns a snapshot of what is visible now. It is consistent over all shards if the caller holds
   * all their locks; otherwise only within each shard.
   */
  public MemtableSnapshot snapshot() {
    KeyRangeDeletions ranges = keyRanges;
    int[] sequences = new int[shardCount];
    Shard[] present = written();
    for (int i = 0; i < present.length; i++) {
      sequences[i] = present[i].sequence();
    }
    return new MemtableSnapshot(this, sequences, ranges);
  }

  /**
   * Returns a reader of partitions, which the caller closes.
   *
   * @throws IllegalStateException if the memtable was released
   */
  public MemtableReader reader() {
    MemtableReader reader = new MemtableReader(encoding);
    if (!reader.open(this)) {
      throw givenUp();
    }
    return reader;
  }

  /** Returns a scan over a range of partitions as of now; see the others. */
  public PartitionCursor scan(PartitionRange range) {
    return scan(range, snapshot(), CancelSignal.NEVER);
  }

  /** Returns a scan over a range of partitions as of a snapshot, which no thread cancels. */
  public PartitionCursor scan(PartitionRange range, MemtableSnapshot snapshot) {
    return scan(range, snapshot, CancelSignal.NEVER);
  }

  /**
   * Returns a scan over a range of partitions, in partition order, which the caller closes. Its
   * memory does not grow with partitions or rows.
   *
   * @param snapshot of this memtable
   * @param cancelSignal cancels the steps of the scan
   * @throws IllegalStateException if the memtable was released
   */
  public PartitionCursor scan(
      PartitionRange range, MemtableSnapshot snapshot, CancelSignal cancelSignal) {
    requireOwn(snapshot);
    MemtableScan scan = new MemtableScan(encoding);
    if (!scan.open(range, snapshot, cancelSignal)) {
      throw givenUp();
    }
    return scan;
  }

  /**
   * Returns the greatest key below the given one among a sample of about one in 256 keys, or null
   * if there is none. The caller holds a reference.
   *
   * @throws IllegalStateException if the memtable was released
   */
  public @Nullable PartitionKey sampleBefore(PartitionKey key) {
    requireOpen();
    PartitionKey greatest = null;
    for (Shard shard : written()) {
      PartitionKey sample = shard.sampleBefore(key);
      if (sample != null && (greatest == null || sample.compareTo(greatest) > 0)) {
        greatest = sample;
      }
    }
    return greatest;
  }

  /**
   * Returns a lower bound of the timestamps of a partition, in microseconds; {@link Long#MAX_VALUE}
   * if the memtable does not have the partition or was released. May be called by any thread.
   */
  public long minTimestamp(PartitionKey key) {
    if (!tryEnter()) {
      return Long.MAX_VALUE;
    }
    try {
      return shard(shardOf(key)).minTimestamp(key);
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
    Shard[] present = shards;
    return present == null ? idle : present[index];
  }

  /** Returns whether a reference could be taken: false if the last one has been released. */
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

  /**
   * Takes a reference for a reader; cheaper than {@link #tryReference}, and false in the same case.
   */
  boolean tryEnter() {
    return readers.tryAcquire();
  }

  /** Releases a reader's reference. */
  void leave() {
    readers.release();
  }

  private void free() {
    for (Shard shard : written()) {
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

  /** Returns the number of bytes that it takes from its memory budget. Safe for all threads. */
  public long offHeapBytes() {
    return sum(ShardCounters.OFF_HEAP_BYTES);
  }

  /** Returns whether no update has been applied that changes anything. */
  public boolean isEmpty() {
    return sum(ShardCounters.PARTITIONS) == 0;
  }

  /** Returns the statistics of the updates applied so far. Safe for all threads. */
  public MemtableStatistics statistics() {
    KeyRangeDeletions ranges = keyRanges;
    long heapBytes = sum(ShardCounters.HEAP_BYTES) + (ranges == null ? 0 : ranges.heapBytes());
    long minTimestamp = Long.MAX_VALUE;
    long maxTimestamp = Long.MIN_VALUE;
    long minLocalDeletionTime = DeletionTime.NO_DELETION_TIME;
    for (Shard shard : written()) {
      ShardCounters counters = shard.counters();
      minTimestamp = Math.min(minTimestamp, counters.get(ShardCounters.MIN_TIMESTAMP));
      maxTimestamp = Math.max(maxTimestamp, counters.get(ShardCounters.MAX_TIMESTAMP));
      minLocalDeletionTime =
          Math.min(minLocalDeletionTime, counters.get(ShardCounters.MIN_LOCAL_DELETION_TIME));
    }
    return new MemtableStatistics(
        sum(ShardCounters.OPERATIONS),
        sum(ShardCounters.DATA_BYTES),
        sum(ShardCounters.PARTITIONS),
        sum(ShardCounters.ROWS),
        new MemtableStatistics.Memory(offHeapBytes(), heapBytes),
        new MemtableStatistics.Times(minTimestamp, maxTimestamp, minLocalDeletionTime),
        sum(ShardCounters.PARTITION_DELETIONS) > 0,
        sum(ShardCounters.RANGE_TOMBSTONES) > 0);
  }

  private long sum(int counter) {
    long sum = 0;
    for (Shard shard : written()) {
      sum += shard.counters().get(counter);
    }
    return sum;
  }
}
