package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import java.io.IOException;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the stream is written and synced, or what went wrong, and those who wait for it. Safe for
 * all threads. Its lock is taken last, and never while something foreign runs, which is left to
 * executors; what they reject is offered again by {@link #offerAgain}.
 */
final class SyncProgress {
  private final Executor events;
  private final CommitLogListener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final RetriedCallback stageCall;
  private final RetriedCallback failureCall;
  private final AtomicBoolean failureTold = new AtomicBoolean();
  // Guarded by the lock. A stage stays until it is done.
  private final PriorityQueue<Stage> stages =
      new PriorityQueue<>(Comparator.comparingLong(Stage::position));

  private volatile long written;
  private volatile long handed;
  private volatile long synced;
  private volatile @Nullable CommitLogFailedException failure;

  /** Somebody who does not block. */
  private record Stage(long position, CompletableFuture<Void> future) {}

  SyncProgress(Executor callbacks, Executor events, CommitLogListener listener) {
    this.events = events;
    this.listener = listener;
    this.stageCall = new RetriedCallback(callbacks, this::completeStages);
    this.failureCall = new RetriedCallback(events, this::tellFailure);
  }

  /** Up to where the stream was given to the operating system. */
  long written() {
    return written;
  }

  /** The end of the last whole record that was given to the operating system. */
  long handed() {
    return handed;
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
    written = position;
  }

  /** All before {@code position}, where a record ends, was given to the operating system. */
  void handedTo(long position) {
    handed = position;
  }

  /** All before {@code position}, where a record ends, is durable. */
  void syncedTo(long position) {
    boolean isStageDue;
    lock.lock();
    try {
      if (position <= synced) {
        return;
      }
      synced = position;
      changed.signalAll();
      isStageDue = dueStage() != null;
    } finally {
      lock.unlock();
    }
    if (isStageDue) {
      stageCall.request();
    }
  }

  /** Nothing more will be written or synced. Only the first call says why. */
  void fail(CommitLogFailedException reason) {
    boolean isStageDue;
    lock.lock();
    try {
      if (failure != null) {
        return;
      }
      failure = reason;
      changed.signalAll();
      isStageDue = dueStage() != null;
    } finally {
      lock.unlock();
    }
    if (isStageDue) {
      stageCall.request();
    }
    failureCall.request();
  }

  /** A stage whose answer is known. The lock is held. */
  private @Nullable Stage dueStage() {
    Stage first = stages.peek();
    return first != null && (first.position <= synced || failure != null) ? first : null;
  }

  private void completeStages() {
    for (Stage stage = nextDueStage(); stage != null; stage = nextDueStage()) {
      CommitLogFailedException reason = failure;
      if (stage.position <= synced || reason == null) {
        stage.future.complete(null);
      } else {
        stage.future.completeExceptionally(reason);
      }
      // Not before: there may have been no memory for the answer.
      remove(stage);
    }
  }

  private @Nullable Stage nextDueStage() {
    lock.lock();
    try {
      return dueStage();
    } finally {
      lock.unlock();
    }
  }

  private void remove(Stage stage) {
    lock.lock();
    try {
      stages.remove(stage);
    } finally {
      lock.unlock();
    }
  }

  private void tellFailure() {
    CommitLogFailedException reason = failure;
    if (reason != null && failureTold.compareAndSet(false, true)) {
      listener.failed(reason);
    }
  }

  /** Offers the executors again what they have rejected. */
  void offerAgain() {
    stageCall.offerAgain();
    failureCall.offerAgain();
  }

  /** Whether there is something to be offered again. */
  boolean isRefused() {
    return stageCall.isRefused() || failureCall.isRefused();
  }

  /**
   * Offers for the last time what the executors have rejected, and runs here what they do not take
   * even now. The caller holds no lock of the log, whose thread has ended.
   */
  void end() {
    stageCall.end();
    failureCall.end();
  }

  /** Tells the listener of what comes again, and so may be missed once. */
  private void tell(Runnable foreign) {
    try {
      events.execute(foreign);
    } catch (RejectedExecutionException e) {
      // There is no thread, and this one may hold locks.
    }
  }

  void callListenerOfSpace(long diskBytes) {
    tell(() -> listener.spaceExceeded(diskBytes));
  }

  void callListenerOfArchiving(IOException reason) {
    tell(() -> listener.archivingFailed(reason));
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

  /** A segment was closed, archived or deleted, or that failed. */
  void settled() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until something holds that comes before a call of {@link #settled}. An interrupt is kept
   * for later.
   */
  void await(BooleanSupplier condition) throws CommitLogFailedException {
    lock.lock();
    try {
      while (!condition.getAsBoolean()) {
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
