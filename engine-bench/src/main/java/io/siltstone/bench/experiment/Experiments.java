package io.siltstone.bench.experiment;

import java.util.List;
import java.util.Optional;

/** The experiments that there are. */
public final class Experiments {
  private static final List<Experiment> ALL =
      List.of(
          new ChunkLength(),
          new ReadAhead(),
          new DirectIo(),
          new WidePartition(),
          new Strategies(),
          new Peers(),
          new CompactionBesideCassandra());

  private Experiments() {}

  /** All, in the order in which an operator asks. */
  public static List<Experiment> all() {
    return ALL;
  }

  /** That of a name. */
  public static Optional<Experiment> named(String name) {
    return ALL.stream().filter(one -> one.name().equals(name)).findFirst();
  }
}
