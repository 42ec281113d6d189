package io.siltstone.tools.terminal;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats sizes, times and counts. */
public final class Units {
  private static final Pattern SIZE =
      Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(?:([KMGTP])(i?))?B?", Pattern.CASE_INSENSITIVE);
  private static final Pattern COUNT =
      Pattern.compile("(\\d+(?:\\.\\d+)?)([KMGT]?)", Pattern.CASE_INSENSITIVE);
  private static final Pattern TIMES =
      Pattern.compile("\\d+(?:\\.\\d+)?|(?:\\d+(?:\\.\\d+)?(?:ms|[smhd]))+");
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|[smhd])?");
  private static final String PREFIXES = "KMGTP";
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Units() {}

  /** Parses a size such as {@code 10TB}, {@code 512MiB} or {@code 1024}, which is bytes. */
  public static long parseBytes(String option, String text) {
    Matcher matcher = SIZE.matcher(text);
    double bytes = -1;
    if (matcher.matches()) {
      bytes = Double.parseDouble(matcher.group(1));
      if (matcher.group(2) != null) {
        int power = PREFIXES.indexOf(upper(matcher.group(2))) + 1;
        bytes *= Math.pow(matcher.group(3).isEmpty() ? 1000 : 1024, power);
      }
    }
    if (!(bytes >= 0 && bytes < Long.MAX_VALUE)) {
      throw new UsageException(
          option + " = " + text + ", allowed a size such as 10TB, 512MiB or 1024");
    }
    return (long) bytes;
  }

  /**
   * Parses a time such as {@code 7d}, {@code 12h}, {@code 1h30m} or {@code 90}, and returns whole
   * seconds.
   */
  public static long parseSeconds(String option, String text) {
    return parseTime(option, text).toSeconds();
  }

  /** Parses a time such as {@code 1h30m}, {@code 500ms} or {@code 90}, which is seconds. */
  public static Duration parseTime(String option, String text) {
    double millis = 0;
    Matcher matcher = TIME.matcher(text);
    while (matcher.find()) {
      String unit = matcher.group(2) == null ? "s" : matcher.group(2);
      millis += Double.parseDouble(matcher.group(1)) * millisOf(unit);
    }
    if (!TIMES.matcher(text).matches() || millis > Long.MAX_VALUE / 2.0) {
      throw new UsageException(
          option + " = " + text + ", allowed seconds, or numbers with ms, s, m, h or d: 1h30m");
    }
    return Duration.ofMillis((long) millis);
  }

  private static long millisOf(String unit) {
    return switch (unit) {
      case "ms" -> 1;
      case "m" -> 60_000;
      case "h" -> 3_600_000;
      case "d" -> 86_400_000;
      default -> 1_000;
    };
  }

  /** Parses a number such as {@code 50M}, {@code 100k} or {@code 1000}; k is a thousand. */
  public static long parseCount(String option, String text) {
    Matcher matcher = COUNT.matcher(text);
    if (matcher.matches()) {
      int power = matcher.group(2).isEmpty() ? 0 : 1 + PREFIXES.indexOf(upper(matcher.group(2)));
      try {
        return new BigDecimal(matcher.group(1)).scaleByPowerOfTen(3 * power).longValueExact();
      } catch (ArithmeticException e) {
        // Not a whole number, or too large.
      }
    }
    throw new UsageException(
        option + " = " + text + ", allowed a whole number such as 50M, 100k or 1000");
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  /** Formats a size, e.g. {@code 1.5 GiB}. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String format = unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, value, UNITS[unit]);
  }

  /** Formats a count in at most five characters: {@code 987}, {@code 62.1k}, {@code 5.2M}. */
  public static String count(double value) {
    double left = value;
    int unit = 0;
    while (left >= 9_999.5 || (unit > 0 && left >= 999.5)) {
      left /= 1000;
      unit++;
    }
    String digits = String.format(Locale.ROOT, unit == 0 || left >= 99.95 ? "%.0f" : "%.1f", left);
    return unit == 0 ? digits : digits + "kMGTPE".charAt(unit - 1);
  }

  /** Formats a time, e.g. {@code 6d 3h}, {@code 12m 5s}. */
  public static String time(long seconds) {
    Duration time = Duration.ofSeconds(seconds);
    if (time.toDays() > 0) {
      return time.toDays() + "d " + time.toHoursPart() + "h";
    }
    return time.toHours() > 0
        ? time.toHours() + "h " + time.toMinutesPart() + "m"
        : time.toMinutes() + "m " + time.toSecondsPart() + "s";
  }

  /** Formats a ratio with two decimals; {@code -} if it is not a finite number. */
  public static String ratio(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
  }
}
