package io.siltstone.bench.experiment;

import io.siltstone.bench.report.Report;
import java.io.IOException;
import java.util.List;

/** Something that was published and can be measured again. Has no state; safe for all threads. */
public interface Experiment {
  /** Its name on the command line. */
  String name();

  /** What it shows, in one sentence. */
  String description();

  /**
   * Of the directories that {@link OtherEngines#in} reads those that it needs; empty if it needs no
   * other engines.
   */
  default List<String> peerDirectories() {
    return List.of();
  }

  /**
   * What it changes on the machine while it runs, and undoes: a sentence each, for the user before
   * it begins.
   */
  default List<String> changes() {
    return List.of();
  }

  /**
   * Runs it, alone on the machine if its figures shall mean anything.
   *
   * @throws IOException if something could not be measured
   */
  Report run(Setting setting) throws IOException;
}
