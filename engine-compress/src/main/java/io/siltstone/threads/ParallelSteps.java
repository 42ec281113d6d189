package io.siltstone.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Parallel execution of one step for each element of a list, such as a file to sync. The calling
 * thread takes part in it, so that it also works if no other thread can be had. Short lists are not
 * worth other threads. A step may itself run steps.
 *
 * <p>Safe for use by all threads.
 */
public final class ParallelSteps {
  private static final int LEAST_ELEMENTS = 8;

  private final Executor threads;
  private final int most;

  /**
   * @param threads run steps beside the calling thread
   * @param most the number of steps that run at the same time, 1 and more
   */
  public ParallelSteps(Executor threads, int most) {
    this.threads = threads;
    this.most = most;
  }

  /** Returns steps that run one after the other in the calling thread. */
  public static ParallelSteps inCaller() {
    return new ParallelSteps(Runnable::run, 1);
  }

  /** A step of one element. */
  @FunctionalInterface
  public interface Step<T> {
    /** Does the step. */
    void run(T element) throws IOException;
  }

  /**
   * Runs a step for each element, and returns when none is running any more. After a failure no
   * further step begins.
   *
   * @throws IOException the first failure, as the step has thrown it, with the others suppressed
   */
  public <T> void forEach(List<T> elements, Step<? super T> step) throws IOException {
    Run<T> run = new Run<>(elements, step);
    int helpers = elements.size() < LEAST_ELEMENTS ? 0 : Math.min(most, elements.size()) - 1;
    List<Helper> begun = new ArrayList<>(helpers);
    for (int i = 0; i < helpers; i++) {
      Helper helper = new Helper(run);
      try {
        threads.execute(helper);
        begun.add(helper);
      } catch (RejectedExecutionException e) {
        // The other threads do it.
        break;
      }
    }
    run.runAll();
    // A helper that has not begun is not waited for: its thread may be waiting for this one.
    begun.forEach(Helper::recallOrAwait);
    run.throwFailure();
  }

  /** The share of a thread of the pool, which is recalled if it has not begun. */
  private static final class Helper implements Runnable {
    private final Run<?> run;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    Helper(Run<?> run) {
      this.run = run;
    }

    @Override
    public void run() {
      if (isTaken.compareAndSet(false, true)) {
        try {
          run.runAll();
        } finally {
          ended.countDown();
        }
      }
    }

    void recallOrAwait() {
      if (!isTaken.compareAndSet(false, true)) {
        Uninterruptibles.await(ended);
      }
    }
  }

  private static final class Run<T> {
    private final List<T> elements;
    private final Step<? super T> step;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Run(List<T> elements, Step<? super T> step) {
      this.elements = elements;
      this.step = step;
    }

    void runAll() {
      for (int i = next.getAndIncrement();
          i < elements.size() && failure.get() == null;
          i = next.getAndIncrement()) {
        try {
          step.run(elements.get(i));
        } catch (Throwable e) {
          failed(e);
        }
      }
    }

    private void failed(Throwable e) {
      if (!failure.compareAndSet(null, e)) {
        Throwable first = failure.get();
        if (first != null && first != e) {
          first.addSuppressed(e);
        }
      }
    }

    void throwFailure() throws IOException {
      Throwable e = failure.get();
      if (e instanceof IOException io) {
        throw io;
      } else if (e instanceof RuntimeException unchecked) {
        throw unchecked;
      } else if (e instanceof Error error) {
        throw error;
      }
    }
  }
}
