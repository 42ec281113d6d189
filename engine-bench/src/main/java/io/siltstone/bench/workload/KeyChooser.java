package io.siltstone.bench.workload;

import java.util.SplittableRandom;

/** Chooses items, numbered from 0. Safe for use by all threads, each with its own random source. */
@FunctionalInterface
public interface KeyChooser {
  /** Returns the next item. */
  long next(SplittableRandom random);
}
