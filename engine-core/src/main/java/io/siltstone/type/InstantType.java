package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.time.Instant;

/** Milliseconds since 1970, eight bytes. Types differ in their order. */
abstract class InstantType extends ScalarType {
  InstantType(String className) {
    super(className, "timestamp");
  }

  @Override
  Quotes quotes() {
    return Quotes.UNLESS_NUMBER;
  }

  @Override
  public int fixedLength() {
    return Long.BYTES;
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0 && length != Long.BYTES) {
      throw wrongLength(length, "0 or 8");
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return Instant.ofEpochMilli(BigEndian.getLong(value, offset));
  }

  /** Encodes an instant, truncated to milliseconds. */
  @Override
  byte[] encodeObject(Object value) {
    if (!(value instanceof Instant instant)) {
      throw refused(value, "Instant");
    }
    try {
      return bytes(instant.toEpochMilli());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          instant + " is no timestamp: its milliseconds do not fit in 64 bits", e);
    }
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return TimestampText.format(BigEndian.getLong(value, offset));
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    validate(value, offset, length);
    return length == 0 ? "\"\"" : TimestampText.json(BigEndian.getLong(value, offset));
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    validate(value, offset, length);
    return length == 0 ? "null" : TimestampText.literal(BigEndian.getLong(value, offset));
  }

  @Override
  public byte[] parse(String text) {
    return text.isEmpty() ? new byte[0] : bytes(TimestampText.parse(text));
  }

  private static byte[] bytes(long millis) {
    byte[] bytes = new byte[Long.BYTES];
    BigEndian.putLong(bytes, 0, millis);
    return bytes;
  }
}
