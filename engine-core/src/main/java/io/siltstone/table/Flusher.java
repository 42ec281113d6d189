package io.siltstone.table;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Sees to it that memtables become SSTables: when asked, when they take too much memory, when the
 * commit log takes too much disk, and when they are old. One flush of a table at a time, those of
 * several tables side by side.
 *
 * <p>Safe for all threads. Its threads are its owner's.
 */
public final class Flusher {
  // What the memtables have is added up this often at most, where that must be known.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Services services;
  private final CommitLog log;
  private final SealedMemtables writer;
  private final Executor threads;
  private final Supplier<Collection<TableStore>> tables;
  private final AtomicLong lastLook = new AtomicLong(System.nanoTime() - LOOK_NANOS);
  // What the last look has found. Who comes too early for another one must not take it for hope
  // that somebody looks: two who wait would keep each other waiting.
  private volatile boolean isRelieving;
  // Set in threads that tell of pressure.
  private final ThreadLocal<Boolean> tellingOfPressure = new ThreadLocal<>();

  /**
   * @param threads run flushes, and help them
   * @param tables the present ones
   */
  public Flusher(
      Services services, CommitLog log, Executor threads, Supplier<Collection<TableStore>> tables) {
    this.services = services;
    this.log = log;
    this.writer = new SealedMemtables(services, log, new PipelineExecutors(threads, threads));
    this.threads = threads;
    this.tables = tables;
  }

  /**
   * Writes what the table has in memory now to an SSTable.
   *
   * @return is done when all that was written before is; a flush that has not begun yet serves all
   *     who ask
   */
  public CompletableFuture<Void> flush(TableStore store) {
    return store.flushes().request(flush -> threads.execute(() -> run(store, flush)));
  }

  /** Flushes tables side by side, and waits for all; throws the first failure. */
  public void flushAll(Collection<TableStore> stores) throws IOException {
    List<CompletableFuture<Void>> flushes = stores.stream().map(this::flush).toList();
    // To join them would run other tasks here meanwhile if this is a thread of a fork/join pool.
    CountDownLatch ended = new CountDownLatch(flushes.size());
    for (CompletableFuture<Void> flush : flushes) {
      var unused = flush.whenComplete((done, e) -> ended.countDown());
    }
    Threads.await(ended);
    Throwable failure = null;
    for (CompletableFuture<Void> flush : flushes) {
      try {
        flush.join();
      } catch (CompletionException e) {
        Throwable cause = e.getCause();
        if (failure == null) {
          failure = cause;
        }
      }
    }
    if (failure instanceof ReadOnlyException e) {
      throw e;
    } else if (failure != null) {
      throw new IOException("a flush failed: " + failure.getMessage(), failure);
    }
  }

  private void run(TableStore store, CompletableFuture<Void> flush) {
    try {
      store.flushing.lock();
      try {
        store.flushes().begin(flush);
        if (!store.isDropped()) {
          services.health().requireGood();
          seal(store);
          writer.write(store);
        }
      } finally {
        store.flushing.unlock();
      }
    } catch (Throwable e) {
      flush.completeExceptionally(e);
      return;
    }
    flush.complete(null);
  }

  /** Seals the active memtable; what was logged of the table before is discarded if it is empty. */
  private void seal(TableStore store) {
    CommitLogPosition position;
    store.lockShards();
    try {
      position = log.position();
      store.seal(position);
    } finally {
      store.unlockShards();
    }
    if (store.memory().oldestSealed() == null) {
      log.discard(store.id().id(), position);
    }
  }

  /** Writes what is sealed. The caller holds {@link TableStore#flushing}. */
  void writeSealed(TableStore store) throws IOException {
    writer.write(store);
  }

  /**
   * Flushes the largest memtable if memory is short. Cheap, to be called after each write that has
   * seen {@link MemtablePool#isPressed}.
   *
   * @return whether a flush was to come or under way when that was looked at last, now or a moment
   *     ago
   */
  boolean relieve() {
    long now = System.nanoTime();
    long last = lastLook.get();
    if (now - last >= LOOK_NANOS && lastLook.compareAndSet(last, now)) {
      isRelieving = flushLargest();
    }
    return isRelieving;
  }

  /** Returns whether a flush is to come or under way. */
  private boolean flushLargest() {
    TableStore largest = null;
    TableStore waiting = null;
    long largestBytes = 0;
    long all = 0;
    boolean flushing = false;
    for (TableStore store : tables.get()) {
      long bytes = store.memory().activeBytes();
      all += bytes;
      boolean isFailing = store.isStarved || store.flushRetry().cause() != null;
      flushing |= store.flushes().isBusy() && !isFailing;
      if (isFailing) {
        // Tried again from time to time; to those who wait it is no hope.
        continue;
      }
      if (!store.flushes().isBusy() && store.memory().oldestSealed() != null) {
        waiting = store;
      }
      if (bytes > largestBytes && !store.flushes().isRequested()) {
        largest = store;
        largestBytes = bytes;
      }
    }
    if (waiting != null) {
      // Sealed by a change of the definition, without a flush.
      var unused = flush(waiting);
      return true;
    }
    MemtablePool space = services.memory().memtables();
    // What readers hold of flushed memtables is no reason to write the others in tiny pieces.
    if (largest != null && (all >= space.limit() / 2 || (space.isFull() && !flushing))) {
      EngineListener.MemtablePressure event =
          new EngineListener.MemtablePressure(space.used(), space.limit());
      var unused = flush(largest);
      tell(event);
      return true;
    }
    return flushing;
  }

  /** Does nothing within a listener that hears of pressure: what it writes may press again. */
  private void tell(EngineListener.MemtablePressure event) {
    if (tellingOfPressure.get() == null) {
      tellingOfPressure.set(true);
      try {
        services.listener().memtablePressure(event);
      } finally {
        tellingOfPressure.remove();
      }
    }
  }

  /** As {@link #relieve}, for whoever waits. */
  boolean relieveFull() throws IOException {
    services.health().requireGood();
    return relieve() || requireNoFailure();
  }

  /** As {@link #relieveFull}, for whoever waits for memory that the budget refused. */
  boolean relieveAll() throws IOException {
    services.health().requireGood();
    boolean hope = false;
    for (TableStore store : tables.get()) {
      if (store.isStarved || store.flushRetry().cause() != null) {
        continue;
      }
      if (store.flushes().isBusy()) {
        hope = true;
      } else if (store.memory().hasActiveRows() || store.memory().oldestSealed() != null) {
        var unused = flush(store);
        hope = true;
      }
    }
    return hope || requireNoFailure();
  }

  /**
   * Fails if a flush has failed that is tried again later: whoever waits for memory must learn why
   * there is none. Returns false otherwise.
   */
  private boolean requireNoFailure() throws IOException {
    for (TableStore store : tables.get()) {
      IOException cause = store.flushRetry().cause();
      if (cause != null) {
        throw new IOException(
            "memtables take all the memory that they may, and that of "
                + store
                + " cannot be written, which is tried again: "
                + cause.getMessage(),
            cause);
      }
    }
    return false;
  }

  /**
   * Whether the calling thread is within a flush, as a listener that is told of it: then it cannot
   * wait for memory, which that flush, or one behind it, has to free.
   */
  boolean isFlushingHere() {
    return tables.get().stream().anyMatch(TableStore::isFlushedHere);
  }

  /** Flushes the tables for whose sake the log keeps its oldest segment. */
  public void shortenLog() {
    // Before the tables are looked at: of one that is made meanwhile nothing is discarded.
    CommitLogPosition known = log.position();
    for (UUID id : log.dirtyTablesOfOldest()) {
      boolean isThere = false;
      for (TableStore store : tables.get()) {
        if (store.id().id().equals(id)) {
          isThere = true;
          var unused = flush(store);
        }
      }
      if (!isThere) {
        log.discard(id, known);
      }
    }
  }

  /**
   * Looks after what comes with time; to be called every second or so.
   *
   * @param nowNanos what {@link System#nanoTime} says
   */
  public void tick(long nowNanos) {
    long heapBytes = 0;
    for (TableStore store : tables.get()) {
      heapBytes += store.memory().heapBytes();
      long period = store.schema().options().memtableFlushPeriodInMs();
      boolean isDue =
          period > 0
              && store.memory().activeBytes() > 0
              && store.memory().activeAgeNanos(nowNanos) >= TimeUnit.MILLISECONDS.toNanos(period);
      if (isDue || store.isStarved || store.flushRetry().isDue(nowNanos)) {
        var unused = flush(store);
      }
    }
    services.memory().memtables().heapBytes(heapBytes);
  }
}
