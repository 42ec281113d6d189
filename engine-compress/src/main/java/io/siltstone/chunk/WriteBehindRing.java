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
 * Batches of one file behind its writer: encoded by whoever has time, several at once, and stored
 * one after the other in the order in which they were handed over.
 *
 * <pre>
 *   batches   | being stored | being encoded | full | being filled |     a ring of four
 *               head                                            tail: the writer's
 * </pre>
 *
 * <p>Without an executor the writer does all of it when he hands a batch over. With one he goes on
 * until all batches are full; then he does what nobody has begun, so that nothing depends on when
 * the executor runs what it was given: of each file at most four calls wait in its queue, and one
 * that comes late finds nothing to do. He waits only for what runs.
 *
 * <p>After a failure batches are dropped; the writer gets the exception with his next call. The
 * writer's side is confined to one thread.
 */
public final class WriteBehindRing<B extends WriteBehindRing.Batch> implements AutoCloseable {
  /**
   * Batches in the ring: when one is filled, the one as many before it has been stored. Of one less
   * there is none left for the executor where the writer works on one of them.
   */
  public static final int BATCHES = 4;

  /** What is filled, encoded and stored; used by one thread at a time. */
  public interface Batch extends AutoCloseable {
    /**
     * Does all the work on it that does not depend on other batches.
     *
     * @param length as it was handed over
     */
    void encode(int length) throws IOException;

    /** Gives its memory back. */
    @Override
    void close();
  }

  /** Where batches go. */
  public interface Store<B> {
    /** Puts an encoded batch behind the ones before. Never called by two threads at once. */
    void store(B batch) throws IOException;
  }

  private enum State {
    FREE,
    FULL,
    ENCODING,
    ENCODED
  }

  /** A place in the ring; its batch is made when it is first needed. */
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

  // Guarded by the monitor, as are the slots' states. A batch that is FREE belongs to the writer,
  // one that is ENCODING to who does that, the ENCODED one at head to who stores.
  private int head;
  private int tail;
  private int queued;
  private boolean storing;
  private boolean closed;
  private @Nullable Throwable failure;

  /**
   * Has no batch yet.
   *
   * @param newBatch makes one when it is first needed; without an executor only one
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
   * The batch to be filled.
   *
   * @throws IOException that encoding or storing an earlier batch threw
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
   * Takes over the batch to be filled.
   *
   * @param length of what it has
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
        // The writer does it, when he needs the batch again.
        synchronized (this) {
          queued--;
        }
      }
    }
  }

  /** Waits until all that was handed over is stored. */
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

  /** Encodes the oldest batch that nobody has begun, and stores what is due; false if none is. */
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

  /** Null if another stores, and will find what is due. */
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
    // What follows a failure is dropped.
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

  /** Waits while the slot is used by another thread. */
  private synchronized void awaitChange(Slot<B> slot) {
    boolean interrupted = false;
    while (slot.state != State.FREE) {
      try {
        wait();
      } catch (InterruptedException e) {
        // What runs ends by itself.
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

  /** Drops what nobody has begun, waits for what runs, and gives the memory back. */
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
