package io.siltstone.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Maps values on a stretch of the canvas, and knows where to put its marks. Immutable.
 *
 * @param low value at the beginning
 * @param high value at the end, greater
 * @param isLogarithmic whether each decade is as long
 * @param marks values that are written beside it
 */
record Scale(double low, double high, boolean isLogarithmic, List<Double> marks) {
  private static final int MOST_MARKS = 7;
  private static final int[] STEPS = {1, 2, 5, 10};
  private static final MathContext THREE_DIGITS = new MathContext(3);

  /** Copies the list. */
  Scale {
    marks = List.copyOf(marks);
  }

  /** Of values from 0 or below to the greatest. */
  static Scale linear(double least, double most) {
    double low = Math.min(0, least);
    double high = most > low ? most : low + 1;
    double step = step((high - low) / (MOST_MARKS - 1));
    List<Double> marks = new ArrayList<>();
    // By whole numbers of steps, so that no error adds up.
    long first = (long) Math.floor(low / step);
    long last = (long) Math.ceil(high / step - 1e-9);
    for (long i = first; i <= last; i++) {
      marks.add(i * step);
    }
    return new Scale(first * step, last * step, false, marks);
  }

  /** The next of 1, 2, 5 times a power of ten. */
  private static double step(double least) {
    double decade = Math.pow(10, Math.floor(Math.log10(least)));
    for (int step : STEPS) {
      if (step * decade >= least * (1 - 1e-9)) {
        return step * decade;
      }
    }
    throw new IllegalStateException("no step from " + least);
  }

  /** Of values above 0. */
  static Scale logarithmic(double least, double most) {
    double low = Math.pow(10, Math.floor(Math.log10(least) + 1e-9));
    double high = Math.pow(10, Math.ceil(Math.log10(most) - 1e-9));
    if (high <= low) {
      high = low * 10;
    }
    int decades = (int) Math.round(Math.log10(high / low));
    int every = (decades + MOST_MARKS - 1) / MOST_MARKS;
    List<Double> marks = new ArrayList<>();
    for (int i = 0; i <= decades; i++) {
      double decade = low * Math.pow(10, i);
      if (i % every == 0) {
        marks.add(decade);
      }
      if (decades <= 2 && i < decades) {
        marks.add(2 * decade);
        marks.add(5 * decade);
      }
    }
    // The ends move inwards to the marks next to the values.
    double first = marks.get(0);
    double last = high;
    for (double mark : marks) {
      if (mark <= least * (1 + 1e-9)) {
        first = Math.max(first, mark);
      }
      if (mark >= most * (1 - 1e-9)) {
        last = Math.min(last, mark);
      }
    }
    if (last <= first) {
      last = first * 10;
    }
    double from = first;
    double to = last;
    marks.removeIf(mark -> mark < from * (1 - 1e-9) || mark > to * (1 + 1e-9));
    return new Scale(from, to, true, marks);
  }

  /** With marks at these values alone. */
  Scale marking(List<Double> values) {
    return new Scale(low, high, isLogarithmic, values);
  }

  /** From these values exactly, with the marks that lie between. */
  Scale cut(double from, double to) {
    List<Double> left = marks.stream().filter(mark -> mark >= from && mark <= to).toList();
    return to > from ? new Scale(from, to, isLogarithmic, left) : this;
  }

  /** Whether a value can be shown. */
  boolean shows(double value) {
    return Double.isFinite(value) && (!isLogarithmic || value > 0);
  }

  /** 0 at the low end, 1 at the high one. */
  double share(double value) {
    return isLogarithmic
        ? Math.log(value / low) / Math.log(high / low)
        : (value - low) / (high - low);
  }

  /** A value in few characters, e.g. {@code 62k}, {@code 0.25}. */
  static String text(double value) {
    double size = Math.abs(value);
    if (size >= 999.5e9) {
      return String.format(Locale.ROOT, "%.1e", value);
    }
    if (size >= 999.5e6) {
      return digits(value / 1e9) + "G";
    }
    if (size >= 999.5e3) {
      return digits(value / 1e6) + "M";
    }
    return size >= 9_999.5 ? digits(value / 1e3) + "k" : digits(value);
  }

  private static String digits(double value) {
    if (Math.abs(value) >= 100) {
      return Long.toString(Math.round(value));
    }
    return value == 0
        ? "0"
        : new BigDecimal(value).round(THREE_DIGITS).stripTrailingZeros().toPlainString();
  }
}
