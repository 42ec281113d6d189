package io.siltstone.commitlog;

import io.siltstone.threads.Uninterruptibles;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Does the I/O of a log when it is due: in a thread of its own, or, without one, in the threads
 * that ask for it. Its lock is taken after that of the log's tail.
 */
final class LogWorker {
  /** So many bytes are written at once, though nobody asks. */
  private static final int EAGER_WRITE_BYTES = 64 << 10;

  /** So long bytes wait for being written, though they are few. */
  private static final long EAGER_WRITE_NANOS = 100_000_000;

  /** After so long it is tried again to have told what no executor would tell. */
  private static final long OFFER_NANOS = 100_000_000;

  private final SegmentWriter writer;
  private final SegmentCleaner cleaner;
  private final LogBuffer buffer;
  private final SyncProgress progress;
  // Made when there is memory: who waits has to be told also where there is none.
  private final CommitLogFailedException outOfMemory;
  private final SyncMode mode;
  private final long periodNanos;
  private final long windowNanos;
  private final @Nullable Thread thread;
  private final ReentrantLock io = new ReentrantLock();

  private final AtomicLong syncNow = new AtomicLong();
  private final AtomicLong syncSoon = new AtomicLong();
  private volatile boolean writeWanted;
  private volatile boolean signalled;
  // Whether there is nothing to do, and nothing to write though perhaps to sync: then the thread
  // looks for more only when it is told.
  private volatile boolean idle = true;
  private volatile boolean caughtUp = true;
  private volatile boolean stopped;
  // When the last sync began, or the log was last found without need of one.
  private volatile long lastSync = System.nanoTime();

  // Guarded by io.
  private boolean waiting;
  private long waitingSince;
  private boolean windowOpen;
  private long windowEnd;

  LogWorker(
      SegmentWriter writer,
      SegmentCleaner cleaner,
      LogBuffer buffer,
      SyncProgress progress,
      CommitLogOptions options,
      @Nullable ThreadFactory threads) {
    this.writer = writer;
    this.cleaner = cleaner;
    this.buffer = buffer;
    this.progress = progress;
    this.outOfMemory =
        new CommitLogFailedException(writer.path(), new OutOfMemoryError("the heap was full"));
    this.mode = options.syncMode();
    this.periodNanos = options.period().toNanos();
    this.windowNanos = options.groupWindow().toNanos();
    this.thread = threads == null ? null : threads.newThread(this::run);
  }

  void start() {
    if (thread != null) {
      thread.start();
    }
  }

  /** Something was appended, up to {@code end}. */
  void appended(long end) {
    if (caughtUp && thread != null) {
      if (idle) {
        lastSync = System.nanoTime();
        idle = false;
      }
      caughtUp = false;
      signal();
    } else if (end - progress.written() >= EAGER_WRITE_BYTES) {
      signal();
    }
  }

  /** All before {@code position} is to be synced at once. */
  void requestSync(long position) {
    syncNow.accumulateAndGet(position, Math::max);
    signal();
  }

  /** All before {@code position} is to be synced within the window. */
  void requestSharedSync(long position) {
    (thread == null ? syncNow : syncSoon).accumulateAndGet(position, Math::max);
    signal();
  }

  /** What is published is to be written at once: somebody waits for room. */
  void requestWrite() {
    writeWanted = true;
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
      fail(e);
      return Long.MAX_VALUE;
    } finally {
      io.unlock();
    }
  }

  private void work(long now) throws IOException {
    noteWaiting(now);
    if (syncSoon.get() > progress.synced() && !windowOpen) {
      windowOpen = true;
      windowEnd = now + windowNanos;
    }
    if (isSyncDue(now)) {
      windowOpen = false;
      writeWanted = false;
      writer.sync();
      lastSync = now;
      waiting = false;
    } else if (writeWanted
        || buffer.published() - progress.written() >= EAGER_WRITE_BYTES
        || (waiting && now - waitingSince >= EAGER_WRITE_NANOS)) {
      writeWanted = false;
      writer.write();
      waiting = false;
    }
    if (cleaner.clean()) {
      progress.settled();
    }
  }

  /** Ends the log: what was appended is not what was meant. */
  void fail(Throwable cause) {
    CommitLogFailedException reason;
    try {
      reason = new CommitLogFailedException(writer.path(), cause);
    } catch (OutOfMemoryError e) {
      reason = outOfMemory;
    }
    progress.fail(reason);
    if (progress.isRefused()) {
      // Where it is offered again: this may be another thread.
      signal();
    }
  }

  private void noteWaiting(long now) {
    if (buffer.published() > progress.written() && !waiting) {
      waiting = true;
      waitingSince = now;
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
      nanos = Math.min(nanos, windowEnd - now);
    }
    if (buffer.published() > progress.written()) {
      noteWaiting(now);
      nanos = Math.min(nanos, EAGER_WRITE_NANOS - (now - waitingSince));
    }
    if (mode == SyncMode.PERIODIC && buffer.complete() > progress.synced()) {
      nanos = Math.min(nanos, lastSync + periodNanos - now);
    }
    idle = nanos == Long.MAX_VALUE;
    caughtUp = !waiting;
    // Whoever appended before it saw that counts on this look.
    if (caughtUp && buffer.complete() > progress.written()) {
      idle = false;
      caughtUp = false;
      nanos = 0;
    }
    return Math.max(0, nanos);
  }

  /** Ends the thread and closes the file; nothing more is written. An interrupt is kept. */
  void stop() throws IOException {
    // A segment may have been begun just now, for whose end somebody waits.
    writeWanted = true;
    stopped = true;
    if (thread != null) {
      signalled = true;
      LockSupport.unpark(thread);
      Uninterruptibles.join(thread);
    }
    io.lock();
    try {
      writer.close();
    } finally {
      io.unlock();
    }
  }
}
