package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.bytes.Vint;
import io.siltstone.type.CqlType;
import java.io.IOException;

/** Parses {@code vector} from JSON arrays with exactly its number of elements. */
final class VectorCodec extends NestedCodec {
  private final CqlType elementType;
  private final ValueCodec element;
  private final ByteSink one = new ByteSink(16);
  private final byte[] prefix = new byte[Vint.MAX_LENGTH];

  VectorCodec(CqlType type) {
    super(type, JsonToken.START_ARRAY);
    this.elementType = type.elementTypes().get(0);
    this.element = of(elementType);
  }

  @Override
  void read(JsonParser json, ByteSink out) throws IOException {
    int start = out.length();
    int count = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      one.clear();
      elementFromJson(type(), element, json, one);
      if (elementType.fixedLength() == CqlType.VARIABLE_LENGTH) {
        out.put(prefix, 0, Vint.write(prefix, 0, one.length()));
      }
      out.put(one.bytes(), 0, one.length());
      count++;
    }
    try {
      type().validate(out.bytes(), start, out.length() - start);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(count + " elements are no " + type().cqlName(), e);
    }
  }
}
