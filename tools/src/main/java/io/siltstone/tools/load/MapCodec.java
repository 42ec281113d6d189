package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import java.io.IOException;

/**
 * Parses {@code map} from JSON objects, whose names are the keys. Keys that are not text are JSON
 * within the name.
 */
final class MapCodec extends NestedCodec {
  private final CqlType keyType;
  private final ValueCodec key;
  private final ValueCodec value;

  MapCodec(CqlType type) {
    super(type, JsonToken.START_OBJECT);
    this.keyType = type.elementTypes().get(0);
    this.key = of(keyType);
    this.value = of(type.elementTypes().get(1));
  }

  @Override
  void read(JsonParser json, ByteSink out) throws IOException {
    int countAt = out.reserve(Integer.BYTES);
    SortedElements sorted = new SortedElements(keyType);
    sorted.clear();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      int start = out.reserve(Integer.BYTES);
      key.fromJsonString(json.currentName(), out);
      endElement(out, start);
      sorted.add(out, start);
      int valueAt = out.reserve(Integer.BYTES);
      json.nextToken();
      elementFromJson(type(), value, json, out);
      endElement(out, valueAt);
    }
    int kept = sorted.finish(out);
    BigEndian.putInt(out.bytes(), countAt, kept);
  }
}
