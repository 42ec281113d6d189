package io.siltstone.testkit;

import java.util.Random;
import java.util.SplittableRandom;

/** Makes random sources. The first numbers of {@link Random}s of neighbouring seeds are alike. */
final class Seeds {
  private Seeds() {}

  /** A source that has nothing in common with those of neighbouring seeds. */
  static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }
}
