package io.siltstone.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class OperationScheduleTest {
  private static final long SECOND = 1_000_000_000;
  private final AtomicLong now = new AtomicLong(5 * SECOND);

  @Test
  void operationsAreDueEvenlyWhateverTheyTake() {
    OperationSchedule schedule = new OperationSchedule(now::get, 10, 100, 60 * SECOND);
    now.addAndGet(SECOND);
    for (int i = 0; i <= 10; i++) {
      assertThat(schedule.next()).isEqualTo(5 * SECOND + i * SECOND / 10);
    }
  }

  @Test
  void latencyCountsTheWaitingBehindASlowOperation() {
    OperationSchedule schedule = new OperationSchedule(now::get, 100, 100, 60 * SECOND);
    Histogram latencies = new Histogram(3);
    // Time advances only by operations: the first takes a second, the others nothing.
    long due = schedule.next();
    now.addAndGet(SECOND);
    latencies.recordValue(now.get() - due);
    for (int i = 1; i < 100; i++) {
      due = schedule.next();
      latencies.recordValue(now.get() - due);
    }
    // 99 of 100 operations took no time themselves, but they had waited for 10 ms to 990 ms.
    assertThat(latencies.getValueAtPercentile(50)).isBetween(SECOND * 49 / 100, SECOND * 52 / 100);
    assertThat(latencies.getMinValue()).isBetween(SECOND / 101, SECOND / 99);
  }

  @Test
  void whatIsStillWaitingAtTheEndIsKnown() {
    OperationSchedule schedule = new OperationSchedule(now::get, 10, 1_000, 10 * SECOND);
    for (int i = 0; i < 3; i++) {
      schedule.next();
      now.addAndGet(SECOND / 10);
    }
    // The third operation takes longer than the whole schedule.
    now.addAndGet(30 * SECOND);
    assertThat(schedule.next()).isEqualTo(OperationSchedule.END);
    schedule.stop();
    assertThat(schedule.missed()).isEqualTo(97);
    assertThat(schedule.waited(0)).isEqualTo(97 * SECOND / 10);
    assertThat(schedule.waited(96)).isEqualTo(SECOND / 10);
  }

  @Test
  void whatIsStoppedHasMissedOnlyWhatWasDueBefore() {
    OperationSchedule schedule = new OperationSchedule(now::get, 10, 15, 10 * SECOND);
    now.set(schedule.next() + SECOND);
    schedule.stop();
    now.addAndGet(SECOND);
    schedule.stop();
    assertThat(schedule.next()).isEqualTo(OperationSchedule.END);
    assertThat(schedule.missed()).isEqualTo(9);
    assertThat(schedule.waited(0)).isEqualTo(9 * SECOND / 10);

    OperationSchedule few = new OperationSchedule(now::get, 10, 15, 10 * SECOND);
    now.addAndGet(30 * SECOND);
    assertThat(few.next()).isEqualTo(OperationSchedule.END);
    assertThat(few.missed()).isEqualTo(15);

    OperationSchedule unlimited = new OperationSchedule(now::get, 0, 15, SECOND);
    now.addAndGet(30 * SECOND);
    assertThat(unlimited.missed()).isZero();
  }

  @Test
  void withoutARateOperationsAreDueWhenAskedFor() {
    OperationSchedule schedule = new OperationSchedule(now::get, 0, 100, 60 * SECOND);
    assertThat(schedule.next()).isEqualTo(now.get());
    now.addAndGet(SECOND);
    assertThat(schedule.next()).isEqualTo(now.get());
  }

  @Test
  void endsAfterItsOperationsItsTimeOrWhenStopped() {
    OperationSchedule few = new OperationSchedule(now::get, 0, 2, 60 * SECOND);
    few.next();
    few.next();
    assertThat(few.next()).isEqualTo(OperationSchedule.END);

    OperationSchedule brief = new OperationSchedule(now::get, 0, 100, SECOND);
    brief.next();
    now.addAndGet(SECOND);
    assertThat(brief.next()).isEqualTo(OperationSchedule.END);

    // The second operation is due after the end, so nothing waits for it.
    OperationSchedule slow = new OperationSchedule(now::get, 0.5, 100, SECOND);
    slow.next();
    assertThat(slow.next()).isEqualTo(OperationSchedule.END);

    OperationSchedule stopped = new OperationSchedule(now::get, 1, 100, 60 * SECOND);
    stopped.next();
    stopped.stop();
    assertThat(stopped.next()).isEqualTo(OperationSchedule.END);
  }
}
