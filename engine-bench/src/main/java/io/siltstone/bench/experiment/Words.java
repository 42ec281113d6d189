package io.siltstone.bench.experiment;

import java.util.Locale;

/** Figures in sentences. */
final class Words {
  private static final double SAME = 0.05;

  private Words() {}

  /** A number with so many digits as tell something: 1,234 or 56.7 or 0.89. */
  static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size == 0 ? "%.0f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /** A whole number with separators. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** So many rounds, behind "in each of" or "the median of". */
  static String rounds(int count) {
    return count == 1 ? "one round" : count + " rounds";
  }

  /** A median with its spread. */
  static String spread(Spread spread) {
    return number(spread.median())
        + " ("
        + number(spread.min())
        + " to "
        + number(spread.max())
        + ")";
  }

  /** Two figures, the first and what became of it. */
  static String change(double from, double to, String unit) {
    return number(from) + " → " + number(to) + (unit.isEmpty() ? "" : " " + unit);
  }

  /** What a ratio of two rates means: {@code 1.8 times as fast}. */
  static String fast(double ratio) {
    return Math.abs(ratio - 1) < SAME
        ? "about as fast (" + number(ratio) + " times)"
        : number(ratio) + " times as fast";
  }

  /** Whether a ratio is more than what the same measured twice would differ by. */
  static boolean isMore(double ratio) {
    return ratio >= 1 + SAME;
  }

  /** A phrase as a sentence. */
  static String sentence(String phrase) {
    return Character.toUpperCase(phrase.charAt(0)) + phrase.substring(1) + ".";
  }
}
