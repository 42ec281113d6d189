package io.siltstone.tools.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets a command say what has become of it when the user interrupts the process, instead of nothing
 * at all: of one command, and closed by whoever runs that when all is said. Safe for all threads.
 */
public final class Interruption implements AutoCloseable {
  /** By then a flush should be done. */
  private static final long MOST_SECONDS = 120;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Consumer<Thread> add;
  private final Consumer<Thread> remove;
  private final Thread hook = new Thread(this::interrupted, "interruption");

  // Guarded by this.
  private Runnable reaction = () -> {};
  private boolean isAdded;
  private boolean isAwaited;
  private boolean isInterrupted;

  /** Of this process. Until it is told what to do, an interruption ends that at once. */
  public Interruption() {
    this(Runtime.getRuntime()::addShutdownHook, Runtime.getRuntime()::removeShutdownHook);
  }

  /**
   * @param add has a thread run, before the process ends, when that is interrupted
   * @param remove forgets it
   */
  public Interruption(Consumer<Thread> add, Consumer<Thread> remove) {
    this.add = add;
    this.remove = remove;
  }

  /**
   * An interruption ends the process at once, from now on: for a command that has changed nothing
   * yet, and may be where it cannot be woken. Does not return if the process is ending already.
   *
   * @param farewell what is said of it, as a rule by another thread
   */
  public void endAtOnce(Runnable farewell) {
    if (!react(farewell, false)) {
      farewell.run();
      awaitClose();
    }
  }

  /**
   * An interruption ends the process when this is closed, from now on. Does not return if the
   * process has been interrupted before, and ends.
   *
   * @param stop has the command end soon; called by another thread, at most once
   */
  public void endInOrder(Runnable stop) {
    if (!react(stop, true)) {
      awaitClose();
    }
  }

  private boolean react(Runnable next, boolean isToBeAwaited) {
    synchronized (this) {
      if (isInterrupted) {
        return false;
      }
      reaction = next;
      isAwaited = isToBeAwaited;
      if (isAdded) {
        return true;
      }
      isAdded = true;
    }
    try {
      add.accept(hook);
      return true;
    } catch (IllegalStateException e) {
      // The process is ending already.
      synchronized (this) {
        isAdded = false;
      }
      return false;
    }
  }

  private void interrupted() {
    boolean waits = true;
    try {
      synchronized (this) {
        isInterrupted = true;
        waits = isAwaited;
        reaction.run();
      }
    } finally {
      if (waits) {
        awaitClose();
      }
    }
  }

  private void awaitClose() {
    try {
      closed.await(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** All is done and said: the process may end. */
  @Override
  public void close() {
    closed.countDown();
    synchronized (this) {
      if (!isAdded) {
        return;
      }
      isAdded = false;
    }
    try {
      remove.accept(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook is running.
    }
  }
}
