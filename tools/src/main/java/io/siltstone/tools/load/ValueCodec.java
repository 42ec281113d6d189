package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.io.IOException;

/**
 * Parses values of one type from text and serializes them. A wrong text causes an {@link
 * IllegalArgumentException} that names it and says what is allowed. Confined to one thread.
 */
abstract class ValueCodec {

  /** Appends the value at whose first token the parser stands, and advances to its last token. */
  abstract void fromJson(JsonParser json, ByteSink out) throws IOException;

  /** Appends the value of a text in CQL's form; scalars are without quotes. */
  abstract void fromText(String text, ByteSink out);

  /** Appends the value of the content of a JSON string, such as a key of a JSON object. */
  abstract void fromJsonString(String text, ByteSink out);

  /** Returns the codec of a type, which is taken as frozen: a collection is one value. */
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
    if (type.equals(CqlTypes.TEXT)) {
      return new TextCodec(type);
    }
    if (type.equals(CqlTypes.UUID)) {
      return new UuidCodec();
    }
    if (type.equals(CqlTypes.DATE) || type.equals(CqlTypes.TIMESTAMP)) {
      return new CalendarCodec(type);
    }
    return new ScalarCodec(type);
  }

  /** Parses an element, which may not be null, from JSON. */
  static void elementFromJson(CqlType type, ValueCodec codec, JsonParser json, ByteSink out)
      throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      throw new IllegalArgumentException("null within a " + type.cqlName() + ", allowed: values");
    }
    codec.fromJson(json, out);
  }

  /** Parses a field from JSON with its length before it, which is -1 for null. */
  static void fieldFromJson(ValueCodec codec, JsonParser json, ByteSink out) throws IOException {
    int lengthAt = out.reserve(Integer.BYTES);
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      BigEndian.putInt(out.bytes(), lengthAt, -1);
    } else {
      codec.fromJson(json, out);
      endElement(out, lengthAt);
    }
  }

  /** Fills in the length of an element that ends here, for which space was reserved before it. */
  static void endElement(ByteSink out, int lengthAt) {
    BigEndian.putInt(out.bytes(), lengthAt, out.length() - lengthAt - Integer.BYTES);
  }

  /** Returns the exception for a JSON value whose kind does not fit the type. */
  static IllegalArgumentException wrongKind(CqlType type, JsonToken found, String allowed) {
    return new IllegalArgumentException(
        "a JSON "
            + JsonInput.kind(found)
            + " is not of type "
            + type.cqlName()
            + ", allowed: "
            + allowed);
  }

  /**
   * Returns whether the type is a timestamp in either order; the type of tables made before CQL 3
   * differs.
   */
  static boolean isTimestamp(CqlType type) {
    return type.kind() == TypeKind.SCALAR && type.cqlName().equals(CqlTypes.TIMESTAMP.cqlName());
  }

  static boolean isText(CqlType type) {
    return type.kind() == TypeKind.SCALAR
        && (type.equals(CqlTypes.TEXT) || type.equals(CqlTypes.ASCII));
  }
}
