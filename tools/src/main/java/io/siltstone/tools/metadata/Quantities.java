package io.siltstone.tools.metadata;

import java.text.SimpleDateFormat;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Formats times and sizes like Cassandra's {@code sstablemetadata}. Confined to one thread. */
final class Quantities {
  private static final String UNITS = "kMGTPE";

  // Cassandra's calendar, Julian before 1582, because timestamps may be of any time.
  private final SimpleDateFormat dates;

  /**
   * @param zone time zone of the dates
   */
  Quantities(ZoneId zone) {
    dates = new SimpleDateFormat("MM/dd/yyyy HH:mm:ss", Locale.ROOT);
    dates.setTimeZone(TimeZone.getTimeZone(zone));
  }

  /** Formats a date and time of day; returns null for zero, which stands for no time. */
  @Nullable String date(long time, TimeUnit unit) {
    return time == 0 ? null : dates.format(unit.toMillis(time));
  }

  /** Formats the deletion time of a tombstone, if there is one. */
  String deletion(long seconds) {
    String date = seconds == Long.MAX_VALUE ? null : date(seconds, TimeUnit.SECONDS);
    return date == null ? "no tombstones" : date;
  }

  /**
   * Formats a TTL, e.g. {@code 1 day 0 hours 5 minutes}; returns null for zero, which stands for
   * none.
   */
  static @Nullable String ttl(int seconds) {
    if (seconds == 0) {
      return null;
    }
    if (seconds == Integer.MAX_VALUE) {
      return "never";
    }
    Duration duration = Duration.ofSeconds(seconds);
    long[] amounts = {
      duration.toDaysPart(),
      duration.toHoursPart(),
      duration.toMinutesPart(),
      duration.toSecondsPart()
    };
    List<String> units = List.of("day", "hour", "minute", "second");
    int first = 0;
    while (amounts[first] == 0) {
      first++;
    }
    int last = amounts.length - 1;
    while (amounts[last] == 0) {
      last--;
    }
    List<String> words = new ArrayList<>();
    for (int i = first; i <= last; i++) {
      words.add(amounts[i] + " " + units.get(i) + (amounts[i] == 1 ? "" : "s"));
    }
    return String.join(" ", words);
  }

  /** Formats the time between two timestamps, in microseconds. */
  static String duration(long micros) {
    long seconds = TimeUnit.MICROSECONDS.toSeconds(micros);
    long days = TimeUnit.SECONDS.toDays(seconds);
    long hours = TimeUnit.SECONDS.toHours(seconds);
    long minutes = TimeUnit.SECONDS.toMinutes(seconds);
    return "Days: "
        + days
        + " Hours: "
        + (hours - days * 24)
        + " Minutes: "
        + (minutes - hours * 60)
        + " Seconds: "
        + (seconds - minutes * 60);
  }

  /** Formats a size, e.g. {@code 2.4 kB} for 2500 bytes; returns null for zero. */
  static @Nullable String bytes(long bytes) {
    if (bytes == 0) {
      return null;
    }
    if (bytes < 1024) {
      return bytes + " B";
    }
    int exponent = (int) (Math.log((double) bytes) / Math.log(1024));
    return String.format(
        Locale.ROOT,
        "%.1f %sB",
        (double) bytes / Math.pow(1024, exponent),
        UNITS.charAt(exponent - 1));
  }
}
