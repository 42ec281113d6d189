package io.siltstone.tools.simulate;

import io.siltstone.tools.terminal.UsageException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and times as one types and reads them. */
final class Figures {
  private static final Pattern SIZE =
      Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(?:([KMGTP])(i?))?B?", Pattern.CASE_INSENSITIVE);
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)([smhd]?)");
  private static final String PREFIXES = "KMGTP";
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Figures() {}

  /** Bytes of e.g. {@code 10TB}, {@code 512MiB}, {@code 1024}. */
  static long parseBytes(String option, String text) {
    Matcher matcher = SIZE.matcher(text);
    double bytes = -1;
    if (matcher.matches()) {
      bytes = Double.parseDouble(matcher.group(1));
      if (matcher.group(2) != null) {
        int power = PREFIXES.indexOf(matcher.group(2).toUpperCase(Locale.ROOT)) + 1;
        bytes *= Math.pow(matcher.group(3).isEmpty() ? 1000 : 1024, power);
      }
    }
    if (!(bytes >= 0 && bytes < Long.MAX_VALUE)) {
      throw new UsageException(
          option + " = " + text + ", allowed a size such as 10TB, 512MiB or 1024");
    }
    return (long) bytes;
  }

  /** Seconds of e.g. {@code 7d}, {@code 12h}, {@code 90}. */
  static long parseSeconds(String option, String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      throw new UsageException(
          option + " = " + text + ", allowed seconds, or a number with s, m, h or d");
    }
    long unit =
        switch (matcher.group(2)) {
          case "m" -> 60;
          case "h" -> 3600;
          case "d" -> 86_400;
          default -> 1;
        };
    return (long) (Double.parseDouble(matcher.group(1)) * unit);
  }

  /** E.g. {@code 1.5 GiB}. */
  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String format = unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, value, UNITS[unit]);
  }

  /** E.g. {@code 6d 3h}, {@code 12m 5s}. */
  static String time(long seconds) {
    Duration time = Duration.ofSeconds(seconds);
    if (time.toDays() > 0) {
      return time.toDays() + "d " + time.toHoursPart() + "h";
    }
    return time.toHours() > 0
        ? time.toHours() + "h " + time.toMinutesPart() + "m"
        : time.toMinutes() + "m " + time.toSecondsPart() + "s";
  }

  /** Two digits behind the point; {@code -} where there is no such number. */
  static String ratio(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
  }
}
