package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.Set;

/**
 * Parses a scalar type by {@link CqlType#encode}. An empty text is the empty value of types that
 * have one.
 */
class ScalarCodec extends ValueCodec {
  private static final Set<CqlType> NUMBERS =
      Set.of(
          CqlTypes.TINYINT,
          CqlTypes.SMALLINT,
          CqlTypes.INT,
          CqlTypes.BIGINT,
          CqlTypes.VARINT,
          CqlTypes.DECIMAL,
          CqlTypes.FLOAT,
          CqlTypes.DOUBLE,
          CqlTypes.DATE);
  private static final byte[] NOTHING = {};

  private final CqlType type;
  private final boolean number;
  private final boolean bool;
  private final boolean hasEmpty;

  ScalarCodec(CqlType type) {
    this.type = type;
    this.number = NUMBERS.contains(type) || isTimestamp(type);
    this.bool = type.equals(CqlTypes.BOOLEAN);
    // A blob without bytes is 0x; an empty text is not a blob.
    this.hasEmpty = !type.equals(CqlTypes.BLOB) && isValid(type, NOTHING);
  }

  private static boolean isValid(CqlType type, byte[] value) {
    try {
      type.validate(value, 0, value.length);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  CqlType type() {
    return type;
  }

  @Override
  final void fromJson(JsonParser json, ByteSink out) throws IOException {
    JsonToken token = json.currentToken();
    boolean accepted =
        token == JsonToken.VALUE_STRING
            || (number && token.isNumeric())
            || (bool && token.isBoolean());
    if (!accepted) {
      throw wrongKind(
          type, token, number ? "a number, a string" : bool ? "true, false, a string" : "a string");
    }
    // Numbers too, so that none is rounded twice.
    fromText(json.getText(), out);
  }

  @Override
  void fromText(String text, ByteSink out) {
    if (!text.isEmpty() || !hasEmpty) {
      out.put(type.encode(text));
    }
  }

  @Override
  final void fromJsonString(String text, ByteSink out) {
    fromText(text, out);
  }
}
