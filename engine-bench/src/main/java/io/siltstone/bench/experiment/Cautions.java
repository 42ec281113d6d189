package io.siltstone.bench.experiment;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What makes the figures of an experiment mean less than they seem to.
 *
 * @param rounds how often everything was measured
 * @param load the mean number of threads that ran or wanted to on the machine in the minute before
 *     it began; negative if it is not known
 * @param cores of the machine
 */
record Cautions(int rounds, double load, int cores) {
  /** Half a core: what a machine at rest stays below. */
  private static final double MOST_LOAD = 0.5;

  /** The load of this machine in the minute before now. */
  static double loadNow() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** The sentences, none if there is nothing to say. */
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
    return sentences;
  }
}
