package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.util.Set;

/**
 * A scalar type by way of {@link CqlType#encode}; what is more frequent has codecs of its own,
 * which fall back to this one for rare forms. An empty text is the empty value of types that have
 * one.
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
          CqlTypes.DATE,
          CqlTypes.TIMESTAMP);
  private static final byte[] NOTHING = {};

  private final CqlType type;
  private final boolean number;
  private final boolean bool;
  private final boolean hasEmpty;

  ScalarCodec(CqlType type) {
    this.type = type;
    this.number = NUMBERS.contains(type);
    this.bool = type.equals(CqlTypes.BOOLEAN);
    // A blob without bytes is 0x; an empty text is not one.
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
  final void fromJson(JsonReader json, ByteSink out) {
    JsonReader.Kind kind = json.peek();
    if (kind == JsonReader.Kind.STRING) {
      json.string();
      fromText(json.text(), json.textFrom(), json.textTo(), out);
    } else if (kind == JsonReader.Kind.NUMBER && number) {
      json.number();
      fromText(json.text(), json.textFrom(), json.textTo(), out);
    } else if (kind == JsonReader.Kind.BOOLEAN && bool) {
      out.put(json.booleanValue() ? 1 : 0);
    } else {
      throw wrongKind(
          type, kind, number ? "a number, a string" : bool ? "true, false, a string" : "a string");
    }
  }

  @Override
  void fromText(byte[] text, int from, int to, ByteSink out) {
    if (from == to && hasEmpty) {
      return;
    }
    out.put(type.encode(string(text, from, to)));
  }

  @Override
  final void fromJsonString(byte[] text, int from, int to, ByteSink out) {
    fromText(text, from, to, out);
  }
}
