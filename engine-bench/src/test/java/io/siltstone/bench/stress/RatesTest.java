package io.siltstone.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bench.workload.Gauges;
import io.siltstone.bench.workload.Latency;
import io.siltstone.bench.workload.WorkloadSample;
import io.siltstone.statistics.CacheStatistics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatesTest {
  private final List<WorkloadSample> samples = new ArrayList<>();

  /** Adds samples for a number of seconds with a constant rate, one every three seconds. */
  private void run(int seconds, int perSecond) {
    double now = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).seconds();
    for (int i = 0; i < seconds / 3; i++) {
      now += 3;
      samples.add(
          new WorkloadSample(
              now,
              3,
              new Latency(2L * perSecond, 1, 1, 1, 1, 1),
              new Latency(perSecond, 1, 1, 1, 1, 1),
              0,
              0,
              new Gauges(0, 0, 0, 0, 0, 0, 0, 0, new CacheStatistics(0, 0, 0, 0, 0, 0))));
    }
  }

  @Test
  void rateOfALongerTimeThanTheRunIsNotTold() {
    assertThat(Rates.over(1, samples)).isEmpty();
    run(57, 100);
    assertThat(Rates.over(1, samples)).isEmpty();
    run(3, 100);
    assertThat(Rates.over(1, samples)).hasValue(100);
    assertThat(Rates.over(5, samples)).isEmpty();
  }

  @Test
  void overallRateIsThatSinceTheBeginning() {
    assertThat(Rates.overall(samples)).isZero();
    run(30, 100);
    run(60, 700);
    assertThat(Rates.overall(samples)).isEqualTo((30 * 100 + 60 * 700) / 90.0);
  }

  @Test
  void rateIsThatOfTheLastMinutes() {
    run(300, 100);
    run(60, 700);
    assertThat(Rates.over(1, samples)).hasValue(700);
    assertThat(Rates.over(5, samples)).hasValue((240 * 100 + 60 * 700) / 300.0);
  }
}
