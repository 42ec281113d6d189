package io.siltstone.table;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.memtable.Memtable;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.table.read.Memtables;
import java.io.Closeable;
import java.io.IOException;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memtables of one table: the active one, which takes the writes, and the sealed ones, which
 * wait for their flush in the order of the log. Sealing puts an empty memtable in place of the
 * active one.
 *
 * <p>Safe for all threads. Readers take the {@linkplain #present present memtables} without a lock.
 * Sealing requires the locks of all shards, or that no other thread knows the table yet.
 */
final class TableMemtables implements Closeable {
  /**
   * The off-heap size below which a memtable has a single shard, even if several threads write it:
   * each shard would take a kilobyte and more, and writers of few rows seldom meet.
   */
  static final long SMALL_BYTES = 64 << 10;

  /**
   * The number of waits of writers for each other before the memtable is spread over many shards.
   * Many tables are written by one thread at a time, which needs one shard only.
   */
  static final int CONTENDED = 32;

  // A larger memtable of one shard stays as it is until its flush: writers wait for the copy.
  private static final long MOST_SPREAD_BYTES = 16 << 20;

  private final TableId id;
  private final MemtablePool pool;
  private final Factory newMemtable;
  // A linked queue allocates before it changes: an exhausted heap leaves it as it was.
  private final Deque<Sealed> sealed = new ConcurrentLinkedDeque<>();
  // Null after close, and while a refresh exchanges them.
  private volatile @Nullable Memtables present;

  // The log's position when the active memtable was created. Guarded by the locks of all shards.
  private CommitLogPosition activeSince = CommitLogPosition.NONE;
  private volatile long activeSinceNanos = System.nanoTime();
  // The size at which the active memtable is spread. Guarded by the locks of all shards for
  // changes.
  private volatile long spreadBytes = SMALL_BYTES;
  // Counts the waits of writers for each other since the active memtable was created.
  private final AtomicInteger contentions = new AtomicInteger();

  /** Creates memtables. */
  @FunctionalInterface
  interface Factory {
    /**
     * Returns an empty memtable for rows of an encoding, to be released by the caller.
     *
     * @param isSingle whether it has a single shard
     */
    Memtable create(RowEncoding encoding, boolean isSingle);
  }

  /**
   * A memtable that takes no more writes, and waits to be written to an SSTable.
   *
   * @param intervals of the commit log whose changes it contains
   * @param bytes its off-heap size
   */
  record Sealed(Memtable memtable, CommitLogIntervals intervals, long bytes) {}

  /**
   * @param pool accounts for sealed memtables
   * @param newMemtable creates empty memtables
   */
  TableMemtables(TableId id, RowEncoding encoding, MemtablePool pool, Factory newMemtable) {
    this.id = id;
    this.pool = pool;
    this.newMemtable = newMemtable;
    this.present = Memtables.of(newMemtable.create(encoding, true));
  }

  /** Returns the present memtables; null after {@link #close}. */
  @Nullable Memtables present() {
    Memtables now = present;
    return now != null ? now : settled();
  }

  /** Returns the present memtables when no refresh is exchanging them any more. */
  private @Nullable Memtables settled() {
    synchronized (sealed) {
      return present;
    }
  }

  /**
   * Takes over the memtables of a refresh in place of its own. Nobody sees memtables until the
   * SSTables that belong to them are shown: {@link #present} is null meanwhile.
   *
   * @param newer has no memtables afterwards
   * @param showTables shows the SSTables
   */
  void refresh(TableMemtables newer, Runnable showTables) {
    Memtables before;
    List<Sealed> old;
    synchronized (sealed) {
      before = open();
      old = List.copyOf(sealed);
      List<Sealed> added = newer.allSealed();
      Memtables next = newer.open();
      sealed.addAll(added);
      present = null;
      try {
        showTables.run();
      } catch (Throwable e) {
        sealed.removeAll(added);
        present = before;
        throw e;
      }
      present = next;
      sealed.removeAll(old);
      newer.giveUp();
    }
    release(before, old);
  }

  private void giveUp() {
    synchronized (sealed) {
      present = null;
      sealed.clear();
    }
  }

  /** Returns the present memtables, for callers that know that the table is open. */
  private Memtables open() {
    Memtables open = present;
    if (open == null) {
      throw new IllegalStateException(id + " is closed");
    }
    return open;
  }

  /** Returns whether the active memtable has any rows; false after {@link #close}. */
  boolean hasActiveRows() {
    Memtables now = present;
    return now != null && !now.active().isEmpty();
  }

  /** Returns the off-heap bytes of the active memtable; 0 after {@link #close}. */
  long activeBytes() {
    Memtables now = present;
    return now == null ? 0 : now.active().offHeapBytes();
  }

  /** Returns the bytes that all memtables take on the heap; 0 after {@link #close}. */
  long heapBytes() {
    Memtables now = present;
    long bytes = 0;
    for (int i = 0; now != null && i < now.size(); i++) {
      bytes += now.get(i).statistics().memory().heapBytes();
    }
    return bytes;
  }

  /** Returns how long ago the active memtable was created. */
  long activeAgeNanos(long nowNanos) {
    return nowNanos - activeSinceNanos;
  }

  /**
   * Returns a lower bound of the timestamps in memtables: the minimum of the partition if both keys
   * are equal, as a purge asks for each partition; otherwise the minimum of all partitions. {@link
   * Long#MAX_VALUE} for none.
   *
   * @param present returns the present memtables
   */
  static long minTimestamp(Supplier<Memtables> present, PartitionKey first, PartitionKey last) {
    boolean isOne = first.compareTo(last) == 0;
    while (true) {
      Memtables now = present.get();
      long least = Long.MAX_VALUE;
      for (int i = 0; i < now.size(); i++) {
        Memtable memtable = now.get(i);
        least =
            Math.min(
                least,
                isOne
                    ? memtable.minTimestamp(first)
                    : memtable.statistics().times().minTimestamp());
      }
      // One that was released meanwhile does not count. If it was flushed, its SSTable is live and
      // asked next; but another memtable may have taken its place.
      if (now.equals(present.get())) {
        return least;
      }
    }
  }

  /**
   * Seals the active memtable, if it is not empty, and begins a new one with the same encoding.
   *
   * @param position of the log now
   */
  void seal(CommitLogPosition position, RowEncoding encoding) {
    seal(CommitLogIntervals.of(activeSince, position), encoding);
    restart(position);
  }

  /** Notes that the active memtable takes the changes of the log from a position on. */
  void restart(CommitLogPosition position) {
    activeSince = position;
    activeSinceNanos = System.nanoTime();
  }

  /**
   * Seals the active memtable, if it is not empty, and begins a new one.
   *
   * @param intervals of the log whose changes the active memtable contains
   * @param next encoding of the new one
   */
  void seal(CommitLogIntervals intervals, RowEncoding next) {
    synchronized (sealed) {
      Memtables before = open();
      Memtable active = before.active();
      if (!active.isEmpty()) {
        boolean isSingle = !isContended() || active.offHeapBytes() < SMALL_BYTES;
        Memtables switched = before.switchedTo(newMemtable.create(next, isSingle));
        Sealed seal = new Sealed(active, intervals, active.offHeapBytes());
        // What can fail comes first: a memtable that is not in the queue would never be flushed.
        sealed.add(seal);
        present = switched;
        pool.sealed(seal.bytes());
      } else if (active.encoding() != next) {
        present = before.restartedWith(newMemtable.create(next, active.shards() == 1));
        active.release();
      }
      spreadBytes = SMALL_BYTES;
      contentions.set(0);
    }
  }

  /** Notes that a writer had to wait for another one. */
  void contended() {
    contentions.incrementAndGet();
  }

  private boolean isContended() {
    return contentions.get() >= CONTENDED;
  }

  /**
   * Returns the number of shards of the active memtable, which changes only with the locks of all
   * shards held; {@code most} after {@link #close}.
   */
  int activeShards(int most) {
    Memtables now = present;
    return now == null ? most : now.active().shards();
  }

  /** Returns whether writers of the active memtable wait so often that it is {@link #spread}. */
  boolean isToBeSpread() {
    if (!isContended()) {
      return false;
    }
    Memtables now = present;
    if (now == null || now.active().shards() > 1) {
      return false;
    }
    long bytes = now.active().offHeapBytes();
    return bytes >= spreadBytes && bytes <= MOST_SPREAD_BYTES;
  }

  /**
   * Spreads the active memtable over more shards, if it is {@linkplain #isToBeSpread to be}: a
   * memtable with the same rows takes its place. Readers that have taken the former one before keep
   * it.
   *
   * @param shards the number of locks of the table
   */
  void spread(int shards) throws IOException {
    synchronized (sealed) {
      if (!isToBeSpread()) {
        return;
      }
      Memtables before = open();
      Memtable active = before.active();
      Memtable next;
      try {
        next = active.spread(shards);
      } catch (OutOfBudgetException e) {
        // It is not worth waiting for a flush. Another attempt is made when it has grown further.
        spreadBytes = 2 * active.offHeapBytes();
        return;
      }
      try {
        present = before.restartedWith(next);
      } catch (Throwable e) {
        next.release();
        throw e;
      }
      active.release();
    }
  }

  /** Puts another memtable in place of the active one, which stays to be read if it has rows. */
  void append(Memtable next) {
    synchronized (sealed) {
      Memtables before = open();
      Memtable active = before.active();
      if (active.isEmpty()) {
        present = before.restartedWith(next);
        active.release();
      } else {
        Memtables switched = before.switchedTo(next);
        Sealed seal = new Sealed(active, CommitLogIntervals.NONE, active.offHeapBytes());
        sealed.add(seal);
        present = switched;
        pool.sealed(seal.bytes());
      }
    }
  }

  /**
   * Marks the sealed memtables as removed together with all SSTables of lesser generations, by a
   * truncation.
   */
  void removeWith(long generation) {
    synchronized (sealed) {
      present = open().goingWith(generation);
    }
  }

  /** Returns the sealed memtable that is flushed next, the oldest; null if there is none. */
  @Nullable Sealed oldestSealed() {
    synchronized (sealed) {
      return sealed.peek();
    }
  }

  /** Returns the sealed memtables, oldest first. */
  List<Sealed> allSealed() {
    synchronized (sealed) {
      return List.copyOf(sealed);
    }
  }

  /**
   * Releases the oldest sealed memtable, which is in an SSTable now, or no longer needed. The
   * caller holds {@link TableStore#flushing}.
   */
  void removeSealed(Sealed oldest) {
    synchronized (sealed) {
      if (!oldest.equals(sealed.peek())) {
        throw new IllegalStateException("not the oldest memtable of " + id);
      }
      Memtables left = open().without(oldest.memtable());
      sealed.remove();
      present = left;
    }
    oldest.memtable().release();
    pool.released(oldest.bytes());
  }

  /** Releases all memtables; their memory is freed when all readers have released it. */
  @Override
  public void close() {
    Memtables last;
    List<Sealed> waiting;
    synchronized (sealed) {
      waiting = List.copyOf(sealed);
      last = present;
      present = null;
      sealed.clear();
    }
    if (last != null) {
      release(last, waiting);
    }
  }

  private void release(Memtables last, List<Sealed> waiting) {
    last.active().release();
    for (Sealed seal : waiting) {
      seal.memtable().release();
      pool.released(seal.bytes());
    }
  }
}
