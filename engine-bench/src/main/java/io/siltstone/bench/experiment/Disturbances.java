package io.siltstone.bench.experiment;

import io.siltstone.bench.volume.Kernel;
import java.io.IOException;
import java.util.Locale;

/**
 * The measurements of an experiment that other processes disturbed: how many there were, and which
 * one most. Confined to one thread.
 */
final class Disturbances {
  /** Processors that the kernel's own work for a measurement may take, such as writing back. */
  private static final double MOST_OTHERS = 0.2;

  private final Kernel kernel;
  private int measurements;
  private int disturbed;
  private double most;
  private String label = "";

  Disturbances(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Runs a measurement.
   *
   * @param name of the measurement, for the report
   */
  <R> R watch(String name, Action<R> measurement) throws IOException {
    if (!ProcessorTime.isKnown(kernel)) {
      return measurement.run();
    }
    ProcessorTime before = ProcessorTime.now(kernel);
    R result = measurement.run();
    add(name, ProcessorTime.now(kernel).othersSince(before));
    return result;
  }

  /** A measurement. */
  @FunctionalInterface
  interface Action<R> {
    R run() throws IOException;
  }

  /**
   * Adds a measurement.
   *
   * @param processors how many processors other processes used meanwhile
   */
  void add(String name, double processors) {
    measurements++;
    if (processors > MOST_OTHERS) {
      disturbed++;
      if (processors > most) {
        most = processors;
        label = name;
      }
    }
  }

  /** Returns a sentence about the disturbed measurements; empty if there are none. */
  String sentence() {
    if (disturbed == 0) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "Other processes disturbed %d of %d measurements: they used more than %.1f processors, and"
            + " %.1f in %s.",
        disturbed,
        measurements,
        MOST_OTHERS,
        most,
        label);
  }
}
