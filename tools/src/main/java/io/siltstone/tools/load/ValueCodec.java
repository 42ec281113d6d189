package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.nio.charset.StandardCharsets;

/**
 * Makes serialized values of one type from text. What is wrong with a text is an {@link
 * IllegalArgumentException} that names it and what is allowed. Confined to one thread.
 */
abstract class ValueCodec {

  /** Appends the value that comes next in the JSON, which is not null. */
  abstract void fromJson(JsonReader json, ByteSink out);

  /** Appends the value of a text in CQL's form, without quotes if it is a scalar's. */
  abstract void fromText(byte[] text, int from, int to, ByteSink out);

  /** Appends the value of the content of a JSON string, as keys of JSON objects are. */
  abstract void fromJsonString(byte[] text, int from, int to, ByteSink out);

  /** Of the type, taken as frozen: a collection is one value. */
  static ValueCodec of(CqlType type) {
    return switch (type.kind()) {
      case SCALAR -> scalar(type);
      case LIST, SET -> new SequenceCodec(type);
      case MAP -> new MapCodec(type);
      case TUPLE -> new TupleCodec(type);
      case USER -> new UserTypeCodec((UserType) type);
      case VECTOR -> new VectorCodec(type);
      case REVERSED -> of(type.unreversed());
      case COMPOSITE ->
          throw new IllegalArgumentException("values of " + type.cqlName() + " cannot be loaded");
    };
  }

  private static ValueCodec scalar(CqlType type) {
    if (type.equals(CqlTypes.TEXT) || type.equals(CqlTypes.ASCII)) {
      return new TextCodec(type);
    }
    if (type.equals(CqlTypes.TINYINT)
        || type.equals(CqlTypes.SMALLINT)
        || type.equals(CqlTypes.INT)
        || type.equals(CqlTypes.BIGINT)) {
      return new IntegerCodec(type);
    }
    if (type.equals(CqlTypes.FLOAT) || type.equals(CqlTypes.DOUBLE)) {
      return new FloatingCodec(type);
    }
    if (type.equals(CqlTypes.DATE) || type.equals(CqlTypes.TIMESTAMP)) {
      return new CalendarCodec(type);
    }
    if (type.equals(CqlTypes.UUID)) {
      return new UuidCodec();
    }
    return new ScalarCodec(type);
  }

  /** Reads an element's JSON, which may not be null. */
  static void elementFromJson(CqlType type, ValueCodec codec, JsonReader json, ByteSink out) {
    if (json.peek() == JsonReader.Kind.NULL) {
      throw new IllegalArgumentException("null within a " + type.cqlName() + ", allowed: values");
    }
    codec.fromJson(json, out);
  }

  /** Reads a field's JSON with its length before it, -1 for null. */
  static void fieldFromJson(ValueCodec codec, JsonReader json, ByteSink out) {
    int lengthAt = out.reserve(Integer.BYTES);
    if (json.peek() == JsonReader.Kind.NULL) {
      json.nullValue();
      io.siltstone.bytes.BigEndian.putInt(out.bytes(), lengthAt, -1);
    } else {
      codec.fromJson(json, out);
      endElement(out, lengthAt);
    }
  }

  /** Writes the length of an element that ends here to where it was left out. */
  static void endElement(ByteSink out, int lengthAt) {
    io.siltstone.bytes.BigEndian.putInt(
        out.bytes(), lengthAt, out.length() - lengthAt - Integer.BYTES);
  }

  static String string(byte[] text, int from, int to) {
    return new String(text, from, to - from, StandardCharsets.UTF_8);
  }

  /** The error for JSON of another kind than the type's. */
  static IllegalArgumentException wrongKind(CqlType type, JsonReader.Kind found, String allowed) {
    return new IllegalArgumentException(
        "a JSON "
            + found.name().toLowerCase(java.util.Locale.ROOT)
            + " is no "
            + type.cqlName()
            + ", allowed: "
            + allowed);
  }

  static boolean isText(CqlType type) {
    return type.kind() == TypeKind.SCALAR
        && (type.equals(CqlTypes.TEXT) || type.equals(CqlTypes.ASCII));
  }
}
