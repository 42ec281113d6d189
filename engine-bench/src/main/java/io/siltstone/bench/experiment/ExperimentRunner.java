package io.siltstone.bench.experiment;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.volume.LimitedVolume;
import io.siltstone.bench.volume.VolumeLimits;
import io.siltstone.bench.workload.TemporaryDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Runs the measurements of one experiment, each in its own JVM, and collects notes for the report.
 * Its working directory is removed when it is closed, or when the JVM ends before. Confined to one
 * thread.
 */
final class ExperimentRunner implements Closeable {
  private static final int SECONDS_BETWEEN_REPORTS = 10;
  private static final int REMOVALS = 50;
  private static final int REMOVAL_MILLIS = 100;

  private final ExperimentSetting setting;
  private final Path directory;
  private final Set<String> notes = new LinkedHashSet<>();
  private final double load = Cautions.loadNow();
  private final Disturbances disturbances;
  private int rounds;
  private final Thread atExit = new Thread(this::removeAtExit, "experiment-clean-up");

  private ExperimentRunner(ExperimentSetting setting, Path directory) {
    this.setting = setting;
    this.directory = directory;
    disturbances = new Disturbances(setting.kernel());
  }

  static ExperimentRunner open(ExperimentSetting setting) throws IOException {
    ExperimentRunner experimentRunner =
        new ExperimentRunner(
            setting, Files.createTempDirectory(setting.directory(), "siltstone-bench"));
    Runtime.getRuntime().addShutdownHook(experimentRunner.atExit);
    return experimentRunner;
  }

  /** Returns a directory for this experiment, empty at first. */
  Path directory() {
    return directory;
  }

  /** Returns the one of three values that is for the scale. */
  <T> T of(T tiny, T small, T full) {
    return setting.scale().of(tiny, small, full);
  }

  /** Returns how often everything is measured: as requested, else the value for the scale. */
  int rounds(int tiny, int small, int full) {
    return setting.rounds().orElse(of(tiny, small, full));
  }

  /** Prints a line of progress. */
  void progress(String line) {
    setting.progress().accept(line);
  }

  /** A measurement of a variant. */
  @FunctionalInterface
  interface Trial<V> {
    NamedValues run(V variant) throws IOException;
  }

  /**
   * Measures the variants in turn, round after round. A failure after the first round ends the
   * rounds; the complete ones are kept, and the report says so.
   *
   * @param label of a variant, for the user
   * @param summary of a result, for the user
   * @throws IOException if the first round fails; its message names the variant
   */
  <V> Samples<V> inRounds(
      int rounds,
      List<V> variants,
      Function<V, String> label,
      Trial<V> trial,
      Function<NamedValues, String> summary)
      throws IOException {
    this.rounds = rounds;
    Samples<V> samples = new Samples<>();
    for (int round = 1; round <= rounds; round++) {
      String name = "round " + round + " of " + rounds;
      Map<V, NamedValues> results = new LinkedHashMap<>();
      for (V variant : variants) {
        String trialName = name + ", " + label.apply(variant);
        String measured = trialName + ": ";
        try {
          results.put(variant, disturbances.watch(trialName, () -> trial.run(variant)));
        } catch (IOException e) {
          if (round == 1) {
            throw new IOException(measured + e.getMessage(), e);
          }
          progress(measured + e.getMessage());
          note(
              "a measurement failed, and only the rounds before are used ("
                  + measured
                  + e.getMessage()
                  + ")");
          return samples;
        }
        progress(measured + summary.apply(results.get(variant)));
      }
      results.forEach(samples::add);
    }
    return samples;
  }

  /** Adds a sentence to the report's notes on the measurement, once. */
  void note(String sentence) {
    notes.add(sentence);
  }

  List<String> notes() {
    return new ArrayList<>(notes);
  }

  /** Returns sentences that say why the figures are less reliable than they seem. */
  List<String> cautions() {
    return new Cautions(
            rounds, load, Runtime.getRuntime().availableProcessors(), disturbances.sentence())
        .sentences();
  }

  /** Runs an action that may take minutes, and prints that it still runs. */
  private NamedValues withProgress(String what, Trial<String> action) throws IOException {
    long start = System.nanoTime();
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "experiment-progress");
              thread.setDaemon(true);
              return thread;
            });
    try {
      var unused =
          timer.scheduleAtFixedRate(
              () ->
                  progress(
                      "  still "
                          + what
                          + ", for "
                          + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)
                          + " s"),
              SECONDS_BETWEEN_REPORTS,
              SECONDS_BETWEEN_REPORTS,
              TimeUnit.SECONDS);
      return action.run(what);
    } finally {
      timer.shutdownNow();
    }
  }

  /** Returns a JVM with the given heap and direct memory. */
  ChildJvm jvm(int heapMib, int directMib) {
    return setting.jvm().withMemory(heapMib, directMib);
  }

  /**
   * Runs a measurement on a volume with limits. The measurement must enforce limits that the kernel
   * does not; see {@link MeasuredDisk}.
   */
  NamedValues measure(
      Class<? extends Measurement> measurement,
      NamedValues parameters,
      ChildJvm jvm,
      VolumeLimits limits)
      throws IOException {
    try (LimitedVolume volume = LimitedVolume.open(directory, limits, setting.kernel())) {
      notes.addAll(volume.notes());
      MeasuredDisk.put(parameters, setting.kernel(), volume.left());
      NamedValues result =
          withProgress("measuring", unused -> jvm.run(measurement.getName(), parameters, volume));
      if (result.has(MeasuredDisk.NOTES)) {
        notes.addAll(List.of(result.text(MeasuredDisk.NOTES).split("\n", -1)));
      }
      return result;
    }
  }

  /** Runs a preparation on the disk without limits. */
  NamedValues prepare(Class<? extends Measurement> preparation, NamedValues parameters)
      throws IOException {
    return withProgress(
        "loading", unused -> jvm(512, 1024).run(preparation.getName(), parameters, null));
  }

  /** Removes a directory with all its content, if it exists. */
  static void remove(Path path) throws IOException {
    new TemporaryDirectory(path).close();
  }

  /**
   * Removes the directory at the end of the JVM. A child that is being ended may still write for a
   * moment.
   */
  private void removeAtExit() {
    for (int attempt = 0; attempt < REMOVALS && Files.exists(directory); attempt++) {
      try {
        remove(directory);
      } catch (IOException e) {
        try {
          Thread.sleep(REMOVAL_MILLIS);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    remove(directory);
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is ending, so the hook has nothing to do.
    }
  }
}
