package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.io.IOException;

/** Parses {@code list} and {@code set} from JSON arrays. */
final class SequenceCodec extends NestedCodec {
  private final ValueCodec element;
  private final CqlType elementType;
  private final boolean isSet;

  SequenceCodec(CqlType type) {
    super(type, JsonToken.START_ARRAY);
    this.elementType = type.elementTypes().get(0);
    this.element = of(elementType);
    this.isSet = type.kind() == TypeKind.SET;
  }

  @Override
  void read(JsonParser json, ByteSink out) throws IOException {
    int countAt = out.reserve(Integer.BYTES);
    SortedElements sorted = new SortedElements(elementType);
    sorted.clear();
    int count = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      int start = out.reserve(Integer.BYTES);
      elementFromJson(type(), element, json, out);
      endElement(out, start);
      count++;
      if (isSet) {
        sorted.add(out, start);
      }
    }
    int kept = isSet ? sorted.finish(out) : count;
    BigEndian.putInt(out.bytes(), countAt, kept);
  }
}
