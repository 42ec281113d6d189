package io.siltstone.type;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses and formats timestamps: milliseconds since 1970 as a number, or {@code 2024-01-31}, {@code
 * 2024-01-31 23:59}, {@code 2024-01-31T23:59:59.999+0100} and the like.
 *
 * <p>A text without a zone is in UTC, whereas Cassandra uses the zone of the machine; {@code now}
 * is no timestamp here. Years are printed as years of the era, as in Cassandra. Source: Cassandra
 * {@code TimestampSerializer}.
 */
final class TimestampText {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter JSON =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSX", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final Pattern NUMBER = Pattern.compile("-?\\d+");
  private static final Pattern TEXT =
      Pattern.compile(
          "(?<year>\\+?\\d{1,9})-(?<month>\\d{1,2})-(?<day>\\d{1,2})"
              + "(?:[T ](?<hour>\\d{1,2}):(?<minute>\\d{1,2})"
              + "(?::(?<second>\\d{1,2})(?:\\.(?<fraction>\\d{1,9}))?)?)?"
              + " ?(?<zone>Z|[+-]\\d{2}(?::?\\d{2})?|[A-Za-z][A-Za-z0-9_/+-]*)?");

  /** The first millisecond whose text is parsed to the same year; the last one follows. */
  private static final long FIRST_PRINTABLE = -62_135_596_800_000L;

  private static final long LAST_PRINTABLE = 253_402_300_799_999L;

  private TimestampText() {}

  static String format(long millis) {
    return FORMAT.format(Instant.ofEpochMilli(millis));
  }

  static String json(long millis) {
    return '"' + JSON.format(Instant.ofEpochMilli(millis)) + '"';
  }

  /** Returns a literal that CQL reads back, a number if the year has not four digits. */
  static String literal(long millis) {
    return millis < FIRST_PRINTABLE || millis > LAST_PRINTABLE
        ? Long.toString(millis)
        : '\'' + format(millis) + '\'';
  }

  /**
   * Parses a timestamp to milliseconds since 1970.
   *
   * @throws IllegalArgumentException if the text is no timestamp or out of range
   */
  static long parse(String text) {
    try {
      if (NUMBER.matcher(text).matches()) {
        return Long.parseLong(text);
      }
      Matcher parts = TEXT.matcher(text);
      if (parts.matches()) {
        return LocalDateTime.of(
                number(parts, "year"),
                number(parts, "month"),
                number(parts, "day"),
                number(parts, "hour"),
                number(parts, "minute"),
                number(parts, "second"),
                nanos(parts.group("fraction")))
            .atZone(zone(parts.group("zone")))
            .toInstant()
            .toEpochMilli();
      }
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + ScalarType.shortened(text) + "' is no timestamp", e);
    }
    throw new IllegalArgumentException(
        "'"
            + ScalarType.shortened(text)
            + "' is no timestamp, allowed: milliseconds or e.g. 2024-01-31T23:59:59.999Z");
  }

  private static int number(Matcher parts, String group) {
    String digits = parts.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static int nanos(@Nullable String fraction) {
    return fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
  }

  private static ZoneId zone(@Nullable String zone) {
    return zone == null ? ZoneOffset.UTC : ZoneId.of(zone);
  }
}
