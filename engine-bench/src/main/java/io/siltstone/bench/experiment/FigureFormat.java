package io.siltstone.bench.experiment;

import java.util.Locale;

/** Formats figures in sentences. */
final class FigureFormat {
  private static final double SAME = 0.05;

  private FigureFormat() {}

  /** Formats a number with three significant digits: 1,234 or 56.7 or 0.89. */
  static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size == 0 ? "%.0f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Formats a whole number with separators. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Formats the number of rounds, to follow "in each of" or "the median of". */
  static String rounds(int count) {
    return count == 1 ? "one round" : count + " rounds";
  }

  /** Formats a median with its spread. */
  static String spread(Spread spread) {
    return number(spread.median())
        + " ("
        + number(spread.min())
        + " to "
        + number(spread.max())
        + ")";
  }

  /** Formats a change from one figure to another. */
  static String change(double from, double to, String unit) {
    return number(from) + " → " + number(to) + (unit.isEmpty() ? "" : " " + unit);
  }

  /** Formats the ratio of two rates: {@code 1.8 times as fast}. */
  static String fast(double ratio) {
    return Math.abs(ratio - 1) < SAME
        ? "about as fast (" + number(ratio) + " times)"
        : number(ratio) + " times as fast";
  }

  /** Returns whether a ratio exceeds the difference between repetitions of the same measurement. */
  static boolean isMore(double ratio) {
    return ratio >= 1 + SAME;
  }

  /** Formats a phrase as a sentence. */
  static String sentence(String phrase) {
    return Character.toUpperCase(phrase.charAt(0)) + phrase.substring(1) + ".";
  }
}
