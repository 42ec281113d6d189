package io.siltstone.bench.experiment;

import io.siltstone.bench.report.Report;
import java.io.IOException;
import java.util.List;

/** A published experiment that can be repeated. Stateless; safe for use by all threads. */
public interface Experiment {
  /** Returns its name on the command line. */
  String name();

  /** Returns what it shows, in one sentence. */
  String description();

  /**
   * Returns the directories that it needs, of those that {@link OtherEngines#in} reads; empty if it
   * needs no other engines.
   */
  default List<String> peerDirectories() {
    return List.of();
  }

  /**
   * Returns what it changes on the machine while it runs, and then restores: sentences that the
   * user sees before it begins.
   */
  default List<String> changes() {
    return List.of();
  }

  /**
   * Runs it. The machine should do nothing else meanwhile.
   *
   * @throws IOException if something could not be measured
   */
  Report run(ExperimentSetting setting) throws IOException;
}
