package io.siltstone.bench.workload;

import java.util.SplittableRandom;

/** Chooses items, numbered from 0. Safe for all threads; each brings a random source of its own. */
@FunctionalInterface
public interface KeyChooser {
  /** The next one. */
  long next(SplittableRandom random);
}
