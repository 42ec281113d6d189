package io.siltstone.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FairPoolTest {
  private static FairPool pool(int threads) {
    return new FairPool(threads, 1, FairPool.factory("fair"));
  }

  @Test
  void laneWithOneTaskDoesNotWaitForAllOfAnother() {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch begin = new CountDownLatch(1);
    try (FairPool pool = pool(1)) {
      ExecutorService many = pool.lane("many", 1);
      ExecutorService one = pool.lane("one", 1);
      many.execute(() -> Uninterruptibles.await(begin));
      for (int i = 0; i < 5; i++) {
        many.execute(() -> order.add("many"));
      }
      one.execute(() -> order.add("one"));
      begin.countDown();
      Pools.end(many);
      Pools.end(one);
    }
    assertThat(order).hasSize(6);
    assertThat(order.indexOf("one")).isLessThanOrEqualTo(1);
  }

  @Test
  void laneWithFewestRunningTasksIsNext() {
    CountDownLatch busy = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    try (FairPool pool = pool(2)) {
      ExecutorService many = pool.lane("many", 2);
      ExecutorService one = pool.lane("one", 2);
      many.execute(
          () -> {
            busy.countDown();
            Uninterruptibles.await(release);
          });
      many.execute(
          () -> {
            busy.countDown();
            Uninterruptibles.await(second);
          });
      Uninterruptibles.await(busy);
      many.execute(() -> order.add("many"));
      one.execute(() -> order.add("one"));
      // One of the lane's tasks still runs, so that the other lane precedes it.
      release.countDown();
      Pools.end(one);
      second.countDown();
      Pools.end(many);
    }
    assertThat(order).containsExactly("one", "many");
  }

  @Test
  void laneRunsNoMoreTasksThanItMayAndAllInTheEnd() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    try (FairPool pool = pool(4)) {
      ExecutorService lane = pool.lane("lane", 2);
      for (int i = 0; i < 1000; i++) {
        lane.execute(
            () -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              Thread.onSpinWait();
              running.decrementAndGet();
              done.incrementAndGet();
            });
      }
      Pools.end(lane);
      assertThat(lane.isTerminated()).isTrue();
      assertThatThrownBy(() -> lane.execute(done::incrementAndGet))
          .isInstanceOf(RejectedExecutionException.class);
    }
    assertThat(done).hasValue(1000);
    assertThat(most.get()).isBetween(1, 2);
  }

  @Test
  void failedTaskDoesNotEndTheLane() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    try (FairPool pool = pool(1)) {
      ExecutorService lane = pool.lane("lane", 1);
      lane.execute(
          () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {});
            throw new IllegalStateException("for the test");
          });
      lane.execute(done::countDown);
      assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
      Pools.end(lane);
    }
  }

  @Test
  void handlerOfFailuresThatFailsDoesNotEndTheLanes() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    try (FairPool pool = pool(1)) {
      ExecutorService lane = pool.lane("lane", 1);
      ExecutorService other = pool.lane("other", 1);
      lane.execute(
          () -> {
            Uninterruptibles.await(release);
            Thread.currentThread()
                .setUncaughtExceptionHandler(
                    (thread, e) -> {
                      throw new IllegalStateException("the handler fails, too");
                    });
            throw new IllegalStateException("for the test");
          });
      lane.execute(done::countDown);
      other.execute(done::countDown);
      release.countDown();
      assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
      Pools.end(lane);
      Pools.end(other);
    }
  }

  @Test
  void interruptOfOneTaskIsNotSeenByTheNext() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    List<Boolean> interrupted = Collections.synchronizedList(new ArrayList<>());
    try (FairPool pool = pool(1)) {
      ExecutorService lane = pool.lane("lane", 1);
      ExecutorService other = pool.lane("other", 1);
      lane.execute(
          () -> {
            Uninterruptibles.await(release);
            Thread.currentThread().interrupt();
          });
      other.execute(
          () -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            done.countDown();
          });
      release.countDown();
      assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
      Pools.end(lane);
      Pools.end(other);
    }
    assertThat(interrupted).containsExactly(false);
  }

  @Test
  void userOfTheRunningLaneIsKnown() {
    List<Object> users = Collections.synchronizedList(new ArrayList<>());
    try (FairPool pool = pool(1)) {
      ExecutorService lane = pool.lane("me", 1);
      lane.execute(() -> users.add(String.valueOf(FairPool.currentUser())));
      Pools.end(lane);
    }
    assertThat(users).containsExactly("me");
    assertThat(FairPool.currentUser()).isNull();
  }

  @Test
  void taskIsRejectedIfNoThreadCanBeHad() {
    try (FairPool pool =
        new FairPool(
            1,
            1,
            task -> {
              throw new OutOfMemoryError("no thread");
            })) {
      ExecutorService lane = pool.lane("lane", 1);
      assertThatThrownBy(() -> lane.execute(() -> {}))
          .isInstanceOf(RejectedExecutionException.class);
      Pools.end(lane);
    }
  }

  @Test
  void taskIsLeftToARunningThreadOfTheLaneIfNoOtherCanBeHad() {
    ThreadFactory daemons = FairPool.factory("fair");
    AtomicInteger threads = new AtomicInteger();
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    try (FairPool pool =
        new FairPool(
            2,
            1,
            task -> {
              if (threads.incrementAndGet() > 1) {
                throw new OutOfMemoryError("no second thread");
              }
              return daemons.newThread(task);
            })) {
      CountDownLatch running = new CountDownLatch(1);
      ExecutorService lane = pool.lane("lane", 2);
      ExecutorService other = pool.lane("other", 1);
      lane.execute(
          () -> {
            running.countDown();
            Uninterruptibles.await(release);
          });
      Uninterruptibles.await(running);
      lane.execute(done::incrementAndGet);
      assertThatThrownBy(() -> other.execute(done::incrementAndGet))
          .isInstanceOf(RejectedExecutionException.class);
      release.countDown();
      Pools.end(lane);
      Pools.end(other);
    }
    assertThat(done).hasValue(1);
  }

  @Test
  void threadIsStartedOnlyIfNoneIsIdle() throws InterruptedException {
    ThreadFactory daemons = FairPool.factory("fair");
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    try (FairPool pool =
        new FairPool(
            8,
            60,
            task -> {
              Thread thread = daemons.newThread(task);
              threads.add(thread);
              return thread;
            })) {
      ExecutorService lane = pool.lane("lane", 8);
      for (int i = 0; i < 50; i++) {
        CountDownLatch done = new CountDownLatch(1);
        lane.execute(done::countDown);
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        // The thread is idle once it waits for the next turn.
        while (threads.stream().anyMatch(thread -> thread.getState() == Thread.State.RUNNABLE)) {
          Thread.onSpinWait();
        }
      }
      Pools.end(lane);
    }
    assertThat(threads).hasSize(1);
  }

  @Test
  void workerTakesTurnsWhenSignalledAndWhenDue() throws InterruptedException {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, FairPool.factory("timer"));
    AtomicInteger turns = new AtomicInteger();
    CountDownLatch three = new CountDownLatch(3);
    try (FairPool pool = pool(2)) {
      Worker worker =
          new PooledWorker(
              pool.lane("worker", 1),
              timer,
              () -> {
                three.countDown();
                // The second turn is due by time.
                return turns.incrementAndGet() == 1 ? 1 : Long.MAX_VALUE;
              });
      worker.start();
      while (turns.get() < 2) {
        Thread.onSpinWait();
      }
      worker.signal();
      assertThat(three.await(1, TimeUnit.MINUTES)).isTrue();
      int before = turns.get();
      worker.stop();
      assertThat(turns.get()).isGreaterThan(before);
      int last = turns.get();
      worker.signal();
      assertThat(turns).hasValue(last);
    } finally {
      timer.shutdownNow();
    }
  }
}
