package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import io.siltstone.threads.Uninterruptibles;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Syncs what {@link SegmentWriter} has written, segment by segment in their order, when it is due;
 * closes the segments that are complete, and has them archived and deleted. It does so in a thread
 * of its own, or, without one, in the threads that ask for it.
 *
 * <p>Its lock is the last but that of {@link SyncProgress}, and no writer takes it while there is a
 * thread: so none waits for a sync that it has not asked for.
 */
final class LogSyncer {
  /** How long to wait before a call that an executor has rejected is offered to it again. */
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
  private final @Nullable Thread thread;
  private final ReentrantLock io = new ReentrantLock();

  private final AtomicLong syncNow = new AtomicLong();
  private final AtomicLong syncSoon = new AtomicLong();
  private volatile boolean signalled;
  // Whether nothing is to be synced with time: then the thread looks for it only when it is told.
  private volatile boolean idle = true;
  private volatile boolean stopped;
  // When the last sync began, or the log was last found without need of one.
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
    ThreadFactory threads = services.threads();
    this.thread = threads == null ? null : threads.newThread(this::run);
  }

  void start() {
    if (thread != null) {
      thread.start();
    }
  }

  /**
   * Something was written, which is to be synced within the period if nobody asks for it before.
   */
  void wrote() {
    if (idle && mode == SyncMode.PERIODIC && thread != null) {
      lastSync = System.nanoTime();
      idle = false;
      signal();
    }
  }

  /** All before {@code position}, which is written, is to be synced at once. */
  void requestSync(long position) {
    syncNow.accumulateAndGet(position, Math::max);
    signal();
  }

  /** All before {@code position}, which is written, is to be synced within the window. */
  void requestSharedSync(long position) {
    (thread == null ? syncNow : syncSoon).accumulateAndGet(position, Math::max);
    signal();
  }

  /** Whether the periodic sync is so late that writes have to wait for it. */
  boolean isLate() {
    return System.nanoTime() - lastSync > periodNanos + periodNanos / 2;
  }

  /** Wakes the thread, or does its work here. */
  void signal() {
    if (thread == null) {
      turn();
    } else if (!signalled) {
      signalled = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!stopped) {
      long nanos = turn();
      // Waiting for a lock during the turn may have used up the permit that came with a signal.
      if (nanos > 0 && !signalled) {
        LockSupport.parkNanos(this, nanos);
      }
      // The thread is the log's own: an interrupt means nothing, and would keep it from resting.
      boolean ignored = Thread.interrupted();
    }
    // What was asked for just before the end.
    turn();
  }

  /**
   * Does what is due.
   *
   * @return in how many nanoseconds something else may be
   */
  private long turn() {
    // Before looking, so that whoever asks for more later signals anew.
    signalled = false;
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
      // Before the syncs: what is written meanwhile may not be in them.
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

  /** Syncs and closes the segments to which nothing more is written. */
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

  /** Makes the names of all segments durable that were begun before. */
  private void syncNames() throws IOException {
    long last = open.lastId();
    if (last > open.namedId()) {
      directory.sync();
      open.named(last);
    }
  }

  private void sync(OpenSegments.Open segment) throws IOException {
    segment.file().sync();
    // A process that opens the database after this has all that was synced before.
    guard.requireOwned();
  }

  /** Ends the log: what was appended is not what was meant. */
  void fail(String path, Throwable cause) {
    CommitLogFailedException reason;
    try {
      reason = new CommitLogFailedException(path, cause);
    } catch (OutOfMemoryError e) {
      reason = outOfMemory;
    }
    progress.fail(reason);
    if (progress.isRefused()) {
      // Where it is offered again: this may be another thread.
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
      // A writer that comes after it saw that counts on this look.
      idle = true;
      if (progress.handed() > progress.synced()) {
        idle = false;
        nanos = Math.min(nanos, lastSync + periodNanos - now);
      }
    }
    return Math.max(0, nanos);
  }

  /** Ends the thread and closes the files; nothing more is synced. An interrupt is kept. */
  void stop() throws IOException {
    stopped = true;
    if (thread != null) {
      signalled = true;
      LockSupport.unpark(thread);
      Uninterruptibles.join(thread);
    }
    io.lock();
    try {
      open.close();
    } finally {
      io.unlock();
    }
  }
}
