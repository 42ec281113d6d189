package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;

/** {@code map}, from JSON objects whose names are the keys, those that are no text as JSON. */
final class MapCodec extends NestedCodec {
  private final CqlType keyType;
  private final ValueCodec key;
  private final ValueCodec value;

  MapCodec(CqlType type) {
    super(type);
    this.keyType = type.elementTypes().get(0);
    this.key = of(keyType);
    this.value = of(type.elementTypes().get(1));
  }

  @Override
  void fromJson(JsonReader outer, ByteSink out) {
    JsonReader json = unwrap(outer, JsonReader.Kind.OBJECT, "an object");
    int countAt = out.reserve(Integer.BYTES);
    SortedElements sorted = new SortedElements(keyType);
    sorted.clear();
    json.beginObject();
    for (boolean first = true; json.nextField(first); first = false) {
      int start = out.reserve(Integer.BYTES);
      key.fromJsonString(json.text(), json.textFrom(), json.textTo(), out);
      endElement(out, start);
      sorted.add(out, start);
      int valueAt = out.reserve(Integer.BYTES);
      elementFromJson(type(), value, json, out);
      endElement(out, valueAt);
    }
    if (json != outer) {
      json.end();
    }
    int kept = sorted.finish(out);
    BigEndian.putInt(out.bytes(), countAt, kept);
  }
}
