package io.siltstone.table;

import io.siltstone.event.EngineListener;
import io.siltstone.event.GuardedListener;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.schema.TableId;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How much the memtables of a database may take, all together. At half of the limit the largest is
 * to be flushed; at the limit writers wait.
 *
 * <p>Safe for all threads.
 */
public final class MemtableSpace {
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
  private volatile long heapBytes;

  /**
   * @param limit in bytes
   * @param budget that the memtables allocate from
   */
  public MemtableSpace(long limit, MemoryBudget budget, GuardedListener listener) {
    this.limit = limit;
    this.budget = budget;
    this.memory = new MemtableMemory(budget, FLUSH_BYTES);
    this.listener = listener;
  }

  /** What memtables that are flushed allocate from. */
  MemoryBudget memory() {
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
   * That the budget did not give memory.
   *
   * @param cause what it said
   * @param used bytes that memtables took then, or a moment later
   * @param all bytes that anything took then
   */
  record Refusal(OutOfBudgetException cause, long used, long all) {}

  /** For {@link #await}, once the budget has refused memory. */
  Refusal refused(OutOfBudgetException cause) {
    // What is given back meanwhile must not be missed: nothing else may come.
    long all = cause.usedBytes();
    return new Refusal(
        cause, used(), all == OutOfBudgetException.OTHER_LIMIT ? budget.used() : all);
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
   * Waits until there is memory again. To be called without locks.
   *
   * @param refused what the budget said and how it was then, or null if the limit of memtables is
   *     reached
   * @throws OutOfBudgetException if readers hold all of it, so that no flush would help
   * @throws IOException if nothing can be flushed any more
   */
  void await(TableId table, @Nullable Refusal refused, Relief relief) throws IOException {
    long start = System.nanoTime();
    long lastHope = start;
    boolean interrupted = false;
    try {
      // The budget may have been full of something else, scans for one.
      while (refused != null ? isAsFullAs(refused) : isFull()) {
        long now = System.nanoTime();
        if (relief.request()) {
          lastHope = now;
        } else if (now - lastHope > PATIENCE_NANOS) {
          throw refused != null ? refused.cause : held();
        }
        interrupted |= pause();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    listener.writeStalled(
        new EngineListener.WriteStalled(table, Duration.ofNanos(System.nanoTime() - start)));
  }

  private boolean isAsFullAs(Refusal refused) {
    return used() >= refused.used && budget.used() >= refused.all;
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
