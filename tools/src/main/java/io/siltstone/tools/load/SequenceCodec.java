package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;

/** {@code list} and {@code set}, from JSON arrays. */
final class SequenceCodec extends NestedCodec {
  private final ValueCodec element;
  private final CqlType elementType;
  private final boolean isSet;

  SequenceCodec(CqlType type) {
    super(type);
    this.elementType = type.elementTypes().get(0);
    this.element = of(elementType);
    this.isSet = type.kind() == TypeKind.SET;
  }

  @Override
  void fromJson(JsonReader outer, ByteSink out) {
    JsonReader json = unwrap(outer, JsonReader.Kind.ARRAY, "an array");
    int countAt = out.reserve(Integer.BYTES);
    SortedElements sorted = new SortedElements(elementType);
    sorted.clear();
    int count = 0;
    json.beginArray();
    for (boolean first = true; json.nextElement(first); first = false) {
      int start = out.reserve(Integer.BYTES);
      elementFromJson(type(), element, json, out);
      endElement(out, start);
      count++;
      if (isSet) {
        sorted.add(out, start);
      }
    }
    if (json != outer) {
      json.end();
    }
    int kept = isSet ? sorted.finish(out) : count;
    BigEndian.putInt(out.bytes(), countAt, kept);
  }
}
