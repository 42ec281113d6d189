package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import java.util.List;

/** {@code tuple}, from JSON arrays; fields at the end may be left out. */
final class TupleCodec extends NestedCodec {
  private final List<ValueCodec> fields;

  TupleCodec(CqlType type) {
    super(type);
    this.fields = type.elementTypes().stream().map(ValueCodec::of).toList();
  }

  @Override
  void fromJson(JsonReader outer, ByteSink out) {
    JsonReader json = unwrap(outer, JsonReader.Kind.ARRAY, "an array");
    int count = 0;
    json.beginArray();
    for (boolean first = true; json.nextElement(first); first = false) {
      if (count == fields.size()) {
        throw new IllegalArgumentException(
            "more than " + count + " fields for " + type().cqlName() + ", allowed " + count);
      }
      fieldFromJson(fields.get(count++), json, out);
    }
    if (json != outer) {
      json.end();
    }
  }
}
