package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.type.CqlType;
import java.io.IOException;

/**
 * Base of the codecs of types with elements: text is a CQL literal, and a JSON string contains
 * JSON.
 */
abstract class NestedCodec extends ValueCodec {
  private final CqlType type;
  private final JsonToken start;

  /**
   * @param start first token of the type's JSON
   */
  NestedCodec(CqlType type, JsonToken start) {
    this.type = type.frozen();
    this.start = start;
  }

  final CqlType type() {
    return type;
  }

  /** Appends the value at whose start the parser stands, and advances to its end. */
  abstract void read(JsonParser json, ByteSink out) throws IOException;

  private void readFromStart(JsonParser json, ByteSink out) throws IOException {
    if (json.currentToken() != start) {
      throw wrongKind(
          type, json.currentToken(), start == JsonToken.START_OBJECT ? "an object" : "an array");
    }
    read(json, out);
  }

  @Override
  final void fromJson(JsonParser json, ByteSink out) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      JsonInput.read(json.getText(), inner -> readFromStart(inner, out));
    } else {
      readFromStart(json, out);
    }
  }

  @Override
  final void fromText(String text, ByteSink out) {
    out.put(type.encodeLiteral(text));
  }

  @Override
  final void fromJsonString(String text, ByteSink out) {
    JsonInput.read(text, json -> fromJson(json, out));
  }
}
