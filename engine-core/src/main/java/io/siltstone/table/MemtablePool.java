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
 * How much the memtables of a database may take, all together. At half of the limit the largest is
 * to be flushed; at the limit writers wait.
 *
 * <p>Safe for all threads.
 */
public final class MemtablePool {
  /**
   * Bytes of the budget that memtables leave to a flush: what one needs at most with chunks of
   * usual lengths.
   */
  public static final long FLUSH_BYTES = 1 << 20;

  // A reader that is about to end may hold a memtable that has been flushed: worth a wait.
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long POLL_MILLIS = 1;

  private final long limit;
  private final MemoryBudget budget;
  private final MemtableMemory memory;
  private final GuardedListener listener;
  private final AtomicLong flushing = new AtomicLong();
  // The write that others let pass; null if there is none.
  private final AtomicReference<@Nullable Wait> turn = new AtomicReference<>();
  private volatile long heapBytes;

  /**
   * @param limit in bytes
   * @param budget that the memtables allocate from
   */
  public MemtablePool(long limit, MemoryBudget budget, GuardedListener listener) {
    this.limit = limit;
    this.budget = budget;
    this.memory = new MemtableMemory(budget, FLUSH_BYTES);
    this.listener = listener;
  }

  /** What memtables that are flushed allocate from. */
  MemtableMemory memory() {
    return memory;
  }

  /** Bytes that all memtables take, on and off the heap. */
  public long used() {
    return budget.used(MemoryKind.MEMTABLE) + heapBytes;
  }

  /** Most that they may take, in bytes. */
  public long limit() {
    return limit;
  }

  /** What memtables take on the heap, which is asked for now and then. */
  void heapBytes(long bytes) {
    heapBytes = bytes;
  }

  /** Whether a memtable should be flushed, beside those that are. */
  boolean isPressed() {
    return used() - flushing.get() >= limit / 2;
  }

  /** A memtable of that size is to be flushed. */
  void sealed(long bytes) {
    flushing.addAndGet(bytes);
  }

  /** It is given up; its memory is free when no reader has it any more. */
  void forgotten(long bytes) {
    flushing.addAndGet(-bytes);
  }

  /** Whether a writer has to wait. */
  boolean isFull() {
    return used() >= limit;
  }

  /**
   * Throws unless so many bytes are free beside what flushes need.
   *
   * @throws OutOfBudgetException if they are not
   */
  void requireFree(long bytes) {
    memory.requireRoom(bytes);
  }

  /**
   * Throws if a write needs more than memtables can ever have at once, even if everything else that
   * takes memory gives it back.
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

  /** What may end a wait for memory. */
  interface Relief {
    /**
     * Begins a flush if none is under way; returns whether there is one.
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
    tellOfStall(table, start);
  }

  private void tellOfStall(TableId table, long startNanos) {
    listener.writeStalled(
        new EngineListener.WriteStalled(table, Duration.ofNanos(System.nanoTime() - startNanos)));
  }

  /** Returns whether some write has its turn. */
  boolean isTaken() {
    return turn.get() != null;
  }

  /**
   * Waits, while a write that was refused memory more than once has its turn, so that others do not
   * take all that is freed for it. To be called without locks, and not within a flush.
   *
   * @param own wait of the caller, or null if its write has not been refused memory
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
   * Begins the wait of a write that was refused memory, or goes on with it if there is one: what
   * was waited for before counts.
   *
   * @param before the wait of the same write, or null if it has not been refused before
   * @param cause what the budget said
   * @param needed bytes of the budget that the write was about to take all together; 0 if that is
   *     not known
   * @return to be closed by the caller when the write has ended
   */
  Wait refused(@Nullable Wait before, OutOfBudgetException cause, long needed) {
    Wait wait = before == null ? new Wait() : before;
    wait.refused(cause, needed);
    return wait;
  }

  /** Waits for the memory that one write needs. Confined to the thread of the write. */
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
      // What is given back meanwhile must not be missed: nothing else may come.
      usedByAll =
          refusal.usedBytes() == OutOfBudgetException.OTHER_LIMIT
              ? budget.used()
              : refusal.usedBytes();
      refusals++;
      if (refusals > 1) {
        // What was freed for it was taken by others.
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
     * Waits until it is worth another try. To be called without locks.
     *
     * @throws OutOfBudgetException if for a while nothing could be flushed, so that nothing more
     *     will be free
     * @throws IOException if nothing can be flushed any more
     */
    void await(TableId table, Relief relief) throws IOException {
      long start = System.nanoTime();
      boolean interrupted = false;
      try {
        // At least once, so that a write that is refused again and again comes to an end.
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
      tellOfStall(table, start);
    }

    private boolean isAsBefore() {
      return needed > 0
          ? needed > budget.limit() - FLUSH_BYTES - budget.used()
          : used() >= usedByMemtables && budget.used() >= usedByAll;
    }

    /** Gives up the turn. */
    @Override
    public void close() {
      turn.compareAndSet(this, null);
    }
  }

  private OutOfBudgetException held() {
    return new OutOfBudgetException(
        "memtables take "
            + used()
            + " of "
            + limit
            + " bytes, and flushes free nothing: open snapshots, iterators and rows hold what has"
            + " been flushed");
  }

  /** Whether it was interrupted. */
  private static boolean pause() {
    try {
      Thread.sleep(POLL_MILLIS);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
