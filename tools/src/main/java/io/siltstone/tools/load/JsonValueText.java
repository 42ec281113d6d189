package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.time.Instant;

/**
 * Formats values as JSON in the form of CQL's {@code SELECT JSON}, except for what that would lose:
 * {@code NaN} and infinities are strings, times whose year does not have four digits are numbers, a
 * counter is its total, and some scalars are formatted by {@link RoundTripText}.
 */
final class JsonValueText extends NestedText {
  private static final long FIRST_MILLIS = Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();
  private static final long LAST_MILLIS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  @Override
  void appendScalar(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    if (type.kind() == TypeKind.COMPOSITE) {
      out.append(type.toJson(value, offset, length));
    } else if (length == 0) {
      // The empty value, which is an empty string for all types but blob.
      out.append(type.equals(CqlTypes.BLOB) ? "\"0x\"" : "\"\"");
    } else if (type.equals(CqlTypes.DOUBLE) && length == Double.BYTES) {
      double number = Double.longBitsToDouble(BigEndian.getLong(value, offset));
      quoteUnlessFinite(Double.toString(number), Double.isFinite(number), out);
    } else if (type.equals(CqlTypes.FLOAT) && length == Float.BYTES) {
      float number = Float.intBitsToFloat(BigEndian.getInt(value, offset));
      quoteUnlessFinite(Float.toString(number), Float.isFinite(number), out);
    } else if (ValueCodec.isTimestamp(type) && length == Long.BYTES) {
      long millis = BigEndian.getLong(value, offset);
      if (millis < FIRST_MILLIS || millis > LAST_MILLIS) {
        out.append(millis);
      } else {
        out.append(type.toJson(value, offset, length));
      }
    } else if (type.equals(CqlTypes.DURATION)) {
      // A literal, because Cassandra's JSON would show the empty text otherwise.
      out.append('"').append(type.toCqlLiteral(value, offset, length)).append('"');
    } else if (type.isCounter()) {
      out.append(type.decode(value, offset, length));
    } else {
      String exact = RoundTripText.of(type, value, offset, length, "\"");
      out.append(exact != null ? exact : type.toJson(value, offset, length));
    }
  }

  private static void quoteUnlessFinite(String number, boolean finite, StringBuilder out) {
    if (finite) {
      out.append(number);
    } else {
      out.append('"').append(number).append('"');
    }
  }

  /**
   * Appends a key as a string. A key that is not a string becomes a string that contains its JSON.
   */
  @Override
  void appendKey(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    int from = out.length();
    append(type, value, offset, length, out);
    if (out.charAt(from) != '"') {
      String json = out.substring(from);
      out.setLength(from);
      JsonRowText.appendString(json, out);
    }
  }

  @Override
  void appendName(UserType.Field field, StringBuilder out) {
    JsonRowText.appendString(ColumnNames.toText(field.name()), out);
  }

  @Override
  String brackets(TypeKind kind) {
    return kind == TypeKind.MAP || kind == TypeKind.USER ? "{}" : "[]";
  }
}
