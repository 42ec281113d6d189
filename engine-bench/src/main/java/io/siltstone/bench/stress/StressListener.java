package io.siltstone.bench.stress;

import io.siltstone.bench.workload.WorkloadSample;

/** Receives the progress of a stress run, in the thread that runs it. */
public interface StressListener {
  /** The phases of a run. */
  enum Phase {
    /** All rows are written. */
    POPULATE,
    /** Rows are written and read as the options say. */
    RUN
  }

  /** Called when a phase begins. */
  void begins(Phase phase);

  /** Called at the end of an interval of the phase. */
  void sampled(WorkloadSample sample);
}
