package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/**
 * {@code date}: days since 1970 plus 2^31, four bytes, unsigned. Source: Cassandra {@code
 * SimpleDateType}.
 */
final class DateType extends ScalarType {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+");
  private static final long MAX = 0xFFFF_FFFFL;

  DateType() {
    super("SimpleDateType", "date");
  }

  @Override
  Quotes quotes() {
    return Quotes.UNLESS_NUMBER;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != Integer.BYTES) {
      throw wrongLength(length, "4");
    }
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
      if (!NUMBER.matcher(text).matches()) {
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
