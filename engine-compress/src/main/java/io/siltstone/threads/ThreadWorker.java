package io.siltstone.threads;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** A {@link Worker} with a thread of its own. Safe for use by all threads. */
public final class ThreadWorker implements Worker {
  private final LongSupplier turn;
  private final Thread thread;
  private volatile boolean signalled;
  private volatile boolean stopped;

  private ThreadWorker(ThreadFactory threads, LongSupplier turn) {
    this.turn = turn;
    this.thread = threads.newThread(this::run);
  }

  /**
   * Returns a factory of workers.
   *
   * @param threads creates their threads, which should be daemons
   */
  public static Worker.Factory factory(ThreadFactory threads) {
    return turn -> new ThreadWorker(threads, turn);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void signal() {
    if (!signalled) {
      signalled = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!stopped) {
      // Reset before the turn, so that later signals lead to another one.
      signalled = false;
      long nanos = turn.getAsLong();
      // Waiting for a lock during the turn may have consumed the permit of a signal.
      if (nanos > 0 && !signalled) {
        LockSupport.parkNanos(this, nanos);
      }
      // The thread belongs to the worker: an interrupt has no meaning, and would keep it from
      // parking.
      boolean ignored = Thread.interrupted();
    }
    // A turn may have been requested just before the worker ended.
    long unused = turn.getAsLong();
  }

  @Override
  public void stop() {
    stopped = true;
    signalled = true;
    LockSupport.unpark(thread);
    Uninterruptibles.join(thread);
  }
}
