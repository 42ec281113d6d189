package io.siltstone.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Executors of all kinds, good and bad. Closing one runs what it still has. */
final class TestExecutor implements Executor, AutoCloseable {
  /** What it does with what it is given. */
  enum Kind {
    /** Runs it at once in the thread that gives it. */
    INLINE,
    /** Takes nothing. */
    REJECTING,
    /** Takes one, runs one, refuses some. */
    MOODY,
    /** Takes everything and runs nothing before it is closed. */
    ASLEEP,
    ONE_THREAD,
    TWO_THREADS,
    /** Two threads that run things late and in any order. */
    LATE
  }

  private final Kind kind;
  private final Random random;
  private final List<Thread> threads = new ArrayList<>();
  // Guarded by the monitor.
  private final List<Runnable> waiting = new ArrayList<>();
  private int most;
  private boolean closed;

  TestExecutor(Kind kind, long seed) {
    this.kind = kind;
    this.random = new Random(seed);
    int count =
        switch (kind) {
          case INLINE, REJECTING, ASLEEP -> 0;
          case MOODY, ONE_THREAD -> 1;
          case TWO_THREADS, LATE -> 2;
        };
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(this::work, kind + "-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  @Override
  public void execute(Runnable task) {
    switch (kind) {
      case INLINE -> task.run();
      case REJECTING -> throw new RejectedExecutionException("never");
      default -> put(task);
    }
  }

  private synchronized void put(Runnable task) {
    if (closed || (kind == Kind.MOODY && random.nextInt(3) == 0)) {
      throw new RejectedExecutionException("not now");
    }
    waiting.add(task);
    most = Math.max(most, waiting.size());
    notifyAll();
  }

  /** Most that waited at once. */
  synchronized int mostWaiting() {
    return most;
  }

  private void work() {
    for (Runnable task = take(); task != null; task = take()) {
      task.run();
    }
  }

  private synchronized @Nullable Runnable take() {
    while (true) {
      // Late: only now and then, or when there is more than one to choose from.
      if (!waiting.isEmpty()
          && (closed || kind != Kind.LATE || waiting.size() > 1 || random.nextInt(50) == 0)) {
        return waiting.remove(kind == Kind.LATE ? random.nextInt(waiting.size()) : 0);
      }
      if (closed && waiting.isEmpty()) {
        return null;
      }
      try {
        if (kind == Kind.LATE && !waiting.isEmpty()) {
          wait(1);
        } else {
          wait();
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void close() {
    List<Runnable> left;
    synchronized (this) {
      closed = true;
      left = threads.isEmpty() ? List.copyOf(waiting) : List.of();
      notifyAll();
    }
    left.forEach(Runnable::run);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public String toString() {
    return kind.toString();
  }
}
