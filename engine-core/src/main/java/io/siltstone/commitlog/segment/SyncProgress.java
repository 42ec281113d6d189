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
 * The progress of the commit log: the positions up to which it is written and synced, its failure
 * if there is one, and the threads and stages that wait for them. Safe for use by all threads. Its
 * lock is taken last, and not held while foreign code runs: executors run it, and {@link
 * #offerAgain} resubmits what they rejected.
 */
final class SyncProgress {
  private final Executor events;
  private final CommitLogListener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final RetriedCallback stageCall;
  private final RetriedCallback failureCall;
  private final AtomicBoolean failureTold = new AtomicBoolean();
  // Guarded by the lock. A stage stays here until it has completed.
  private final PriorityQueue<Stage> stages =
      new PriorityQueue<>(Comparator.comparingLong(Stage::position));

  private volatile long written;
  private volatile long handed;
  private volatile long synced;
  private volatile @Nullable CommitLogFailedException failure;

  /** A stage that waits for a position. */
  private record Stage(long position, CompletableFuture<Void> future) {}

  SyncProgress(Executor callbacks, Executor events, CommitLogListener listener) {
    this.events = events;
    this.listener = listener;
    this.stageCall = new RetriedCallback(callbacks, this::completeStages);
    this.failureCall = new RetriedCallback(events, this::callListenerOfFailure);
  }

  /** Returns the position up to which the stream was handed to the operating system. */
  long written() {
    return written;
  }

  /** Returns the end of the last whole record that was given to the operating system. */
  long handed() {
    return handed;
  }

  long synced() {
    return synced;
  }

  boolean isFailed() {
    return failure != null;
  }

  /** Throws an exception if the log has failed; its cause is the failure. */
  void requireNotFailed() throws CommitLogFailedException {
    CommitLogFailedException first = failure;
    if (first != null) {
      Throwable cause = first.getCause();
      throw new CommitLogFailedException(first.path(), cause == null ? first : cause);
    }
  }

  /** Notes that all bytes before {@code position} were handed to the operating system. */
  void wroteTo(long position) {
    written = position;
  }

  /**
   * Notes that all records before {@code position}, the end of a record, were handed to the
   * operating system.
   */
  void handedTo(long position) {
    handed = position;
  }

  /** Notes that all records before {@code position}, the end of a record, are durable. */
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

  /**
   * Notes that the log has failed: nothing more will be written or synced. Only the first call sets
   * the cause.
   */
  void fail(CommitLogFailedException reason) {
    boolean isStageDue;
    if (failure == null) {
      listener.failing(reason);
    }
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

  /** Returns a stage that can be completed now. The lock is held. */
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
      // Remove the stage only now: creating its result may have run out of memory.
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

  private void callListenerOfFailure() {
    CommitLogFailedException reason = failure;
    if (reason != null && failureTold.compareAndSet(false, true)) {
      listener.failed(reason);
    }
  }

  /** Resubmits rejected callbacks to the executors. */
  void offerAgain() {
    stageCall.offerAgain();
    failureCall.offerAgain();
  }

  /** Returns whether there is something to be offered again. */
  boolean isRefused() {
    return stageCall.isRefused() || failureCall.isRefused();
  }

  /**
   * Resubmits rejected callbacks for the last time, and runs here those that are rejected again.
   * The caller holds no lock of the log, whose thread has ended.
   */
  void end() {
    stageCall.end();
    failureCall.end();
  }

  /** Reports a repeated event to the listener; it is dropped if the executor rejects it. */
  private void callListener(Runnable foreign) {
    try {
      events.execute(foreign);
    } catch (RejectedExecutionException e) {
      // There is no thread to resubmit it, and this one may hold locks.
    }
  }

  void callListenerOfSpace(long diskBytes) {
    callListener(() -> listener.spaceExceeded(diskBytes));
  }

  void callListenerOfArchiving(IOException reason) {
    callListener(() -> listener.archivingFailed(reason));
  }

  /**
   * Waits until all records before {@code position} are durable. Interrupts do not end the wait;
   * the interrupt status is restored.
   */
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

  /** Wakes waiting threads after a segment was closed, archived or deleted, or this failed. */
  void settled() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a condition that is set before a call of {@link #settled}. Interrupts do not end the
   * wait; the interrupt status is restored.
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

  /** Returns a stage that is done when all before {@code position} is durable. */
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
