package io.siltstone.tools.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets a command end in good order, or at least print a message, when the user interrupts the
 * process. There is one per command; whoever runs the command closes it after the last output. Safe
 * for use by all threads.
 */
public final class InterruptHandler implements AutoCloseable {
  /** A flush should be done within this time. */
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

  /**
   * Registers with this process. Until a reaction is set, an interruption ends the process at once.
   */
  public InterruptHandler() {
    this(Runtime.getRuntime()::addShutdownHook, Runtime.getRuntime()::removeShutdownHook);
  }

  /**
   * @param add registers a thread that runs before an interrupted process ends
   * @param remove unregisters it
   */
  public InterruptHandler(Consumer<Thread> add, Consumer<Thread> remove) {
    this.add = add;
    this.remove = remove;
  }

  /**
   * From now on an interruption ends the process at once. This is for a command that has changed
   * nothing yet and may block in a call that cannot be interrupted. Does not return if the process
   * is already ending.
   *
   * @param farewell prints a message; usually called by another thread
   */
  public void endAtOnce(Runnable farewell) {
    if (!react(farewell, false)) {
      farewell.run();
      awaitClose();
    }
  }

  /**
   * From now on an interruption ends the process when this object is closed. Does not return if the
   * process was interrupted before and is ending.
   *
   * @param stop makes the command end soon; called by another thread, at most once
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

  /** Lets an interrupted process end, because the command is done. */
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
