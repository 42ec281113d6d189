package io.siltstone.bench.stress;

import io.siltstone.bench.workload.WorkloadSample;
import java.util.List;
import java.util.OptionalDouble;

/** Computes operations per second of the last minutes. Stateless. */
public final class Rates {
  /** The numbers of minutes for which rates are shown. */
  public static final List<Integer> MINUTES = List.of(1, 5, 15);

  private static final int SECONDS = 60;

  private Rates() {}

  /**
   * Returns the operations per second over the last minutes, to the nearest sample.
   *
   * @param samples of a run, from its beginning
   * @return empty if the run is shorter
   */
  public static OptionalDouble over(int minutes, List<WorkloadSample> samples) {
    if (samples.isEmpty()) {
      return OptionalDouble.empty();
    }
    double from = samples.get(samples.size() - 1).seconds() - minutes * (double) SECONDS;
    if (from < 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(since(from, samples));
  }

  /** Returns the operations per second since the beginning of a run; 0 without samples. */
  public static double overall(List<WorkloadSample> samples) {
    return since(0, samples);
  }

  private static double since(double from, List<WorkloadSample> samples) {
    long operations = 0;
    double seconds = 0;
    for (int i = samples.size() - 1; i >= 0; i--) {
      WorkloadSample sample = samples.get(i);
      if (sample.seconds() - sample.intervalSeconds() / 2 < from) {
        break;
      }
      operations += sample.operations();
      seconds += sample.intervalSeconds();
    }
    return seconds == 0 ? 0 : operations / seconds;
  }
}
