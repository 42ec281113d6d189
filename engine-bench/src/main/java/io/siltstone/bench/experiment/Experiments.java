package io.siltstone.bench.experiment;

import java.util.List;
import java.util.Optional;

/** The registry of experiments. */
public final class Experiments {
  private static final List<Experiment> ALL =
      List.of(
          new ChunkLengthExperiment(),
          new ReadAheadExperiment(),
          new DirectIoExperiment(),
          new WidePartitionExperiment(),
          new StrategiesExperiment(),
          new PeersExperiment(),
          new LoadExperiment(),
          new CassandraCompactionExperiment(),
          new IndexExperiment(),
          new StateStoreExperiment());

  private Experiments() {}

  /** Returns all experiments, in the order in which an operator would ask for them. */
  public static List<Experiment> all() {
    return ALL;
  }

  /** Returns the experiment with the given name. */
  public static Optional<Experiment> named(String name) {
    return ALL.stream().filter(one -> one.name().equals(name)).findFirst();
  }
}
