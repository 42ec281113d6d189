package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import io.siltstone.threads.Worker;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Syncs the commit log (group commit): one sync serves all writes that wait for it. It syncs the
 * segments that {@link SegmentWriter} has written, in their order, when a sync is due; it closes
 * complete segments and has them archived and deleted. This happens in the turns of a worker or,
 * without one, in the threads that request a sync.
 *
 * <p>Its lock is taken last but for that of {@link SyncProgress}. While there is a worker, no
 * writer takes the lock, so that no writer waits for a sync that it has not requested.
 */
final class LogSyncer {
  /** How long to wait before resubmitting a call that an executor has rejected. */
  private static final long OFFER_NANOS = 100_000_000;

  private final Directory directory;
  private final OpenSegments open;
  private final SegmentCleaner cleaner;
  private final SyncProgress progress;
  private final WriteGuard guard;
  // Allocated beforehand, so that waiters can be failed when the heap is exhausted.
  private final CommitLogFailedException outOfMemory;
  private final SyncMode mode;
  private final long periodNanos;
  private final long windowNanos;
  private final @Nullable Worker worker;
  private final ReentrantLock io = new ReentrantLock();

  private final AtomicLong syncNow = new AtomicLong();
  private final AtomicLong syncSoon = new AtomicLong();
  // Whether no sync is due by time, so that the worker acts only upon signals.
  private volatile boolean idle = true;
  // When the last sync began, or when the log was last found to need none.
  private volatile long lastSync = System.nanoTime();

  // Guarded by io.
  private boolean windowOpen;
  private long windowEnd;

  LogSyncer(
      Directory directory,
      OpenSegments open,
      SegmentCleaner cleaner,
      SyncProgress progress,
      CommitLogOptions options,
      CommitLogServices services) {
    this.directory = directory;
    this.open = open;
    this.cleaner = cleaner;
    this.progress = progress;
    this.guard = services.guard();
    this.outOfMemory =
        new CommitLogFailedException(directory.path(), new OutOfMemoryError("the heap was full"));
    this.mode = options.syncMode();
    this.periodNanos = options.period().toNanos();
    this.windowNanos = options.groupWindow().toNanos();
    Worker.Factory syncing = services.syncing();
    this.worker = syncing == null ? null : syncing.create(this::turn);
  }

  void start() {
    if (worker != null) {
      worker.start();
    }
  }

  /**
   * Notes that bytes were written, which are to be synced within the period unless a sync is
   * requested earlier.
   */
  void wrote() {
    if (idle && mode == SyncMode.PERIODIC && worker != null) {
      lastSync = System.nanoTime();
      idle = false;
      signal();
    }
  }

  /** Requests an immediate sync of all bytes before {@code position}, which are written. */
  void requestSync(long position) {
    syncNow.accumulateAndGet(position, Math::max);
    signal();
  }

  /**
   * Requests a sync of all bytes before {@code position}, which are written, within the window of
   * group commit.
   */
  void requestSharedSync(long position) {
    (worker == null ? syncNow : syncSoon).accumulateAndGet(position, Math::max);
    signal();
  }

  /** Returns whether the periodic sync is so late that writes have to wait for it. */
  boolean isLate() {
    return System.nanoTime() - lastSync > periodNanos + periodNanos / 2;
  }

  /** Wakes the worker or, without one, does its work. */
  void signal() {
    if (worker == null) {
      turn();
    } else {
      worker.signal();
    }
  }

  /**
   * Does the syncs that are due.
   *
   * @return nanoseconds until the next one may be due
   */
  private long turn() {
    progress.offerAgain();
    long nanos = workIfDue();
    return progress.isRefused() ? Math.min(nanos, OFFER_NANOS) : nanos;
  }

  private long workIfDue() {
    io.lock();
    try {
      if (progress.isFailed()) {
        return Long.MAX_VALUE;
      }
      work(System.nanoTime());
      return nextTurn(System.nanoTime());
    } catch (IOException | RuntimeException | Error e) {
      fail(open.lastPath(), e);
      return Long.MAX_VALUE;
    } finally {
      io.unlock();
    }
  }

  private void work(long now) throws IOException {
    if (syncSoon.get() > progress.synced() && !windowOpen) {
      windowOpen = true;
      windowEnd = now + windowNanos;
    }
    if (isSyncDue(now)) {
      windowOpen = false;
      // Read before the syncs, which may not include bytes written meanwhile.
      long handed = progress.handed();
      lastSync = now;
      syncComplete();
      syncActive(handed);
    } else {
      syncComplete();
    }
    if (cleaner.clean()) {
      progress.settled();
    }
  }

  /** Syncs and closes the segments that are complete. */
  private void syncComplete() throws IOException {
    for (OpenSegments.Open next = open.second(); next != null; next = open.second()) {
      OpenSegments.Open first = open.first();
      long end = next.segment().streamStart();
      int length = first.segment().offsetOf(end);
      syncNames();
      OpenSegments.markContinued(first, length, next.segment().id());
      sync(first);
      first.file().close();
      first.segment().completed();
      open.removeFirst(length);
      cleaner.completed(first.segment());
      progress.syncedTo(end);
      progress.settled();
    }
  }

  private void syncActive(long handed) throws IOException {
    if (handed > progress.synced()) {
      syncNames();
      sync(open.first());
      progress.syncedTo(handed);
    }
  }

  /** Makes the names of all segments begun before durable. */
  private void syncNames() throws IOException {
    long last = open.lastId();
    if (last > open.namedId()) {
      directory.sync();
      open.named(last);
    }
  }

  private void sync(OpenSegments.Open segment) throws IOException {
    segment.file().sync();
    // A process that opens the database after this check finds all that was synced before.
    guard.requireOwned();
  }

  /** Ends the log, because the bytes appended may be wrong. */
  void fail(String path, Throwable cause) {
    CommitLogFailedException reason;
    try {
      reason = new CommitLogFailedException(path, cause);
    } catch (OutOfMemoryError e) {
      reason = outOfMemory;
    }
    progress.fail(reason);
    if (progress.isRefused()) {
      // The worker resubmits rejected calls; this may be another thread.
      signal();
    }
  }

  private boolean isSyncDue(long now) {
    return syncNow.get() > progress.synced()
        || (windowOpen && now - windowEnd >= 0)
        || (mode == SyncMode.PERIODIC && now - lastSync >= periodNanos);
  }

  private long nextTurn(long now) {
    long nanos = Long.MAX_VALUE;
    if (windowOpen) {
      nanos = windowEnd - now;
    }
    if (mode == SyncMode.PERIODIC) {
      // A writer that saw the flag after this relies on this check.
      idle = true;
      if (progress.handed() > progress.synced()) {
        idle = false;
        nanos = Math.min(nanos, lastSync + periodNanos - now);
      }
    }
    return Math.max(0, nanos);
  }

  /**
   * Ends the worker and closes the files; nothing more is synced. Interrupts do not end the wait;
   * the interrupt status is restored.
   */
  void stop() throws IOException {
    if (worker != null) {
      worker.stop();
    }
    io.lock();
    try {
      open.close();
    } finally {
      io.unlock();
    }
  }
}
