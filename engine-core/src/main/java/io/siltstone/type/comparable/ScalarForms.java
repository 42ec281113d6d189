package io.siltstone.type.comparable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.util.Map;

/**
 * The encodings of types without parts.
 *
 * <p>Source: Cassandra's {@code asComparableBytes} of each type.
 */
final class ScalarForms {
  private static final int SIGN = 0x80;
  private static final long SIGN_OF_LONG = Long.MIN_VALUE;
  private static final long SIGNS_OF_BYTES = 0x8080_8080_8080_8080L;
  private static final int UUID_LENGTH = 16;

  // The form of a NaN: its first byte, and the second one of a float and of a double. The rest is
  // 0.
  private static final int NAN = 0xff;
  private static final int FLOAT_NAN = 0xc0;
  private static final int DOUBLE_NAN = 0xf8;

  private static final Map<CqlType, ComparableType> FORMS =
      Map.ofEntries(
          Map.entry(CqlTypes.ASCII, ScalarForms::escaped),
          Map.entry(CqlTypes.TEXT, ScalarForms::escaped),
          Map.entry(CqlTypes.BLOB, ScalarForms::escaped),
          Map.entry(CqlTypes.INET, ScalarForms::escaped),
          Map.entry(CqlTypes.DURATION, ScalarForms::escaped),
          Map.entry(CqlTypes.BOOLEAN, ScalarForms::bool),
          Map.entry(CqlTypes.TINYINT, ScalarForms::signed),
          Map.entry(CqlTypes.SMALLINT, ScalarForms::signed),
          Map.entry(CqlTypes.INT, ScalarForms::signed),
          Map.entry(CqlTypes.TIMESTAMP, ScalarForms::signed),
          Map.entry(CqlTypes.BIGINT, ScalarForms::bigint),
          Map.entry(CqlTypes.VARINT, ScalarForms::varint),
          Map.entry(CqlTypes.DECIMAL, new DecimalForm()),
          Map.entry(CqlTypes.FLOAT, ScalarForms::floating),
          Map.entry(CqlTypes.DOUBLE, ScalarForms::floating),
          Map.entry(CqlTypes.DATE, ScalarForms::unsigned),
          Map.entry(CqlTypes.TIME, ScalarForms::unsigned),
          Map.entry(CqlTypes.parse("DateType"), ScalarForms::unsigned),
          Map.entry(CqlTypes.UUID, ScalarForms::uuid),
          Map.entry(CqlTypes.TIMEUUID, ScalarForms::timeuuid),
          Map.entry(CqlTypes.parse("LegacyTimeUUIDType"), ScalarForms::timeuuid),
          Map.entry(CqlTypes.parse("LexicalUUIDType"), ScalarForms::lexicalUuid),
          Map.entry(CqlTypes.EMPTY, (value, offset, length, out) -> false));

  private ScalarForms() {}

  static ComparableType of(CqlType type) {
    ComparableType form = FORMS.get(type);
    if (form == null) {
      throw new IllegalArgumentException(type + " has no order");
    }
    return form;
  }

  private static boolean escaped(byte[] value, int offset, int length, ComparableBytes out) {
    out.appendEscaped(value, offset, length);
    return true;
  }

  private static boolean bool(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    out.append(value[offset] == 0 ? 0 : 1);
    return true;
  }

  /** Of a fixed length, in two's complement. */
  private static boolean signed(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    int first = out.length();
    out.append(value, offset, length);
    out.set(first, value[offset] ^ SIGN);
    return true;
  }

  /** Of a fixed length, ordered as its bytes are. */
  private static boolean unsigned(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    out.append(value, offset, length);
    return true;
  }

  private static boolean bigint(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    require(length, Long.BYTES, "bigint");
    out.appendSigned(BigEndian.getLong(value, offset));
    return true;
  }

  /** IEEE 754: greater magnitudes have greater bytes, below the sign. */
  private static boolean floating(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    int first = out.length();
    if (isNaN(value, offset, length)) {
      // As values all are equal and greater than any number, whatever their sign and payload.
      out.append(NAN);
      out.append(length == Float.BYTES ? FLOAT_NAN : DOUBLE_NAN);
      for (int i = 2; i < length; i++) {
        out.append(0);
      }
      return true;
    }
    out.append(value, offset, length);
    if (value[offset] < 0) {
      out.flip(first);
    } else {
      out.set(first, value[offset] | SIGN);
    }
    return true;
  }

  private static boolean isNaN(byte[] value, int offset, int length) {
    return switch (length) {
      case Float.BYTES -> Float.isNaN(Float.intBitsToFloat(BigEndian.getInt(value, offset)));
      case Double.BYTES -> Double.isNaN(Double.longBitsToDouble(BigEndian.getLong(value, offset)));
      default -> false;
    };
  }

  /** The most bytes, without those that only repeat the sign, of a number in the short form. */
  private static final int SHORT_BYTES = 6;

  /**
   * Up to six bytes the form of a bigint. Longer numbers begin with 0x00 if they are negative, and
   * else 0xff, which no bigint of this size begins with; the number of bytes beyond seven follows,
   * and the bytes.
   */
  private static boolean varint(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    int sign = value[offset] >> 7;
    int end = offset + length;
    int first = offset;
    while (first < end - 1 && value[first] == sign) {
      first++;
    }
    int count = end - first;
    if (count <= SHORT_BYTES) {
      long number = sign;
      for (int i = first; i < end; i++) {
        number = number << 8 | (value[i] & 0xff);
      }
      out.appendSigned(number);
      return true;
    }
    out.append(~sign);
    out.appendUnsigned(count - SHORT_BYTES - 1, sign);
    out.append(value, first, count);
    return true;
  }

  /** The version comes first, and if it is 1, the highest bits of the time after it. */
  private static boolean uuid(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    require(length, UUID_LENGTH, "uuid");
    long upper = BigEndian.getLong(value, offset);
    long version = upper >>> 12 & 0xf;
    out.appendLong(
        version == 1
            ? timeFirst(upper)
            : version << 60 | (upper >>> 4 & 0x0fff_ffff_ffff_f000L) | (upper & 0xfff));
    out.append(value, offset + Long.BYTES, Long.BYTES);
    return true;
  }

  /** The highest bits of the time first, then the other bytes as signed ones. */
  private static boolean timeuuid(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    require(length, UUID_LENGTH, "timeuuid");
    long upper = BigEndian.getLong(value, offset);
    long version = upper >>> 12 & 0xf;
    if (version != 1) {
      // The bytes of other versions are not ordered as the type is.
      throw new IllegalArgumentException("timeuuid of version " + version + ", allowed 1");
    }
    out.appendLong(timeFirst(upper));
    out.appendLong(BigEndian.getLong(value, offset + Long.BYTES) ^ SIGNS_OF_BYTES);
    return true;
  }

  private static long timeFirst(long upper) {
    return upper << 48 | (upper << 16 & 0xffff_0000_0000L) | upper >>> 32;
  }

  /** Two signed numbers. */
  private static boolean lexicalUuid(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    require(length, UUID_LENGTH, "LexicalUUIDType");
    out.appendLong(BigEndian.getLong(value, offset) ^ SIGN_OF_LONG);
    out.appendLong(BigEndian.getLong(value, offset + Long.BYTES) ^ SIGN_OF_LONG);
    return true;
  }

  private static void require(int length, int expected, String type) {
    if (length != expected) {
      throw new IllegalArgumentException(
          type + " of " + length + " bytes, allowed 0 or " + expected);
    }
  }
}
