package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.UserType;
import java.time.Instant;
import java.util.List;

/**
 * Values as JSON in the form of CQL's {@code SELECT JSON}, but for what that loses: numbers that
 * are none ({@code NaN}, infinities) are strings, times whose year has not four digits numbers, a
 * counter its total.
 */
final class JsonValueText implements ValueText {
  private static final long FIRST_MILLIS = Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();
  private static final long LAST_MILLIS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  @Override
  public void append(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    switch (type.kind()) {
      case SCALAR -> scalar(type, value, offset, length, out);
      case LIST, SET -> sequence(type, value, offset, length, out);
      case MAP -> map(type, value, offset, length, out);
      case TUPLE -> tuple(type, value, offset, length, out);
      case USER -> userType((UserType) type, value, offset, length, out);
      case VECTOR -> vector(type, value, offset, length, out);
      case REVERSED -> append(type.unreversed(), value, offset, length, out);
      case COMPOSITE -> out.append(type.toJson(value, offset, length));
    }
  }

  private static void scalar(
      CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    if (length == 0) {
      // The empty value; only a blob's is not an empty string.
      out.append(type.equals(CqlTypes.BLOB) ? "\"0x\"" : "\"\"");
    } else if (type.equals(CqlTypes.DOUBLE) && length == Double.BYTES) {
      double number = Double.longBitsToDouble(BigEndian.getLong(value, offset));
      quoteUnlessFinite(Double.toString(number), Double.isFinite(number), out);
    } else if (type.equals(CqlTypes.FLOAT) && length == Float.BYTES) {
      float number = Float.intBitsToFloat(BigEndian.getInt(value, offset));
      quoteUnlessFinite(Float.toString(number), Float.isFinite(number), out);
    } else if (type.equals(CqlTypes.TIMESTAMP) && length == Long.BYTES) {
      long millis = BigEndian.getLong(value, offset);
      if (millis < FIRST_MILLIS || millis > LAST_MILLIS) {
        out.append(millis);
      } else {
        out.append(type.toJson(value, offset, length));
      }
    } else if (type.equals(CqlTypes.DURATION)) {
      // As a literal, as none at all would be an empty text in the JSON of Cassandra.
      out.append('"').append(type.toCqlLiteral(value, offset, length)).append('"');
    } else if (type.isCounter()) {
      out.append(type.decode(value, offset, length));
    } else {
      out.append(type.toJson(value, offset, length));
    }
  }

  private static void quoteUnlessFinite(String number, boolean finite, StringBuilder out) {
    if (finite) {
      out.append(number);
    } else {
      out.append('"').append(number).append('"');
    }
  }

  private void sequence(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    CqlType element = type.elementTypes().get(0);
    type.validate(value, offset, length);
    int at = offset + Integer.BYTES;
    out.append('[');
    for (int i = BigEndian.getInt(value, offset); i > 0; i--) {
      int part = BigEndian.getInt(value, at);
      append(element, value, at + Integer.BYTES, part, out);
      at += Integer.BYTES + part;
      out.append(i > 1 ? ", " : "");
    }
    out.append(']');
  }

  private void map(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    List<CqlType> types = type.elementTypes();
    type.validate(value, offset, length);
    int at = offset + Integer.BYTES;
    out.append('{');
    for (int i = BigEndian.getInt(value, offset); i > 0; i--) {
      int part = BigEndian.getInt(value, at);
      int keyFrom = out.length();
      append(types.get(0), value, at + Integer.BYTES, part, out);
      quoteKey(out, keyFrom);
      at += Integer.BYTES + part;
      out.append(": ");
      part = BigEndian.getInt(value, at);
      append(types.get(1), value, at + Integer.BYTES, part, out);
      at += Integer.BYTES + part;
      out.append(i > 1 ? ", " : "");
    }
    out.append('}');
  }

  /** Names of JSON's objects are strings: a key that is none becomes one that holds its JSON. */
  private static void quoteKey(StringBuilder out, int from) {
    if (out.charAt(from) != '"') {
      String json = out.substring(from);
      out.setLength(from);
      Json.appendString(json, out);
    }
  }

  private void tuple(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    type.validate(value, offset, length);
    int at = offset;
    out.append('[');
    for (int i = 0; at < offset + length; i++) {
      out.append(i == 0 ? "" : ", ");
      at = field(type.elementTypes().get(i), value, at, out);
    }
    out.append(']');
  }

  private void userType(UserType type, byte[] value, int offset, int length, StringBuilder out) {
    type.validate(value, offset, length);
    int at = offset;
    out.append('{');
    for (int i = 0; at < offset + length; i++) {
      out.append(i == 0 ? "" : ", ");
      Json.appendString(ColumnNames.toText(type.fields().get(i).name()), out);
      out.append(": ");
      at = field(type.fields().get(i).type(), value, at, out);
    }
    out.append('}');
  }

  /** Appends a field with its length before it; returns the index behind it. */
  private int field(CqlType type, byte[] value, int at, StringBuilder out) {
    int length = BigEndian.getInt(value, at);
    if (length < 0) {
      out.append("null");
      return at + Integer.BYTES;
    }
    append(type, value, at + Integer.BYTES, length, out);
    return at + Integer.BYTES + length;
  }

  private void vector(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    CqlType element = type.elementTypes().get(0);
    type.validate(value, offset, length);
    int at = offset;
    out.append('[');
    while (at < offset + length) {
      out.append(at == offset ? "" : ", ");
      int part = element.fixedLength();
      if (part == CqlType.VARIABLE_LENGTH) {
        part = (int) Vint.read(value, at);
        at += Vint.lengthFrom(value[at]);
      }
      append(element, value, at, part, out);
      at += part;
    }
    out.append(']');
  }
}
