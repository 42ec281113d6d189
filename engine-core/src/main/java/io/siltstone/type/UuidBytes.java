package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.util.UUID;
import java.util.regex.Pattern;

/** The sixteen bytes of a UUID. Source: Cassandra {@code UUIDType}, {@code TimeUUIDType}. */
final class UuidBytes {
  static final int LENGTH = 16;

  private static final Pattern TEXT =
      Pattern.compile(
          "\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");

  private UuidBytes() {}

  static UUID get(byte[] bytes, int offset) {
    return new UUID(BigEndian.getLong(bytes, offset), BigEndian.getLong(bytes, offset + 8));
  }

  static byte[] of(UUID uuid) {
    byte[] bytes = new byte[LENGTH];
    BigEndian.putLong(bytes, 0, uuid.getMostSignificantBits());
    BigEndian.putLong(bytes, 8, uuid.getLeastSignificantBits());
    return bytes;
  }

  /** Returns whether the text has the form 8-4-4-4-12; Java's own parser takes less. */
  static boolean isText(String text) {
    return TEXT.matcher(text).matches();
  }

  static int version(long mostSignificant) {
    return (int) (mostSignificant >>> 12) & 0xf;
  }

  /** Returns the upper half of a UUID of version 1 with the highest bits of its time first. */
  static long timeFirst(long mostSignificant) {
    return mostSignificant << 48
        | (mostSignificant << 16 & 0xFFFF_0000_0000L)
        | mostSignificant >>> 32;
  }
}
