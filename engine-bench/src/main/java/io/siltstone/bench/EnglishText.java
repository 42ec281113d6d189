package io.siltstone.bench;

import java.util.SplittableRandom;

/**
 * Seeded text that compresses as prose does: words drawn so that few of them are frequent. LZ4
 * makes about 0.6 of it in chunks of 16 KiB.
 */
final class EnglishText {
  private static final int WORDS = 600;
  private static final String[] SYLLABLES = {
    "an", "be", "com", "der", "es", "for", "ga", "hi", "in", "ja", "ka", "lo", "mo", "ne", "or",
    "pre", "qui", "ra", "st", "ter", "un", "ver", "wa", "xe", "ys", "zo", "th", "ing", "tion", "ly"
  };

  private final String[] words = new String[WORDS];
  private final SplittableRandom random;

  EnglishText(long seed) {
    random = new SplittableRandom(seed);
    for (int i = 0; i < WORDS; i++) {
      StringBuilder word = new StringBuilder();
      int syllables = 1 + i * 4 / WORDS;
      for (int j = 0; j < syllables; j++) {
        word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
      }
      words[i] = word.toString();
    }
  }

  /** The next text, of {@code least} to {@code most} characters, all ASCII. */
  String next(int least, int most) {
    int length = random.nextInt(least, most + 1);
    StringBuilder text = new StringBuilder(length + 16);
    while (text.length() < length) {
      double draw = random.nextDouble();
      text.append(words[(int) (draw * draw * WORDS)]);
      text.append(random.nextInt(12) == 0 ? ", " : " ");
      if (random.nextInt(25) == 0) {
        text.append(random.nextInt(100_000)).append(' ');
      }
    }
    text.setLength(length);
    return text.toString();
  }
}
