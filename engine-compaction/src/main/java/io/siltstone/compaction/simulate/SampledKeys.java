package io.siltstone.compaction.simulate;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The sampled keys that exist at a moment of a simulation. Confined to one thread. */
final class SampledKeys {
  private final SplittableRandom random;
  private long[] tokens = new long[1024];
  private int size;

  SampledKeys(SplittableRandom random) {
    this.random = random;
  }

  int size() {
    return size;
  }

  /** Adds a key and returns its token. */
  long add() {
    if (size == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * size);
    }
    long token = random.nextLong(Long.MIN_VALUE + 1, Long.MAX_VALUE);
    tokens[size++] = token;
    return token;
  }

  /** Returns a random key. */
  long random() {
    return tokens[random.nextInt(size)];
  }

  /** Removes a random key and returns its token. */
  long removeAny() {
    int index = random.nextInt(size);
    long token = tokens[index];
    tokens[index] = tokens[--size];
    return token;
  }
}
