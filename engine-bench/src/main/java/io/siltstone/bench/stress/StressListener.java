package io.siltstone.bench.stress;

import io.siltstone.bench.workload.Sample;

/** Is told how a stress goes on, by the thread that runs it. */
public interface StressListener {
  /** What a stress does. */
  enum Phase {
    /** All rows are written. */
    POPULATE,
    /** Rows are written and read as the options say. */
    RUN
  }

  /** A phase begins. */
  void begins(Phase phase);

  /** Another interval of the phase is over. */
  void sampled(Sample sample);
}
