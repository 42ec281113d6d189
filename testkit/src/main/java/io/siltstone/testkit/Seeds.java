package io.siltstone.testkit;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * Creates random sources, because {@link Random}s of neighboring seeds begin with similar numbers.
 */
final class Seeds {
  private Seeds() {}

  /** Returns a source that is unrelated to those of neighboring seeds. */
  static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }
}
