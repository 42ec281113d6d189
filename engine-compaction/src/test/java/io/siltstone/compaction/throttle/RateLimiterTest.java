package io.siltstone.compaction.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.files.ReadThrottle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rate is kept within 5 % over 100 ms, by a clock that the test advances. */
class RateLimiterTest {
  private static final long MIB = 1 << 20;
  private static final long WINDOW_NANOS = 100_000_000;

  /** Sleeping advances the clock: exactly, or by some microseconds too many. */
  private static final class ManualPace implements WaitingClock {
    private final Random random;
    private final int latestMicros;
    private long now = 1_000_000_000_000L;

    ManualPace(Random random, int latestMicros) {
      this.random = random;
      this.latestMicros = latestMicros;
    }

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void sleep(long nanos) {
      assertThat(nanos).isPositive();
      now += nanos + 1_000L * random.nextInt(latestMicros + 1);
    }
  }

  private record Grant(long nanos, long bytes) {}

  /** The most and least bytes granted in any interval of 100 ms. */
  private static long[] extremes(List<Grant> grants) {
    long most = 0;
    long least = Long.MAX_VALUE;
    long last = grants.get(grants.size() - 1).nanos();
    int end = 0;
    long sum = 0;
    for (int i = 0; i < grants.size(); i++) {
      long from = grants.get(i).nanos();
      while (end < grants.size() && grants.get(end).nanos() < from + WINDOW_NANOS) {
        sum += grants.get(end++).bytes();
      }
      most = Math.max(most, sum);
      sum -= grants.get(i).bytes();
      // The interval with the fewest bytes begins directly after a grant.
      if (from + 1 + WINDOW_NANOS <= last) {
        long open = 0;
        for (int j = i + 1;
            j < grants.size() && grants.get(j).nanos() <= from + WINDOW_NANOS;
            j++) {
          open += grants.get(j).bytes();
        }
        least = Math.min(least, open);
      }
    }
    return new long[] {most, least};
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 16, 64, 125, 250, 1000})
  void noIntervalIsOffByMoreThanFivePercent(long mib) throws IOException {
    long seed = mib;
    Random random = new Random(seed);
    long rate = mib * MIB;
    for (int late : new int[] {0, 300}) {
      ManualPace pace = new ManualPace(random, late);
      RateLimiter limiter = new RateLimiter(pace, rate);
      List<Grant> grants = new ArrayList<>();
      long end = pace.now + 2_000_000_000L;
      while (pace.now < end) {
        int left = 1 + random.nextInt(256 * 1024);
        while (left > 0) {
          int granted = limiter.acquire(left);
          assertThat(granted).isBetween(1, left);
          if (granted < left) {
            assertThat(granted % ReadThrottle.GRANULARITY_BYTES).isZero();
          }
          grants.add(new Grant(pace.now, granted));
          left -= granted;
        }
        // Reading takes time, too.
        pace.now += random.nextInt(20) * 1_000L;
      }
      long[] found = extremes(grants);
      double fair = rate / 10.0;
      assertThat(found[0] / fair).as("most, seed %d, %d late", seed, late).isLessThan(1.05);
      assertThat(found[1] / fair).as("least, seed %d, %d late", seed, late).isGreaterThan(0.95);
    }
  }

  @Test
  void idlenessEarnsNothing() throws IOException {
    ManualPace pace = new ManualPace(new Random(1), 0);
    RateLimiter limiter = new RateLimiter(pace, 64 * MIB);
    List<Grant> grants = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 200; i++) {
        int granted = limiter.acquire(256 * 1024);
        grants.add(new Grant(pace.now, granted));
      }
      pace.now += 10_000_000_000L;
    }
    assertThat(extremes(grants)[0] / (6.4 * MIB)).isLessThan(1.05);
  }

  @Test
  void theRateChangesWithTheNextGrantAndZeroIsNone() throws IOException {
    ManualPace pace = new ManualPace(new Random(1), 0);
    RateLimiter limiter = RateLimiter.ofBytesPerSecond(0);
    assertThat(limiter.acquire(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);

    limiter = new RateLimiter(pace, MIB);
    long begin = pace.now;
    read(limiter, (int) MIB);
    assertThat(pace.now - begin).isBetween(990_000_000L, 1_000_000_000L);
    limiter.setBytesPerSecond(10 * MIB);
    begin = pace.now;
    read(limiter, (int) MIB);
    assertThat(pace.now - begin).isBetween(95_000_000L, 105_000_000L);
    limiter.setBytesPerSecond(0);
    begin = pace.now;
    read(limiter, (int) MIB);
    assertThat(pace.now).isEqualTo(begin);
    limiter.setBytesPerSecond(MIB);
    begin = pace.now;
    read(limiter, (int) MIB);
    assertThat(pace.now - begin).isBetween(990_000_000L, 1_000_000_000L);
    assertThat(limiter.bytesPerSecond()).isEqualTo(MIB);
  }

  private static void read(ReadThrottle throttle, int bytes) throws IOException {
    for (int left = bytes; left > 0; ) {
      left -= throttle.acquire(left);
    }
  }

  @Test
  void ratesThatCannotBeKeptAreRefused() {
    RateLimiter limiter = RateLimiter.ofBytesPerSecond(MIB);
    for (long wrong : new long[] {-1, 1, RateLimiter.MIN_BYTES_PER_SECOND - 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> limiter.setBytesPerSecond(wrong))
          .withMessageContaining("compaction_throughput " + wrong);
    }
    assertThat(limiter.bytesPerSecond()).isEqualTo(MIB);
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquire(0));
  }

  @Test
  void threadsTogetherGetTheRateAndTakeTurns() throws InterruptedException {
    // Guarded by the limiter's turn: only one thread is in the clock.
    AtomicLong now = new AtomicLong();
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch allWait = new CountDownLatch(1);
    WaitingClock pace =
        new WaitingClock() {
          @Override
          public long nanoTime() {
            return now.get();
          }

          @Override
          public void sleep(long nanos) throws InterruptedException {
            allWait.await();
            order.add(Thread.currentThread().getName());
            now.addAndGet(nanos);
          }
        };
    RateLimiter limiter = new RateLimiter(pace, 64 * MIB);
    AtomicLong granted = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int j = 0; j < 50; j++) {
                    granted.addAndGet(limiter.acquire(64 * 1024));
                  }
                } catch (IOException e) {
                  order.add(e.toString());
                }
              },
              "reader-" + i);
      threads.add(thread);
      thread.start();
    }
    allWait.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(granted).hasValue(200 * 64 * 1024);
    // The first grant is immediate, each further one takes 976,562 ns and a rounding.
    assertThat(now.get()).isBetween(199 * 976_562L - 1_000_000, 199 * 976_564L);
    assertThat(order).allMatch(name -> name.startsWith("reader-"));
  }

  @Test
  void whoWaitsCanBeInterruptedAndTheNextOneGoesOn() throws Exception {
    CountDownLatch asleep = new CountDownLatch(1);
    AtomicLong now = new AtomicLong();
    WaitingClock pace =
        new WaitingClock() {
          @Override
          public long nanoTime() {
            return now.get();
          }

          @Override
          public void sleep(long nanos) throws InterruptedException {
            asleep.countDown();
            new CountDownLatch(1).await();
          }
        };
    RateLimiter limiter = new RateLimiter(pace, MIB);
    limiter.acquire(4096);
    AtomicReference<Throwable> first = new AtomicReference<>();
    AtomicReference<Throwable> second = new AtomicReference<>();
    Thread head = waiter(limiter, first);
    asleep.await();
    Thread behind = waiter(limiter, second);
    behind.interrupt();
    behind.join();
    head.interrupt();
    head.join();
    for (AtomicReference<Throwable> seen : List.of(first, second)) {
      assertThat(seen.get())
          .isInstanceOf(InterruptedIOException.class)
          .hasSuppressedException(new IllegalStateException("still interrupted"));
    }
    now.addAndGet(1_000_000_000);
    assertThat(limiter.acquire(4096)).isEqualTo(4096);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> limiter.acquire(4096)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  private static Thread waiter(RateLimiter limiter, AtomicReference<Throwable> seen) {
    Thread thread =
        new Thread(
            () -> {
              try {
                limiter.acquire(4096);
              } catch (IOException e) {
                if (Thread.currentThread().isInterrupted()) {
                  e.addSuppressed(new IllegalStateException("still interrupted"));
                }
                seen.set(e);
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void theGreatestRateGrantsAllAtOnce() throws IOException {
    assertThat(RateLimiter.ofBytesPerSecond(Long.MAX_VALUE).acquire(256 << 10))
        .isEqualTo(256 << 10);
  }
}
