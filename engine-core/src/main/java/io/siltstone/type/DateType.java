package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * {@code date}: days since 1970 plus 2^31, four bytes, unsigned. Source: Cassandra {@code
 * SimpleDateType}.
 */
final class DateType extends DateOrTimeType {
  private static final long MAX = 0xFFFF_FFFFL;

  DateType() {
    super("SimpleDateType", "date", Integer.BYTES);
  }

  private static LocalDate date(byte[] value, int offset) {
    return LocalDate.ofEpochDay(BigEndian.getInt(value, offset) ^ Integer.MIN_VALUE);
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return date(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (!(value instanceof LocalDate date)) {
      throw refused(value, "LocalDate");
    }
    long day = date.toEpochDay() - Integer.MIN_VALUE;
    if (day < 0 || day > MAX) {
      throw new IllegalArgumentException(
          date + " is no date, allowed -5877641-06-23 to +5881580-07-11");
    }
    return bytes((int) day);
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return date(value, offset).toString();
  }

  /** Parses an ISO date or, like Cassandra, a number with the days of the serialized form. */
  @Override
  public byte[] parse(String text) {
    try {
      if (!isNumber(text)) {
        return encodeObject(LocalDate.parse(text));
      }
      long day = Long.parseLong(text);
      if (day >= 0 && day <= MAX) {
        return bytes((int) day);
      }
    } catch (DateTimeException | NumberFormatException e) {
      throw noValue(text, e);
    }
    throw new IllegalArgumentException(
        "day " + shortened(text) + " is no date, allowed 0 to " + MAX);
  }

  private static byte[] bytes(int day) {
    byte[] bytes = new byte[Integer.BYTES];
    BigEndian.putInt(bytes, 0, day);
    return bytes;
  }
}
