package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code time}: nanoseconds since midnight, eight bytes. Source: Cassandra {@code TimeType}. */
final class TimeType extends DateOrTimeType {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,9}):(\\d{1,9}):(\\d{1,9})(?:\\.(\\d{1,9}))?");

  TimeType() {
    super("TimeType", "time", Long.BYTES);
  }

  private static LocalTime time(byte[] value, int offset) {
    return ofNanos(BigEndian.getLong(value, offset));
  }

  private static LocalTime ofNanos(long nanos) {
    try {
      return LocalTime.ofNanoOfDay(nanos);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(nanos + " ns are no time, allowed 0 to 86399999999999", e);
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return time(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (!(value instanceof LocalTime time)) {
      throw refused(value, "LocalTime");
    }
    byte[] bytes = new byte[Long.BYTES];
    BigEndian.putLong(bytes, 0, time.toNanoOfDay());
    return bytes;
  }

  @Override
  String text(byte[] value, int offset, int length) {
    LocalTime time = time(value, offset);
    return String.format(
        Locale.ROOT,
        "%02d:%02d:%02d.%09d",
        time.getHour(),
        time.getMinute(),
        time.getSecond(),
        time.getNano());
  }

  /** Parses {@code hh:mm:ss[.nnnnnnnnn]} or, like Cassandra, a number of nanoseconds. */
  @Override
  public byte[] parse(String text) {
    String trimmed = text.strip();
    try {
      if (isNumber(trimmed)) {
        return encodeObject(ofNanos(Long.parseLong(trimmed)));
      }
      Matcher parts = TEXT.matcher(trimmed);
      if (parts.matches()) {
        String fraction = parts.group(4) == null ? "" : parts.group(4);
        return encodeObject(
            LocalTime.of(
                Integer.parseInt(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                Integer.parseInt(parts.group(3)),
                Integer.parseInt((fraction + "000000000").substring(0, 9))));
      }
    } catch (DateTimeException | NumberFormatException e) {
      throw noValue(text, e);
    }
    throw noValue(text);
  }
}
