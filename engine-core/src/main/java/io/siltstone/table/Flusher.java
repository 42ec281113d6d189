package io.siltstone.table;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.liveset.AtomicFlushes;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.threads.Uninterruptibles;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Triggers flushes of memtables to SSTables: on request, when memtables take too much memory, when
 * the commit log takes too much disk, and when a memtable reaches its flush period. A table has one
 * flush at a time; flushes of several tables run concurrently. Tables that have no log are flushed
 * together with those of the same keyspace, see {@link FlushGroups}.
 *
 * <p>Safe for all threads. The threads belong to the owner.
 */
public final class Flusher {
  // The minimum time between two sums of the sizes of all memtables.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Services services;
  private final CommitLog log;
  private final FlushWriter writer;
  private final Executor threads;
  private final Supplier<Collection<TableStore>> tables;
  private final FlushGroups flushes;
  private final AtomicLong lastLook = new AtomicLong(System.nanoTime() - LOOK_NANOS);
  // The result of the last check, for callers that come too early for another one. They must not
  // take the mere fact that another thread checks for hope: two waiting writers would keep each
  // other waiting.
  private volatile boolean isRelieving;
  // Set in threads that are notifying the listener of memory pressure.
  private final ThreadLocal<Boolean> notifyingOfPressure = new ThreadLocal<>();

  /**
   * @param atomic begins flushes of several tables
   * @param threads run flushes, and help them to compress
   * @param tables returns the present tables
   */
  public Flusher(
      Services services,
      CommitLog log,
      AtomicFlushes atomic,
      Executor threads,
      Supplier<Collection<TableStore>> tables) {
    this.services = services;
    this.log = log;
    this.writer = new FlushWriter(services, log, atomic, new PipelineExecutors(threads, threads));
    this.threads = threads;
    this.tables = tables;
    this.flushes = new FlushGroups(tables);
  }

  /**
   * Begins to flush when other databases that share the memory ask for it, until the result is
   * closed, which must come before the last flush. Does nothing if the database has memory of its
   * own.
   *
   * @param executor creates what looks for the memtable to flush; closed with the result
   */
  public Closeable share(Supplier<ExecutorService> executor) {
    MemtablePool space = services.memory().memtables();
    SharedMemtables shared = space.shared();
    if (shared == null) {
      return () -> {};
    }
    ExecutorService own = executor.get();
    shared.add(space, own, this::flushLargest);
    return () -> {
      shared.remove(space);
      space.heapBytes(0);
      Threads.ending(own).close();
    };
  }

  /**
   * Requests a flush of what the table has in memory now.
   *
   * @return completes when all earlier writes are in SSTables; a flush that has not begun yet
   *     serves all requests
   */
  public CompletableFuture<Void> flush(TableStore store) {
    FlushQueue queue = flushes.of(store);
    return queue.request(flush -> threads.execute(() -> run(store, queue, flush)));
  }

  /** Flushes tables concurrently, and waits for all; throws the first failure. */
  public void flushAll(Collection<TableStore> stores) throws IOException {
    List<CompletableFuture<Void>> flushes = stores.stream().map(this::flush).toList();
    // A thread of a fork/join pool that called join would run other tasks meanwhile.
    CountDownLatch ended = new CountDownLatch(flushes.size());
    for (CompletableFuture<Void> flush : flushes) {
      var unused = flush.whenComplete((done, e) -> ended.countDown());
    }
    Uninterruptibles.await(ended);
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

  private void run(TableStore store, FlushQueue queue, CompletableFuture<Void> flush) {
    try {
      boolean isDone = false;
      while (!isDone) {
        isDone = flushTogether(flushes.membersOf(store, queue), store, queue, flush);
      }
    } catch (Throwable e) {
      flush.completeExceptionally(e);
      return;
    }
    flush.complete(null);
  }

  /** Flushes tables; returns false if others are to be flushed by the request now. */
  private boolean flushTogether(
      List<TableStore> members, TableStore store, FlushQueue queue, CompletableFuture<Void> flush)
      throws IOException {
    OrderedLocks flushing =
        new OrderedLocks(members.stream().map(member -> member.flushing).toList());
    OrderedLocks shards =
        new OrderedLocks(members.stream().flatMap(each -> each.shardLocks().stream()).toList());
    flushing.lock();
    try {
      queue.begin(flush);
      if (!members.isEmpty()) {
        services.health().requireGood();
      }
      CommitLogPosition position;
      Map<TableStore, List<TableMemtables.Sealed>> sealed;
      shards.lock();
      try {
        if (!members.equals(flushes.membersOf(store, queue))) {
          return false;
        }
        position = log.position();
        members.forEach(member -> member.seal(position));
        sealed = sealed(members);
      } finally {
        shards.unlock();
      }
      discardUnchanged(members, position);
      write(members, sealed);
      return true;
    } finally {
      flushing.unlock();
    }
  }

  /** Discards the earlier changes of tables in the log that have nothing to be flushed. */
  private void discardUnchanged(List<TableStore> members, CommitLogPosition position) {
    for (TableStore member : members) {
      if (member.memory().oldestSealed() == null) {
        log.discard(member.id().id(), position);
      }
    }
  }

  private static Map<TableStore, List<TableMemtables.Sealed>> sealed(List<TableStore> members) {
    Map<TableStore, List<TableMemtables.Sealed>> sealed = new LinkedHashMap<>();
    for (TableStore member : members) {
      List<TableMemtables.Sealed> all = member.memory().allSealed();
      if (!all.isEmpty()) {
        sealed.put(member, all);
      }
    }
    return sealed;
  }

  private void write(List<TableStore> members, Map<TableStore, List<TableMemtables.Sealed>> sealed)
      throws IOException {
    if (members.size() == 1) {
      writer.write(members.get(0));
    } else {
      writer.writeTogether(sealed);
    }
  }

  /**
   * Flushes what is sealed: of tables without a log atomically, of others each alone. The caller
   * holds {@link TableStore#flushing} of all, has sealed them at one moment, and excludes that they
   * are altered.
   */
  void writeSealed(Collection<TableStore> stores) throws IOException {
    for (List<TableStore> members : flushes.groups(stores)) {
      write(members, sealed(members));
    }
  }

  /** Seals the memtables of tables at one moment, and flushes them as {@link #writeSealed} does. */
  void sealAndWrite(List<TableStore> stores) throws IOException {
    OrderedLocks shards =
        new OrderedLocks(stores.stream().flatMap(store -> store.shardLocks().stream()).toList());
    shards.lock();
    try {
      stores.forEach(store -> store.seal(log.position()));
    } finally {
      shards.unlock();
    }
    writeSealed(stores);
  }

  /**
   * Flushes the largest memtable if memory is short. Cheap; to be called after each write that has
   * seen {@link MemtablePool#isPressed}.
   *
   * @return whether a flush was waiting or running at the last check, now or a moment ago
   */
  boolean relieve() {
    long now = System.nanoTime();
    long last = lastLook.get();
    if (now - last >= LOOK_NANOS && lastLook.compareAndSet(last, now)) {
      isRelieving = flushLargest();
    }
    return isRelieving;
  }

  /** Returns whether a flush is waiting or running. */
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
      flushing |= flushes.of(store).isBusy() && !isFailing;
      if (isFailing) {
        // This flush is retried from time to time; waiting writers cannot count on it.
        continue;
      }
      if (!flushes.of(store).isBusy() && store.memory().oldestSealed() != null) {
        waiting = store;
      }
      if (bytes > largestBytes && !flushes.of(store).isRequested()) {
        largest = store;
        largestBytes = bytes;
      }
    }
    if (waiting != null) {
      // It was sealed by a change of the definition, without a flush.
      var unused = flush(waiting);
      return true;
    }
    MemtablePool space = services.memory().memtables();
    if (largest != null && space.isFlushDue(all, flushing)) {
      EngineListener.MemtablePressure event =
          new EngineListener.MemtablePressure(space.used(), space.limit());
      var unused = flush(largest);
      notifyListener(event);
      return true;
    }
    return flushing || relieveByOthers();
  }

  /** Has another database flush that shares the memory; returns whether it does. */
  private boolean relieveByOthers() {
    MemtablePool space = services.memory().memtables();
    SharedMemtables shared = space.shared();
    return shared != null && shared.relieveByOthers(space);
  }

  /**
   * Notifies the listener, but not within its own notification: its writes may cause pressure
   * again.
   */
  private void notifyListener(EngineListener.MemtablePressure event) {
    if (notifyingOfPressure.get() == null) {
      notifyingOfPressure.set(true);
      try {
        services.listener().memtablePressure(event);
      } finally {
        notifyingOfPressure.remove();
      }
    }
  }

  /** Flushes as {@link #relieve}, for a writer that waits. */
  boolean relieveFull() throws IOException {
    services.health().requireGood();
    return relieve() || requireNoFailure();
  }

  /** Flushes all tables, for a writer that waits for memory that the budget refused. */
  boolean relieveAll() throws IOException {
    services.health().requireGood();
    boolean hope = false;
    for (TableStore store : tables.get()) {
      if (store.isStarved || store.flushRetry().cause() != null) {
        continue;
      }
      if (flushes.of(store).isBusy()) {
        hope = true;
      } else if (store.memory().hasActiveRows() || store.memory().oldestSealed() != null) {
        var unused = flush(store);
        hope = true;
      }
    }
    return hope || relieveByOthers() || requireNoFailure();
  }

  /**
   * Throws the failure of a flush that will be retried later, so that a writer that waits for
   * memory learns why there is none. Returns false if there is none.
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
   * Returns whether the calling thread is within a flush, as a listener that is notified of it.
   * Then it cannot wait for memory that this flush, or a later one, has to free.
   */
  boolean isFlushingHere() {
    return tables.get().stream().anyMatch(TableStore::isFlushedHere);
  }

  /** Flushes the tables because of which the log keeps its oldest segment. */
  public void shortenLog() {
    // Read before the list of tables, so that nothing of a table that is created meanwhile is
    // discarded.
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
   * Starts flushes that are due, by the flush period or as a retry; to be called every second or
   * more often.
   *
   * @param nowNanos the present {@link System#nanoTime}
   */
  public void tick(long nowNanos) {
    long heapBytes = 0;
    boolean isFailing = !services.health().isGood();
    for (TableStore store : tables.get()) {
      heapBytes += store.memory().heapBytes();
      isFailing |= store.flushRetry().cause() != null;
      long period = store.schema().options().memtableFlushPeriodInMs();
      boolean isDue =
          period > 0
              && store.memory().activeBytes() > 0
              && store.memory().activeAgeNanos(nowNanos) >= TimeUnit.MILLISECONDS.toNanos(period);
      if (isDue || store.isStarved || store.flushRetry().isDue(nowNanos)) {
        var unused = flush(store);
      }
    }
    MemtablePool space = services.memory().memtables();
    space.heapBytes(heapBytes);
    SharedMemtables shared = space.shared();
    if (shared != null) {
      shared.note(space, isFailing);
    }
  }
}
