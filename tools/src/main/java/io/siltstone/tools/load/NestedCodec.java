package io.siltstone.tools.load;

import io.siltstone.type.CqlType;

/** What types with parts have in common: text is a CQL literal, a JSON string holds JSON. */
abstract class NestedCodec extends ValueCodec {
  private final CqlType type;

  NestedCodec(CqlType type) {
    this.type = type.frozen();
  }

  CqlType type() {
    return type;
  }

  /** Checks what comes next; passes over a string around it. */
  final JsonReader unwrap(JsonReader json, JsonReader.Kind wanted, String allowed) {
    JsonReader.Kind found = json.peek();
    if (found == wanted) {
      return json;
    }
    if (found != JsonReader.Kind.STRING) {
      throw wrongKind(type, found, allowed);
    }
    json.string();
    return parse(json.text(), json.textFrom(), json.textTo());
  }

  private static JsonReader parse(byte[] text, int from, int to) {
    // The reader's own bytes may be those of its escapes, which the next string overwrites.
    JsonReader inner = new JsonReader();
    inner.wrap(java.util.Arrays.copyOfRange(text, from, to), 0, to - from);
    return inner;
  }

  @Override
  final void fromText(byte[] text, int from, int to, ByteSink out) {
    out.put(type.encodeLiteral(string(text, from, to)));
  }

  @Override
  final void fromJsonString(byte[] text, int from, int to, ByteSink out) {
    JsonReader json = parse(text, from, to);
    fromJson(json, out);
    json.end();
  }
}
