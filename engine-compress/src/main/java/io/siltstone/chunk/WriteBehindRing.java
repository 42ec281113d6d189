package io.siltstone.chunk;

import io.siltstone.threads.Failures;
import io.siltstone.threads.RecallableTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A ring of batches of one file that are written behind its writer: several threads encode batches
 * at once, and the batches are stored one after the other in the order in which they were handed
 * over.
 *
 * <pre>
 *   batches   | being stored | being encoded | full | being filled |     a ring of four
 *               head                                            tail: the writer's
 * </pre>
 *
 * <p>Without an executor the writer encodes and stores a batch when it hands the batch over. With
 * an executor the writer goes on until all batches are full; then it encodes the batches that no
 * thread has begun, so that progress does not depend on when the executor runs its tasks: at most
 * four tasks per file wait in its queue, and a task that runs late finds nothing to do. The writer
 * waits only for running tasks.
 *
 * <p>After a failure batches are dropped, and the next call of the writer throws the exception. The
 * writer's side is confined to one thread.
 */
public final class WriteBehindRing<B extends WriteBehindRing.Batch> implements AutoCloseable {
  /**
   * The number of batches in the ring: when one is filled, the one that many before it has been
   * stored. With one batch less, none would be left for the executor while the writer works on one.
   */
  public static final int BATCHES = 4;

  /** A batch that is filled, encoded and stored; used by one thread at a time. */
  public interface Batch extends AutoCloseable {
    /**
     * Encodes the batch: does all the work that does not depend on other batches.
     *
     * @param length as it was handed over
     */
    void encode(int length) throws IOException;

    /** Frees its memory. */
    @Override
    void close();
  }

  /** Stores encoded batches. */
  public interface Store<B> {
    /** Appends an encoded batch to those before. Never called by two threads at once. */
    void store(B batch) throws IOException;
  }

  private enum State {
    FREE,
    FULL,
    ENCODING,
    ENCODED
  }

  /** A place in the ring; its batch is created when it is first needed. */
  private static final class Slot<B> {
    private State state = State.FREE;
    private @Nullable B batch;
    private int length;
  }

  private final Supplier<B> newBatch;
  private final Store<B> store;
  private final @Nullable Executor executor;
  private final RecallableTask help = new RecallableTask(this::help);
  private final List<Slot<B>> slots = new ArrayList<>();

  // Guarded by the monitor, as are the slots' states. A FREE batch belongs to the writer, an
  // ENCODING one to the thread that encodes it, and the ENCODED one at head to the thread that
  // stores it.
  private int head;
  private int tail;
  private int queued;
  private boolean storing;
  private boolean closed;
  private @Nullable Throwable failure;

  /**
   * Creates a ring without batches.
   *
   * @param newBatch creates a batch when it is first needed; without an executor only one is
   *     created
   * @param executor null to do everything in the writer's thread
   */
  public WriteBehindRing(Supplier<B> newBatch, Store<B> store, @Nullable Executor executor) {
    this.newBatch = newBatch;
    this.store = store;
    this.executor = executor;
    for (int i = 0; i < BATCHES; i++) {
      slots.add(new Slot<>());
    }
  }

  /**
   * Returns the batch to be filled.
   *
   * @throws IOException the failure of encoding or storing an earlier batch
   */
  public B next() throws IOException {
    // Without an executor one batch is enough.
    Slot<B> slot = slots.get(executor == null ? 0 : tail);
    awaitFree(slot);
    if (slot.batch == null) {
      slot.batch = newBatch.get();
    }
    return slot.batch;
  }

  /**
   * Hands over the filled batch.
   *
   * @param length number of its bytes
   */
  public void handOver(int length) throws IOException {
    boolean ask;
    synchronized (this) {
      requireOpen();
      Slot<B> slot = slots.get(tail);
      slot.length = length;
      slot.state = State.FULL;
      if (executor != null) {
        tail = (tail + 1) % BATCHES;
      }
      ask = executor != null && queued < BATCHES;
      if (ask) {
        queued++;
      }
    }
    if (executor == null) {
      work();
      rethrow();
    } else if (ask) {
      try {
        executor.execute(help);
      } catch (RejectedExecutionException e) {
        // The writer does it when it needs the batch again.
        synchronized (this) {
          queued--;
        }
      }
    }
  }

  /** Waits until all batches that were handed over are stored. */
  public void drain() throws IOException {
    for (Slot<B> slot : slots) {
      awaitFree(slot);
    }
  }

  private void help() {
    synchronized (this) {
      queued--;
    }
    work();
  }

  /**
   * Encodes the oldest batch that no thread has begun, and stores those that are due. Returns false
   * if there is none.
   */
  private boolean work() {
    Slot<B> slot = begin();
    if (slot == null) {
      return false;
    }
    Throwable thrown = null;
    try {
      batch(slot).encode(slot.length);
    } catch (Throwable e) {
      thrown = e;
    }
    synchronized (this) {
      fail(thrown);
      slot.state = State.ENCODED;
    }
    storeWhatIsDue();
    return true;
  }

  private synchronized @Nullable Slot<B> begin() {
    for (int i = 0; i < BATCHES; i++) {
      Slot<B> slot = slots.get((head + i) % BATCHES);
      if (slot.state == State.FULL) {
        slot.state = State.ENCODING;
        return slot;
      }
    }
    return null;
  }

  private void storeWhatIsDue() {
    Slot<B> slot = firstDue();
    while (slot != null) {
      Throwable thrown = null;
      try {
        store.store(batch(slot));
      } catch (Throwable e) {
        thrown = e;
      }
      slot = nextDue(slot, thrown);
    }
  }

  /** Returns the first batch to be stored, or null if another thread stores, which will find it. */
  private synchronized @Nullable Slot<B> firstDue() {
    return storing ? null : due();
  }

  private synchronized @Nullable Slot<B> nextDue(Slot<B> stored, @Nullable Throwable thrown) {
    fail(thrown);
    free(stored);
    return due();
  }

  private @Nullable Slot<B> due() {
    Slot<B> slot = slots.get(head);
    // Batches after a failure are dropped.
    while (failure != null && slot.state == State.ENCODED) {
      free(slot);
      slot = slots.get(head);
    }
    storing = slot.state == State.ENCODED;
    return storing ? slot : null;
  }

  private void free(Slot<B> slot) {
    slot.state = State.FREE;
    if (executor != null) {
      head = (head + 1) % BATCHES;
    }
    notifyAll();
  }

  private void fail(@Nullable Throwable thrown) {
    if (failure == null) {
      failure = thrown;
    }
  }

  private static <B> B batch(Slot<B> slot) {
    B batch = slot.batch;
    if (batch == null) {
      throw new IllegalStateException("nothing was handed over");
    }
    return batch;
  }

  private void awaitFree(Slot<B> slot) throws IOException {
    while (!isFree(slot)) {
      if (!work()) {
        awaitChange(slot);
      }
    }
    rethrow();
  }

  private synchronized boolean isFree(Slot<B> slot) {
    return slot.state == State.FREE;
  }

  /** Waits while another thread uses the slot. */
  private synchronized void awaitChange(Slot<B> slot) {
    boolean interrupted = false;
    while (slot.state != State.FREE) {
      try {
        wait();
      } catch (InterruptedException e) {
        // A running task ends by itself.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void rethrow() throws IOException {
    Throwable thrown;
    synchronized (this) {
      requireOpen();
      thrown = failure;
    }
    Failures.rethrow(thrown);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the writer is closed");
    }
  }

  /** Drops batches that no thread has begun, waits for running tasks, and frees the memory. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (failure == null) {
        failure = new IllegalStateException("the writer is closed");
      }
      for (Slot<B> slot : slots) {
        if (slot.state == State.FULL) {
          slot.state = State.ENCODED;
        }
      }
    }
    help.recall();
    storeWhatIsDue();
    for (Slot<B> slot : slots) {
      awaitChange(slot);
      if (slot.batch != null) {
        slot.batch.close();
      }
    }
  }
}
