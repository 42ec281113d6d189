package io.siltstone.bench.experiment;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.PeerList;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The key-value engines that take part in an experiment, and the JVMs in which they are measured.
 * Confined to one thread.
 */
final class PeerEngines {
  /** The name of this engine, which always takes part. */
  static final String OWN = "Siltstone";

  private final ExperimentRunner experimentRunner;
  private final ChildJvm own;
  private final ChildJvm others;
  private final Map<String, Engine> engines = new LinkedHashMap<>();

  /** An engine that takes part. */
  private record Engine(String name, String version, String setting, List<String> jvmOptions) {}

  private PeerEngines(ExperimentRunner experimentRunner, ChildJvm own, ChildJvm others) {
    this.experimentRunner = experimentRunner;
    this.own = own;
    this.others = others;
  }

  /**
   * Returns those of the requested engines that can run here. For one that cannot, the report gets
   * a note.
   *
   * @param options the settings of all engines, as {@link PeerList} takes them
   * @throws UnknownEngineException if an engine is requested that is not there
   */
  static PeerEngines of(
      ExperimentSetting setting, ExperimentRunner experimentRunner, NamedValues options)
      throws IOException {
    OtherEngines others =
        setting
            .peers()
            .orElseThrow(() -> new IllegalArgumentException("the other engines are missing"));
    ChildJvm jvm =
        new ChildJvm(
            setting.jvm().classPath() + File.pathSeparator + others.classPath(),
            setting.jvm().options());
    PeerEngines engines = new PeerEngines(experimentRunner, setting.jvm(), jvm);
    engines.addAll(jvm.run(PeerList.class.getName(), options, null), others.only());
    return engines;
  }

  private void addAll(NamedValues list, Set<String> only) throws IOException {
    List<String> names = List.of(list.text("names").split("\n", -1));
    for (String name : only) {
      if (!names.contains(name)) {
        throw new UnknownEngineException(name, names);
      }
    }
    for (String name : names) {
      if (!only.isEmpty() && !only.contains(name) && !name.equals(OWN)) {
        continue;
      }
      String unavailable = list.text(name + ".unavailable");
      if (!unavailable.isEmpty()) {
        experimentRunner.note(name + " did not take part: " + unavailable);
        continue;
      }
      String jvmOptions = list.text(name + ".jvm_options");
      engines.put(
          name,
          new Engine(
              name,
              list.text(name + ".version"),
              list.text(name + ".setting"),
              jvmOptions.isEmpty() ? List.of() : List.of(jvmOptions.split(" ", -1))));
    }
  }

  /** Returns the names of the engines, this one first. */
  List<String> names() {
    return List.copyOf(engines.keySet());
  }

  /**
   * Measures an engine in a JVM of its own, with an empty directory that is removed afterwards.
   *
   * @param parameters of the measurement, without name and directory
   */
  NamedValues measure(
      String name,
      Class<? extends Measurement> measurement,
      NamedValues parameters,
      int heapMib,
      int directMib)
      throws IOException {
    List<String> jvmOptions = Objects.requireNonNull(engines.get(name)).jvmOptions();
    Path directory = Files.createDirectory(experimentRunner.directory().resolve("engine"));
    NamedValues result =
        experimentRunner.measure(
            measurement,
            new NamedValues()
                .putAll(parameters)
                .put("peer", name)
                .put("directory", directory.toString()),
            (name.equals(OWN) ? own : others)
                .withMemory(heapMib, directMib)
                .with(jvmOptions.toArray(String[]::new)),
            VolumeLimits.NONE);
    ExperimentRunner.remove(directory);
    return result;
  }

  /** Adds a section with the configuration of each engine to a report. */
  void addConfigurations(Report.Builder report) {
    report.section("Configuration of each engine, and differences");
    for (Engine engine : engines.values()) {
      report.text(engine.name() + " (" + engine.version() + "): " + engine.setting() + ".");
    }
  }
}
