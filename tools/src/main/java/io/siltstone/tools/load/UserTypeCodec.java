package io.siltstone.tools.load;

import io.siltstone.type.UserType;
import io.siltstone.type.UserTypeField;
import java.util.Arrays;
import java.util.List;

/** A user type, from JSON objects; fields that are not there are null. */
final class UserTypeCodec extends NestedCodec {
  private final ColumnNames names;
  private final List<ValueCodec> fields;

  UserTypeCodec(UserType type) {
    super(type);
    this.names = new ColumnNames(type.fields().stream().map(UserTypeField::name).toList());
    this.fields = type.fields().stream().map(field -> of(field.type())).toList();
  }

  @Override
  void fromJson(JsonReader outer, ByteSink out) {
    JsonReader json = unwrap(outer, JsonReader.Kind.OBJECT, "an object");
    // Fields may come in any order, so they are gathered before they are put in theirs.
    ByteSink gathered = new ByteSink(64);
    int[] from = new int[fields.size()];
    int[] to = new int[fields.size()];
    Arrays.fill(from, -1);
    json.beginObject();
    for (boolean first = true; json.nextField(first); first = false) {
      int index = names.indexOf(json.textString());
      if (index < 0) {
        throw new IllegalArgumentException(
            type().cqlName() + " has no field '" + json.textString() + "', allowed " + names);
      }
      from[index] = gathered.length();
      fieldFromJson(fields.get(index), json, gathered);
      to[index] = gathered.length();
    }
    if (json != outer) {
      json.end();
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
