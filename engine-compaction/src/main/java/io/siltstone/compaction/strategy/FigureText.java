package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.text.CountText;
import java.util.Collection;
import java.util.Locale;

/** Formats counts and sizes for the sentences that a plan gives to the operator. */
final class FigureText {
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private FigureText() {}

  /** Returns a size with its unit, e.g. {@code 48 MiB} or {@code 1.5 GiB}. */
  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    if (value >= 9.95 || value == Math.rint(value)) {
      return Math.round(value) + " " + UNITS[unit];
    }
    // Not String.format, which would take half of the time of a plan with many jobs.
    long tenths = Math.round(10 * value);
    return tenths / 10 + "." + tenths % 10 + " " + UNITS[unit];
  }

  /** Returns a count and the range of sizes, e.g. {@code 4 SSTables of 48 MiB to 61 MiB}. */
  static String tables(Collection<LiveTable> tables) {
    long least = Long.MAX_VALUE;
    long most = 0;
    for (LiveTable table : tables) {
      least = Math.min(least, table.onDiskBytes());
      most = Math.max(most, table.onDiskBytes());
    }
    String from = bytes(Math.min(least, most));
    String to = bytes(most);
    return count(tables.size()) + " of " + (from.equals(to) ? from : from + " to " + to);
  }

  /** Returns a count, e.g. {@code 1 SSTable}. */
  static String count(int tables) {
    return CountText.of(tables, "SSTable");
  }

  /** Returns a rounded percentage, e.g. {@code 31 %}. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }
}
