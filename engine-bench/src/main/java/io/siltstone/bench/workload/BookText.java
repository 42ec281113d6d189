package io.siltstone.bench.workload;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Seeded text that compresses like prose: words are drawn so that few of them are frequent. LZ4
 * compresses it to about 0.6 in chunks of 16 KiB.
 *
 * <p>4 MiB of text are generated once, and values are pieces of it. So a value costs nothing to
 * make or to check, and chunks of up to 64 KiB rarely contain a piece twice. ASCII. Immutable; safe
 * for use by all threads.
 */
public final class BookText {
  private static final int LENGTH = 4 << 20;
  private static final int VOCABULARY = 600;
  private static final String[] SYLLABLES = {
    "an", "be", "com", "der", "es", "for", "ga", "hi", "in", "ja", "ka", "lo", "mo", "ne", "or",
    "pre", "qui", "ra", "st", "ter", "un", "ver", "wa", "xe", "ys", "zo", "th", "ing", "tion", "ly"
  };

  private final byte[] text = new byte[LENGTH];

  /** Index of the beginning of each word; a comma or a number belongs to the word before. */
  private final int[] words;

  /**
   * Generates the text.
   *
   * @param seed the same seed gives the same text
   */
  public BookText(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[][] vocabulary = vocabulary(random);
    byte[] number = new byte[5];
    int[] starts = new int[LENGTH / 2];
    int count = 0;
    int end = 0;
    while (true) {
      double draw = random.nextDouble();
      byte[] word = vocabulary[(int) (draw * draw * VOCABULARY)];
      boolean hasComma = random.nextInt(12) == 0;
      boolean hasNumber = random.nextInt(25) == 0;
      int digits = hasNumber ? digits(random.nextInt(100_000), number) : 0;
      int length = word.length + (hasComma ? 2 : 1) + (hasNumber ? digits + 1 : 0);
      if (end + length > LENGTH) {
        break;
      }
      starts[count++] = end;
      System.arraycopy(word, 0, text, end, word.length);
      end += word.length;
      if (hasComma) {
        text[end++] = ',';
      }
      text[end++] = ' ';
      if (hasNumber) {
        System.arraycopy(number, 0, text, end, digits);
        end += digits;
        text[end++] = ' ';
      }
    }
    starts[count] = end;
    words = Arrays.copyOf(starts, count + 1);
  }

  private static byte[][] vocabulary(SplittableRandom random) {
    byte[][] vocabulary = new byte[VOCABULARY][];
    for (int i = 0; i < VOCABULARY; i++) {
      byte[] word = new byte[16];
      int length = 0;
      for (int syllables = 1 + i * 4 / VOCABULARY; syllables > 0; syllables--) {
        String syllable = SYLLABLES[random.nextInt(SYLLABLES.length)];
        for (int j = 0; j < syllable.length(); j++) {
          word[length++] = (byte) syllable.charAt(j);
        }
      }
      vocabulary[i] = Arrays.copyOf(word, length);
    }
    return vocabulary;
  }

  private static int digits(int value, byte[] to) {
    String digits = Integer.toString(value);
    for (int i = 0; i < digits.length(); i++) {
      to[i] = (byte) digits.charAt(i);
    }
    return digits.length();
  }

  /**
   * Returns the value of a key in one of its versions.
   *
   * @param size number of words
   * @return a view, not to be written to
   */
  public ByteBuffer value(BookValue size, long key, long version) {
    long hash = SplitMix64.mix(SplitMix64.mix(key) + version);
    int count = size.leastWords() + below(hash >>> 32, size.mostWords() - size.leastWords() + 1);
    int first = below(hash & 0xFFFF_FFFFL, words.length - count);
    int start = words[first];
    return ByteBuffer.wrap(text, start, words[first + count] - 1 - start);
  }

  /** Returns a piece of the text, with a length in bytes; the same for the same choice. */
  public ByteBuffer piece(long choice, int leastBytes, int mostBytes) {
    long hash = SplitMix64.mix(choice);
    int length = leastBytes + below(hash >>> 32, mostBytes - leastBytes + 1);
    return ByteBuffer.wrap(
        text, below(hash & 0xFFFF_FFFFL, words[words.length - 1] - length), length);
  }

  /** Maps 32 bits evenly to 0 up to below the bound. */
  private static int below(long bits, int bound) {
    return (int) ((bits * bound) >>> 32);
  }
}
