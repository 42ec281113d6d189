package io.siltstone.tools.monitor;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Formats sizes and times for people. */
final class Sizes {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Sizes() {}

  /** Formats bytes as a number, or in a suitable unit. */
  static String bytes(long bytes, boolean isHuman) {
    return isHuman ? bytes(bytes) : Long.toString(bytes);
  }

  /** Formats bytes in a suitable unit, e.g. {@code 4.94 KiB}. */
  static String bytes(long bytes) {
    return inUnits((double) bytes);
  }

  /** Formats bytes per second in a suitable unit, e.g. {@code 4.94 KiB/s}. */
  static String perSecond(double bytes) {
    return inUnits(bytes) + "/s";
  }

  private static String inUnits(double bytes) {
    if (Math.abs(bytes) < 1024) {
      return String.format(Locale.ROOT, "%.0f bytes", bytes);
    }
    int unit = -1;
    double value = bytes;
    while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.2f %s", value, UNITS[unit]);
  }

  /** Formats hours, minutes and seconds, e.g. {@code 1h02m03s}. */
  static String time(long millis) {
    long seconds = TimeUnit.MILLISECONDS.toSeconds(millis);
    return String.format(
        Locale.ROOT, "%dh%02dm%02ds", seconds / 3600, seconds % 3600 / 60, seconds % 60);
  }
}
