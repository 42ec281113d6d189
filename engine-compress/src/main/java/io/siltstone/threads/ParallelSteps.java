package io.siltstone.threads;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Parallel execution of one step for each element of a list, such as a file to sync. The calling
 * thread takes part in it, so that it also works if no other thread can be had. Short lists are not
 * worth other threads.
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
    CountDownLatch ended = new CountDownLatch(helpers);
    for (int i = 0; i < helpers; i++) {
      try {
        threads.execute(
            () -> {
              try {
                run.runAll();
              } finally {
                ended.countDown();
              }
            });
      } catch (RejectedExecutionException e) {
        // The other threads do it.
        ended.countDown();
      }
    }
    run.runAll();
    Uninterruptibles.await(ended);
    run.throwFailure();
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
