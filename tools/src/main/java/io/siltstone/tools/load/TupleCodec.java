package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.List;

/** Parses {@code tuple} from JSON arrays. Fields at the end may be omitted. */
final class TupleCodec extends NestedCodec {
  private final List<ValueCodec> fields;

  TupleCodec(CqlType type) {
    super(type, JsonToken.START_ARRAY);
    this.fields = type.elementTypes().stream().map(ValueCodec::of).toList();
  }

  @Override
  void read(JsonParser json, ByteSink out) throws IOException {
    int count = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (count == fields.size()) {
        throw new IllegalArgumentException(
            "more than " + count + " fields for " + type().cqlName() + ", allowed " + count);
      }
      fieldFromJson(fields.get(count++), json, out);
    }
  }
}
