package io.siltstone.bench.experiment;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The reasons why the figures of an experiment are less reliable than they seem.
 *
 * @param rounds how often everything was measured
 * @param load the load average of the minute before it began; negative if it is not known
 * @param cores of the machine
 * @param disturbances a sentence about the measurements that other processes disturbed; empty if
 *     there were none
 */
record Cautions(int rounds, double load, int cores, String disturbances) {
  /** Half a core, which an idle machine stays below. */
  private static final double MOST_LOAD = 0.5;

  /** Returns the load average of the last minute. */
  static double loadNow() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** Returns the sentences; empty if there are none. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    if (rounds == 1) {
      sentences.add(
          "All figures are of one round, so that it is not known how much they differ from one"
              + " measurement to the next; --rounds 3 gives medians and spreads.");
    }
    if (load > MOST_LOAD) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "The machine did other work: its load was %.1f on %d %s when this began.",
              load,
              cores,
              cores == 1 ? "core" : "cores"));
    }
    if (!disturbances.isEmpty()) {
      sentences.add(disturbances);
    }
    return sentences;
  }
}
