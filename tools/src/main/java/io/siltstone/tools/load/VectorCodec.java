package io.siltstone.tools.load;

import io.siltstone.bytes.Vint;
import io.siltstone.type.CqlType;

/** {@code vector}, from JSON arrays of exactly its dimension. */
final class VectorCodec extends NestedCodec {
  private final CqlType elementType;
  private final ValueCodec element;
  private final ByteSink one = new ByteSink(16);
  private final byte[] prefix = new byte[Vint.MAX_LENGTH];

  VectorCodec(CqlType type) {
    super(type);
    this.elementType = type.elementTypes().get(0);
    this.element = of(elementType);
  }

  @Override
  void fromJson(JsonReader outer, ByteSink out) {
    JsonReader json = unwrap(outer, JsonReader.Kind.ARRAY, "an array");
    int start = out.length();
    int count = 0;
    json.beginArray();
    for (boolean first = true; json.nextElement(first); first = false) {
      one.clear();
      elementFromJson(type(), element, json, one);
      if (elementType.fixedLength() == CqlType.VARIABLE_LENGTH) {
        out.put(prefix, 0, Vint.write(prefix, 0, one.length()));
      }
      out.put(one.bytes(), 0, one.length());
      count++;
    }
    if (json != outer) {
      json.end();
    }
    try {
      type().validate(out.bytes(), start, out.length() - start);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(count + " elements are no " + type().cqlName(), e);
    }
  }
}
