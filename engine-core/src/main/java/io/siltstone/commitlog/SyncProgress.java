package io.siltstone.commitlog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How far the stream is written and synced, or what went wrong, and those who wait for it. Safe for
 * all threads. Its lock is taken last, and never while something foreign runs.
 */
final class SyncProgress {
  private final Executor callbacks;
  private final Executor events;
  private final CommitLogListener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private final List<Stage> stages = new ArrayList<>();

  private volatile long written;
  private volatile long synced;
  private volatile @Nullable CommitLogFailedException failure;

  /** Somebody who does not block. */
  private record Stage(long position, CompletableFuture<Void> future) {}

  SyncProgress(Executor callbacks, Executor events, CommitLogListener listener) {
    this.callbacks = callbacks;
    this.events = events;
    this.listener = listener;
  }

  long written() {
    return written;
  }

  long synced() {
    return synced;
  }

  boolean isFailed() {
    return failure != null;
  }

  /** Throws anew what made the log fail, if anything did. */
  void requireNotFailed() throws CommitLogFailedException {
    CommitLogFailedException first = failure;
    if (first != null) {
      Throwable cause = first.getCause();
      throw new CommitLogFailedException(first.path(), cause == null ? first : cause);
    }
  }

  /** All before {@code position} was given to the operating system. */
  void wroteTo(long position) {
    lock.lock();
    try {
      written = position;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** All before {@code position}, where a record ends, is durable. */
  void syncedTo(long position) {
    List<Stage> done;
    lock.lock();
    try {
      if (position <= synced) {
        return;
      }
      synced = position;
      changed.signalAll();
      done = takeStages(position);
    } finally {
      lock.unlock();
    }
    for (Stage stage : done) {
      call(callbacks, () -> stage.future.complete(null));
    }
  }

  /** Nothing more will be written or synced. Only the first call says why. */
  void fail(CommitLogFailedException reason) {
    List<Stage> done;
    lock.lock();
    try {
      if (failure != null) {
        return;
      }
      failure = reason;
      changed.signalAll();
      done = takeStages(Long.MAX_VALUE);
    } finally {
      lock.unlock();
    }
    for (Stage stage : done) {
      call(callbacks, () -> stage.future.completeExceptionally(reason));
    }
    call(events, () -> listener.failed(reason));
  }

  private List<Stage> takeStages(long upTo) {
    if (stages.isEmpty()) {
      return List.of();
    }
    List<Stage> taken = new ArrayList<>();
    for (Iterator<Stage> all = stages.iterator(); all.hasNext(); ) {
      Stage stage = all.next();
      if (stage.position <= upTo) {
        taken.add(stage);
        all.remove();
      }
    }
    return taken;
  }

  /** Runs what is foreign, in this thread if its executor takes no more. */
  private static void call(Executor executor, Runnable foreign) {
    try {
      executor.execute(foreign);
    } catch (RejectedExecutionException e) {
      foreign.run();
    }
  }

  void callListenerOfSpace(long diskBytes) {
    call(events, () -> listener.spaceExceeded(diskBytes));
  }

  void callListenerOfArchiving(IOException reason) {
    call(events, () -> listener.archivingFailed(reason));
  }

  /** Waits until all before {@code position} is written. An interrupt is kept for later. */
  void awaitWritten(long position) throws CommitLogFailedException {
    lock.lock();
    try {
      while (written < position) {
        requireNotFailed();
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all before {@code position} is durable. An interrupt is kept for later. */
  void awaitSynced(long position) throws CommitLogFailedException {
    lock.lock();
    try {
      while (synced < position) {
        requireNotFailed();
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A segment was archived, or that failed. */
  void settled() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the segment is complete and archived. An interrupt is kept for later. */
  void awaitSettled(Segment segment) throws CommitLogFailedException {
    lock.lock();
    try {
      while (!segment.isSettled()) {
        requireNotFailed();
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A stage that is done when all before {@code position} is durable. */
  CompletionStage<Void> whenSynced(long position) {
    lock.lock();
    try {
      if (synced < position) {
        requireNotFailed();
        CompletableFuture<Void> future = new CompletableFuture<>();
        stages.add(new Stage(position, future));
        return future.minimalCompletionStage();
      }
    } catch (CommitLogFailedException e) {
      return CompletableFuture.failedStage(e);
    } finally {
      lock.unlock();
    }
    return CompletableFuture.completedStage(null);
  }
}
