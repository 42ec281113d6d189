package io.siltstone.chunk;

import io.siltstone.io.WritableFile;
import io.siltstone.threads.Failures;
import io.siltstone.threads.RecallableTask;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Syncs a file at intervals while it grows, so that the kernel never has much to write at once, and
 * little when the file is complete.
 *
 * <p>Every {@value #STEP_BYTES} bytes an executor is asked for a sync, while writing goes on. If
 * the sync is not done {@value #MOST_BYTES} bytes later, the writer waits for it, or does it if no
 * thread has begun. Without an executor the writer does it each time. Confined to one thread,
 * except for the syncs.
 */
final class TrickleFsync {
  static final int STEP_BYTES = 16 << 20;
  static final int MOST_BYTES = 64 << 20;

  private enum State {
    IDLE,
    ASKED,
    SYNCING
  }

  private final WritableFile file;
  private final @Nullable Executor executor;
  private final RecallableTask sync = new RecallableTask(this::syncIfAsked);
  private long askedAt;

  // Guarded by the monitor.
  private State state = State.IDLE;
  private boolean queued;
  private @Nullable Throwable failure;

  TrickleFsync(WritableFile file, @Nullable Executor executor) {
    this.file = file;
    this.executor = executor;
  }

  /**
   * Must be called after each write.
   *
   * @throws IOException the failure of a sync
   */
  void written() throws IOException {
    long behind = file.position() - askedAt;
    if (behind < STEP_BYTES || (behind < MOST_BYTES && !isIdle())) {
      return;
    }
    await();
    askedAt = file.position();
    ask();
  }

  private synchronized boolean isIdle() {
    return state == State.IDLE;
  }

  private void ask() throws IOException {
    if (executor == null) {
      file.sync();
      return;
    }
    synchronized (this) {
      state = State.ASKED;
      if (queued) {
        return;
      }
      queued = true;
    }
    try {
      executor.execute(sync);
    } catch (RejectedExecutionException e) {
      // The writer does it when it is due.
      synchronized (this) {
        queued = false;
      }
    }
  }

  private void syncIfAsked() {
    synchronized (this) {
      queued = false;
    }
    if (begin()) {
      sync();
    }
  }

  private synchronized boolean begin() {
    if (state != State.ASKED) {
      return false;
    }
    state = State.SYNCING;
    return true;
  }

  private void sync() {
    Throwable thrown = null;
    try {
      file.sync();
    } catch (Throwable e) {
      thrown = e;
    }
    synchronized (this) {
      failure = failure == null ? thrown : failure;
      state = State.IDLE;
      notifyAll();
    }
  }

  /**
   * Waits until all requested syncs are done.
   *
   * @throws IOException the failure of a sync
   */
  void await() throws IOException {
    if (begin()) {
      sync();
    }
    Failures.rethrow(settled());
  }

  private synchronized @Nullable Throwable settled() {
    boolean interrupted = false;
    while (state != State.IDLE) {
      try {
        wait();
      } catch (InterruptedException e) {
        // A running sync ends by itself.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return failure;
  }

  /**
   * Waits until no sync runs, and prevents further ones. Must be called at the end, also after a
   * failure.
   */
  void cancel() {
    sync.recall();
    synchronized (this) {
      if (state == State.ASKED) {
        state = State.IDLE;
      }
    }
    settled();
  }
}
