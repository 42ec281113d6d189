package io.siltstone.bench.experiment;

import static io.siltstone.bench.state.StateStorePeer.KAFKA;
import static io.siltstone.bench.state.StateStorePeer.OWN;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.experiment.StateStoreReport.Sizes;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.state.StateMemoryMeasurement;
import io.siltstone.bench.state.StateStoreMeasurement;
import io.siltstone.bench.state.StateStoreMeasurement.Part;
import io.siltstone.bench.state.StateStorePeers;
import io.siltstone.bench.state.StateWorkload;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The comparison of state stores of Kafka Streams: Siltstone's and Kafka's own over RocksDB, in the
 * same process, in turn; and the memory of processes with many stores and with none.
 */
final class StateStoreExperiment implements Experiment {
  private static final int HEAP_MIB = 1_024;
  private static final int SMALL_HEAP_MIB = 192;
  private static final int DIRECT_MIB = 1_024;
  private static final int SMALL_VALUE = 100;
  private static final int LARGE_VALUE = 1_000;

  /**
   * The figures that one process measures in a round.
   *
   * @param part of the comparison in one process; of a process for memory, STORES
   * @param valueBytes length of each value
   * @param peer engine of a process whose memory is measured; empty if both are compared
   */
  record Variant(Part part, int valueBytes, String peer) {
    static final Variant SMALL = new Variant(Part.ENTRIES, SMALL_VALUE, "");
    static final Variant LARGE = new Variant(Part.ENTRIES, LARGE_VALUE, "");
    static final Variant RESTORE = new Variant(Part.RESTORE, SMALL_VALUE, "");
    static final Variant STORES = new Variant(Part.STORES, SMALL_VALUE, "");
    static final Variant WITHOUT =
        new Variant(Part.STORES, LARGE_VALUE, StateMemoryMeasurement.NONE);
    static final List<Variant> ALL =
        List.of(SMALL, LARGE, RESTORE, STORES, WITHOUT, memoryOf(OWN), memoryOf(KAFKA));

    /** Returns the process with the stores of one engine. */
    static Variant memoryOf(String engine) {
      return new Variant(Part.STORES, LARGE_VALUE, engine);
    }

    boolean isMemory() {
      return !peer.isEmpty();
    }

    String label() {
      if (isMemory()) {
        return "memory, " + peer;
      }
      return switch (part) {
        case ENTRIES -> "values of " + FigureFormat.count(valueBytes) + " bytes";
        case RESTORE -> "restore";
        case STORES -> "many stores";
      };
    }
  }

  @Override
  public String name() {
    return "state-store";
  }

  @Override
  public String description() {
    return "State stores of Kafka Streams, Siltstone's and Kafka's over RocksDB, in turn in one"
        + " process: reads, writes, restore, opening, memory of 60 stores.";
  }

  @Override
  public List<String> peerDirectories() {
    return List.of(OtherEngines.CLASSES, OtherEngines.LIBRARIES);
  }

  @Override
  public Report run(ExperimentSetting setting) throws IOException {
    OtherEngines others =
        setting
            .peers()
            .orElseThrow(() -> new IllegalArgumentException("Kafka's libraries are missing"));
    for (String name : others.only()) {
      if (!name.equals(KAFKA)) {
        throw new UnknownEngineException(name, List.of(KAFKA));
      }
    }
    ChildJvm jvm =
        new ChildJvm(
            setting.jvm().classPath() + File.pathSeparator + others.classPath(),
            setting.jvm().options());
    try (ExperimentRunner experimentRunner = ExperimentRunner.open(setting)) {
      Sizes sizes =
          new Sizes(
              experimentRunner.of(300L, 200_000L, 200_000L),
              experimentRunner.of(500L, 300_000L, 1_000_000L),
              experimentRunner.of(4, 60, 60),
              experimentRunner.of(20L, 5_000L, 5_000L),
              experimentRunner.of(0.005, 1.0, 4.0));
      NamedValues engines = jvm.run(StateStorePeers.class.getName(), new NamedValues(), null);
      Samples<Variant> samples =
          experimentRunner.inRounds(
              experimentRunner.rounds(1, 3, 5),
              Variant.ALL,
              Variant::label,
              variant -> measure(experimentRunner, jvm, variant, sizes),
              StateStoreExperiment::summary);
      return new StateStoreReport(samples, sizes, engines)
          .write(setting.machine(), experimentRunner.notes(), experimentRunner.cautions());
    }
  }

  private static NamedValues measure(
      ExperimentRunner experimentRunner, ChildJvm jvm, Variant variant, Sizes sizes)
      throws IOException {
    Path directory = Files.createDirectory(experimentRunner.directory().resolve("state"));
    NamedValues parameters =
        new NamedValues()
            .put("directory", directory.toString())
            .put("value_bytes", variant.valueBytes())
            .put("stores", sizes.stores());
    NamedValues result;
    if (variant.isMemory()) {
      result =
          experimentRunner.measure(
              StateMemoryMeasurement.class,
              parameters.put("peer", variant.peer()).put("entries", sizes.entriesPerStore()),
              // The heap is resident from the beginning, so that its growth is not that of stores.
              jvm.withMemory(SMALL_HEAP_MIB, DIRECT_MIB)
                  .with("-Xms" + SMALL_HEAP_MIB + "m", "-XX:+AlwaysPreTouch"),
              VolumeLimits.NONE);
    } else {
      result =
          experimentRunner.measure(
              StateStoreMeasurement.class,
              parameters
                  .put("part", variant.part().name())
                  .put("turns", experimentRunner.of(1, 2, 2))
                  .put(
                      "entries",
                      variant.part() == Part.RESTORE ? sizes.restored() : sizes.entries())
                  .put("seconds", sizes.seconds())
                  .put("openings", experimentRunner.of(1, 9, 19)),
              jvm.withMemory(HEAP_MIB, DIRECT_MIB),
              VolumeLimits.NONE);
    }
    ExperimentRunner.remove(directory);
    return result;
  }

  /** Returns what a process has measured, for the user. */
  private static String summary(NamedValues result) {
    if (result.has("resident_mb")) {
      return FigureFormat.number(result.number("resident_mb")) + " MB resident";
    }
    if (result.has(OWN + ".create_ms")) {
      return FigureFormat.number(result.number(OWN + ".create_ms"))
          + " ms to create a store, RocksDB "
          + FigureFormat.number(result.number(KAFKA + ".create_ms"));
    }
    StateWorkload workload =
        result.has(StateWorkload.RESTORE.perSecond(OWN))
            ? StateWorkload.RESTORE
            : StateWorkload.GET;
    return workload.label()
        + ", "
        + FigureFormat.number(result.number(workload.perProcessorSecond(OWN)))
        + " per second of processor time, RocksDB "
        + FigureFormat.number(result.number(workload.perProcessorSecond(KAFKA)));
  }
}
