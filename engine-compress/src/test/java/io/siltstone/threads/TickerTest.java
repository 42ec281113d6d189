package io.siltstone.threads;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes again and again comes until it is closed. */
@Timeout(20)
class TickerTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @Test
  void whatFailsIsToldAndTriedAgain() throws InterruptedException {
    Error full = new OutOfMemoryError("no memory for the task");
    CountDownLatch times = new CountDownLatch(3);
    Runnable task =
        () -> {
          times.countDown();
          throw full;
        };
    Ticker ticker = Ticker.start(Thread::new, 1, task, failures::add);
    times.await();
    ticker.close();
    assertThat(failures).hasSizeGreaterThanOrEqualTo(3).containsOnly(full);
  }

  @Test
  void goesOnIfNotEvenTheFailureCanBeTold() throws InterruptedException {
    CountDownLatch times = new CountDownLatch(3);
    Runnable task =
        () -> {
          times.countDown();
          throw new OutOfMemoryError("no memory for the task");
        };
    Ticker ticker =
        Ticker.start(
            Thread::new,
            1,
            task,
            failure -> {
              throw new OutOfMemoryError("no memory to tell of it");
            });
    times.await();
    ticker.close();
  }

  @Test
  void waitingAllocatesNothing() throws InterruptedException {
    int warmUp = 1000;
    int measured = 1000;
    AtomicInteger ticks = new AtomicInteger();
    AtomicLong before = new AtomicLong();
    AtomicLong after = new AtomicLong();
    CountDownLatch done = new CountDownLatch(1);
    Runnable task =
        () -> {
          int tick = ticks.incrementAndGet();
          if (tick == warmUp) {
            before.set(THREADS.getCurrentThreadAllocatedBytes());
          } else if (tick == warmUp + measured) {
            after.set(THREADS.getCurrentThreadAllocatedBytes());
            done.countDown();
          }
        };
    Ticker ticker = Ticker.start(Thread::new, 1000, task, failures::add);
    done.await();
    ticker.close();
    // What the measuring itself allocates, not what each of the ticks does.
    assertThat(after.get() - before.get()).isLessThan(measured);
    assertThat(failures).isEmpty();
  }

  @Test
  void isQuietOnceItIsClosedAlsoBeforeTheFirstTime() {
    Ticker ticker = Ticker.start(Thread::new, Long.MAX_VALUE, () -> {}, failures::add);
    Thread.currentThread().interrupt();
    ticker.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(List.copyOf(failures)).isEmpty();
  }

  @Test
  void itsTaskMayEndIt() throws InterruptedException {
    AtomicReference<Ticker> ticker = new AtomicReference<>();
    AtomicReference<Thread> thread = new AtomicReference<>();
    AtomicInteger times = new AtomicInteger();
    Runnable task =
        () -> {
          Ticker own = ticker.get();
          if (own != null) {
            times.incrementAndGet();
            own.end();
          }
        };
    ticker.set(
        Ticker.start(
            run -> {
              thread.set(new Thread(run));
              return thread.get();
            },
            1,
            task,
            failures::add));
    Objects.requireNonNull(thread.get()).join();
    assertThat(times).hasValue(1);
    assertThat(failures).isEmpty();
  }
}
