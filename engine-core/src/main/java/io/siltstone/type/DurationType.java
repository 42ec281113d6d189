package io.siltstone.type;

import io.siltstone.bytes.Vint;

/**
 * {@code duration}: months, days, nanoseconds as signed vints, all of one sign. Ordered as unsigned
 * bytes, which is no order in time. Source: Cassandra {@code DurationType}.
 */
final class DurationType extends ScalarType {
  private static final int MIN_LENGTH = 3;

  DurationType() {
    super("DurationType", "duration");
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  /** Validates a value; like Cassandra it ignores bytes after the last number. */
  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length < MIN_LENGTH) {
      throw wrongLength(length, "at least " + MIN_LENGTH);
    }
    duration(value, offset, length);
  }

  private static CqlDuration duration(byte[] value, int offset, int length) {
    int end = offset + length;
    int days = afterVint(value, offset, end);
    int nanos = afterVint(value, days, end);
    afterVint(value, nanos, end);
    return new CqlDuration(
        checkedInt(Vint.readSigned(value, offset), "months"),
        checkedInt(Vint.readSigned(value, days), "days"),
        Vint.readSigned(value, nanos));
  }

  /** Returns the index after the vint at {@code offset}. */
  private static int afterVint(byte[] value, int offset, int end) {
    if (!Vint.isWhole(value, offset, end)) {
      throw new IllegalArgumentException("duration ends within one of its numbers");
    }
    return offset + Vint.lengthFrom(value[offset]);
  }

  private static int checkedInt(long number, String unit) {
    if ((int) number != number) {
      throw new IllegalArgumentException(
          "duration of " + number + " " + unit + ", allowed -2147483648 to 2147483647");
    }
    return (int) number;
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return duration(value, offset, length);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (!(value instanceof CqlDuration duration)) {
      throw refused(value, "CqlDuration");
    }
    byte[] bytes =
        new byte
            [Vint.signedLength(duration.months())
                + Vint.signedLength(duration.days())
                + Vint.signedLength(duration.nanoseconds())];
    int days = Vint.writeSigned(bytes, 0, duration.months());
    int nanos = Vint.writeSigned(bytes, days, duration.days());
    Vint.writeSigned(bytes, nanos, duration.nanoseconds());
    return bytes;
  }

  /** Returns the text; like Cassandra an empty one for a duration of zero. */
  @Override
  String text(byte[] value, int offset, int length) {
    CqlDuration duration = duration(value, offset, length);
    return duration.equals(CqlDuration.ZERO) ? "" : duration.toString();
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    if (length == 0) {
      return "null";
    }
    validate(value, offset, length);
    return duration(value, offset, length).toString();
  }

  @Override
  public byte[] parse(String text) {
    return text.isEmpty() ? new byte[0] : encodeObject(CqlDuration.parse(text));
  }
}
