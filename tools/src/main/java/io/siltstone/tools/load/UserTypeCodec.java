package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.type.UserType;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Parses a user-defined type from JSON objects. Missing fields are null. */
final class UserTypeCodec extends NestedCodec {
  private final ColumnNames names;
  private final List<ValueCodec> fields;

  UserTypeCodec(UserType type) {
    super(type, JsonToken.START_OBJECT);
    this.names = new ColumnNames(type.fields().stream().map(UserType.Field::name).toList());
    this.fields = type.fields().stream().map(field -> of(field.type())).toList();
  }

  @Override
  void read(JsonParser json, ByteSink out) throws IOException {
    // Fields may come in any order, so they are collected and then written in the type's order.
    ByteSink gathered = new ByteSink(64);
    int[] from = new int[fields.size()];
    int[] to = new int[fields.size()];
    Arrays.fill(from, -1);
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      int index = names.indexOf(name);
      if (index < 0) {
        throw new IllegalArgumentException(
            type().cqlName() + " has no field '" + Excerpt.of(name) + "', allowed " + names);
      }
      json.nextToken();
      from[index] = gathered.length();
      fieldFromJson(fields.get(index), json, gathered);
      to[index] = gathered.length();
    }
    for (int i = 0; i < from.length; i++) {
      if (from[i] < 0) {
        out.putInt(-1);
      } else {
        out.put(gathered.bytes(), from[i], to[i] - from[i]);
      }
    }
  }
}
