package io.siltstone.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class IdlingPoolTest {
  @Test
  void rejectsWhatItHasNoThreadFor() throws Exception {
    AtomicInteger started = new AtomicInteger();
    IdlingPool pool =
        new IdlingPool(
            2,
            10,
            task -> {
              if (started.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return new Thread(task);
            });
    try {
      assertThatThrownBy(() -> pool.execute(() -> {}))
          .isInstanceOf(RejectedExecutionException.class)
          .hasRootCauseMessage("unable to create native thread");
      CountDownLatch ran = new CountDownLatch(1);
      pool.execute(ran::countDown);
      assertThat(ran.await(1, TimeUnit.MINUTES)).as("a thread is there again").isTrue();
    } finally {
      pool.shutdown();
    }
    assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void goesOnWithWhatIsQueuedWhenATaskFailsAndThereIsNoOtherThread() throws Exception {
    AtomicInteger started = new AtomicInteger();
    AtomicReference<Throwable> told = new AtomicReference<>();
    IdlingPool pool =
        new IdlingPool(
            1,
            10,
            task -> {
              if (started.getAndIncrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              Thread thread = new Thread(task);
              thread.setUncaughtExceptionHandler(
                  (which, e) -> {
                    told.set(e);
                    throw new IllegalStateException("the handler fails, too");
                  });
              return thread;
            });
    try {
      CountDownLatch queued = new CountDownLatch(1);
      CountDownLatch ran = new CountDownLatch(1);
      pool.execute(
          () -> {
            try {
              queued.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            throw new OutOfMemoryError("of a task");
          });
      pool.execute(ran::countDown);
      queued.countDown();
      assertThat(ran.await(1, TimeUnit.MINUTES)).as("the queued task ran").isTrue();
      assertThat(told.get()).hasMessage("of a task");
    } finally {
      pool.shutdown();
    }
  }
}
