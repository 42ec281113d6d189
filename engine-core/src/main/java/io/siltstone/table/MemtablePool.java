package io.siltstone.table;

import io.siltstone.event.EngineListener;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.schema.TableId;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of all memtables of a database together. At half of the limit the largest
 * memtable should be flushed; at the limit writers wait. So that they need not wait for a whole
 * flush at once, they are slowed down before, while the flush is behind them:
 *
 * <pre>
 *   used, of the limit
 *     less than 1/2     nothing happens
 *     1/2 to 3/4        a flush is requested or running; writers go on at full speed
 *     3/4 to 1          the last quarter is granted as the flush goes on: when half of the rows are
 *                       written, writers may take up to 7/8. Who is ahead of that pauses shortly
 *     1                 writers wait until a flush has ended
 * </pre>
 *
 * Pauses are rather rare and long than frequent and short, so that few writes have one.
 *
 * <p>Safe for all threads.
 */
public final class MemtablePool {
  /**
   * The bytes of the budget that memtables leave to a flush: the most that one needs with chunks of
   * usual lengths.
   */
  public static final long FLUSH_BYTES = 1 << 20;

  // The time to wait for a reader that may soon release a flushed memtable.
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long POLL_MILLIS = 1;
  // The pause of a writer that is ahead of the flushes.
  private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final long limit;
  private final MemoryBudget budget;
  private final MemtableMemory memory;
  private final GuardedListener listener;
  private final AtomicLong flushing = new AtomicLong();
  private final FlushProgress progress = new FlushProgress();
  // The write whose turn it is to take freed memory while others wait; null if there is none.
  private final AtomicReference<@Nullable Wait> turn = new AtomicReference<>();
  // Null if no other database has a part of the limit.
  private final @Nullable SharedMemtables shared;
  private volatile long heapBytes;

  /**
   * @param limit in bytes
   * @param budget from which memtables allocate
   */
  public MemtablePool(long limit, MemoryBudget budget, GuardedListener listener) {
    this(limit, null, budget, listener);
  }

  /**
   * @param shared has the limit, which all databases have together
   * @param budget the share of this database
   */
  public MemtablePool(SharedMemtables shared, MemoryBudget budget, GuardedListener listener) {
    this(shared.limit(), shared, budget, listener);
  }

  private MemtablePool(
      long limit, @Nullable SharedMemtables shared, MemoryBudget budget, GuardedListener listener) {
    this.limit = limit;
    this.shared = shared;
    this.budget = budget;
    this.memory = new MemtableMemory(budget, FLUSH_BYTES);
    this.listener = listener;
  }

  /** Returns the budget of memtables that can be flushed. */
  MemtableMemory memory() {
    return memory;
  }

  /** Returns the bytes that all memtables of the database take, on and off the heap. */
  public long used() {
    return budget.used(MemoryKind.MEMTABLE) + heapBytes;
  }

  /** Returns the maximum that they may take, in bytes. */
  public long limit() {
    return limit;
  }

  /** Sets the bytes that memtables take on the heap, which are measured from time to time. */
  void heapBytes(long bytes) {
    if (shared != null) {
      shared.addHeap(bytes - heapBytes);
    }
    heapBytes = bytes;
  }

  /**
   * Returns the memtables of all databases that share the limit; null if there is only this one.
   */
  @Nullable SharedMemtables shared() {
    return shared;
  }

  /** Returns the bytes of memtables that are not being flushed. */
  long unflushed() {
    return used() - flushing.get();
  }

  /** Returns whether a memtable should be flushed, in addition to those that are being flushed. */
  boolean isPressed() {
    return shared == null ? unflushed() >= limit / 2 : shared.isPressed();
  }

  /**
   * Returns whether the largest memtable of the database should be flushed.
   *
   * @param activeBytes of all its memtables that take writes
   * @param isFlushing whether a flush is waiting or running
   */
  boolean isFlushDue(long activeBytes, boolean isFlushing) {
    if (shared == null) {
      // If it is readers that hold the memory of flushed memtables, flushing tiny ones does not
      // help.
      return activeBytes >= limit / 2 || (isFull() && !isFlushing);
    }
    return shared.isFlushDue(this) || (isFull() && !isFlushing);
  }

  /** Notes that a memtable of that size was sealed. */
  void sealed(long bytes) {
    flushing.addAndGet(bytes);
    if (shared != null) {
      shared.addFlushing(bytes);
    }
  }

  /**
   * Notes that a flushed memtable was released; its memory is free when the last reader has
   * released it.
   */
  void released(long bytes) {
    flushing.addAndGet(-bytes);
    if (shared != null) {
      shared.addFlushing(-bytes);
    }
  }

  /** Returns the progress of the flushes that are running. */
  FlushProgress progress() {
    return progress;
  }

  /**
   * Returns whether writers are ahead of the flushes, so that they should {@link #pace}.
   *
   * @param isComing whether a flush is requested, which may not have begun yet
   */
  boolean isAhead(boolean isComing) {
    boolean isRunning = progress.isRunning();
    double done = isRunning ? progress.done() : 0;
    if (!isRunning && !isComing) {
      return false;
    }
    if (shared != null) {
      return shared.isAhead(this, done);
    }
    return used() > limit - limit / 4 + (long) (done * (limit / 4.0));
  }

  /**
   * Pauses shortly, since the caller is ahead of the flushes; less if those that are running end
   * meanwhile. To be called without locks, and not within a flush. An interrupt does not shorten
   * the pause, and is kept. The listener is notified of it as of any write stall.
   */
  void pace(TableId table) {
    long start = System.nanoTime();
    boolean wasRunning = progress.isRunning();
    boolean interrupted = false;
    while (progress.isRunning() == wasRunning && System.nanoTime() - start < PACE_NANOS) {
      interrupted |= pause();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    notifyOfStall(table, start);
  }

  /** Returns whether writers have to wait. */
  boolean isFull() {
    return shared == null ? used() >= limit : shared.isFull(this);
  }

  /**
   * Checks that so many bytes are free in addition to what flushes need.
   *
   * @throws OutOfBudgetException if they are not
   */
  void requireFree(long bytes) {
    memory.requireRoom(bytes);
  }

  /**
   * Checks that memtables can ever have the memory that a write needs, even if all other users of
   * memory release it.
   *
   * @param bytes that empty memtables would need for the write at least
   * @throws OutOfBudgetException naming the sizes
   */
  void requirePossible(long bytes) {
    long log = budget.used(MemoryKind.COMMIT_LOG);
    long most = budget.limit() - FLUSH_BYTES - log;
    if (bytes > most) {
      throw new OutOfBudgetException(
          "a write needs "
              + bytes
              + " bytes of memtables at once, and at most "
              + most
              + " can be free: of the "
              + budget.limit()
              + " bytes of memoryBytes, the commit log has "
              + log
              + " and flushes are left "
              + FLUSH_BYTES
              + "; write it in parts, or raise memoryBytes");
    }
  }

  /** Frees memory for a writer that waits. */
  interface Relief {
    /**
     * Begins a flush if none is running; returns whether there is one.
     *
     * @throws IOException if nothing can be flushed any more
     */
    boolean request() throws IOException;
  }

  /**
   * Waits until memtables take less than their limit. To be called without locks.
   *
   * @throws OutOfBudgetException if readers hold all of it, so that no flush would help
   * @throws IOException if nothing can be flushed any more
   */
  void awaitRoom(TableId table, Relief relief) throws IOException {
    long start = System.nanoTime();
    long lastHope = start;
    boolean interrupted = false;
    try {
      while (isFull()) {
        long now = System.nanoTime();
        if (relief.request()) {
          lastHope = now;
        } else if (now - lastHope > PATIENCE_NANOS) {
          throw held();
        }
        interrupted |= pause();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    notifyOfStall(table, start);
  }

  private void notifyOfStall(TableId table, long startNanos) {
    listener.writeStalled(
        new EngineListener.WriteStalled(table, Duration.ofNanos(System.nanoTime() - startNanos)));
  }

  /** Returns whether a write has its turn. */
  boolean isTaken() {
    return turn.get() != null;
  }

  /**
   * Waits while a write that was refused memory more than once has its turn, so that other writes
   * do not take all that is freed for it. To be called without locks, and not within a flush.
   *
   * @param own wait of the caller; null if its write was not refused memory
   */
  void awaitTurn(@Nullable Wait own) {
    boolean interrupted = false;
    for (Wait present = turn.get();
        present != null && present != own && !present.isOfThisThread();
        present = turn.get()) {
      interrupted |= pause();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Begins the wait of a write that was refused memory, or continues it: earlier waiting counts.
   *
   * @param before the wait of the same write; null if it was not refused before
   * @param cause the refusal of the budget
   * @param needed bytes of the budget that the write was about to take in all; 0 if unknown
   * @return the wait, to be closed by the caller when the write has ended
   */
  Wait refused(@Nullable Wait before, OutOfBudgetException cause, long needed) {
    Wait wait = before == null ? new Wait() : before;
    wait.refused(cause, needed);
    return wait;
  }

  /** The wait of one write for memory. Confined to the thread of the write. */
  final class Wait implements AutoCloseable {
    private final Thread owner = Thread.currentThread();
    private long lastHope = System.nanoTime();
    private int refusals;
    private OutOfBudgetException cause = new OutOfBudgetException("not refused");
    private long needed;
    private long usedByMemtables;
    private long usedByAll;

    private Wait() {}

    private void refused(OutOfBudgetException refusal, long bytes) {
      cause = refusal;
      needed = bytes;
      usedByMemtables = used();
      // Read before the next check, so that memory that is freed meanwhile is not missed: nothing
      // else may be freed later.
      usedByAll =
          refusal.usedBytes() == OutOfBudgetException.OTHER_LIMIT
              ? usedByAll()
              : refusal.usedBytes();
      refusals++;
      if (refusals > 1) {
        // Other writes have taken what was freed for this one.
        turn.compareAndSet(null, this);
      }
    }

    boolean isOfThisThread() {
      return Thread.currentThread() == owner;
    }

    /** Returns why there is no memory. */
    OutOfBudgetException cause() {
      return cause;
    }

    /**
     * Waits until another try is worthwhile. To be called without locks.
     *
     * @throws OutOfBudgetException if for a while nothing could be flushed, so that no more memory
     *     will be freed
     * @throws IOException if nothing can be flushed any more
     */
    void await(TableId table, Relief relief) throws IOException {
      long start = System.nanoTime();
      boolean interrupted = false;
      try {
        // Runs at least once, so that a write that is refused again and again comes to an end.
        do {
          long now = System.nanoTime();
          if (relief.request()) {
            lastHope = now;
          } else if (now - lastHope > PATIENCE_NANOS) {
            throw cause;
          }
          interrupted |= pause();
        } while (isAsBefore());
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
      notifyOfStall(table, start);
    }

    private boolean isAsBefore() {
      return needed > 0
          ? needed > budget.available() - FLUSH_BYTES
          : used() >= usedByMemtables && usedByAll() >= usedByAll;
    }

    /** Gives up the turn. */
    @Override
    public void close() {
      turn.compareAndSet(this, null);
    }
  }

  private long usedByAll() {
    return budget.limit() - budget.available();
  }

  private OutOfBudgetException held() {
    return new OutOfBudgetException(
        "memtables take "
            + (shared == null ? used() : shared.used())
            + " of "
            + limit
            + " bytes, and flushes free nothing: open snapshots, iterators and rows hold what has"
            + " been flushed");
  }

  /** Pauses shortly; returns whether the thread was interrupted. */
  private static boolean pause() {
    try {
      Thread.sleep(POLL_MILLIS);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
