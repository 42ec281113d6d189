package io.siltstone.type.comparable;

import io.siltstone.type.CqlType;

/**
 * The encoding of a tuple or user type: its fields without the nulls at the end, so that a field
 * that is added to the type changes no form. Source: Cassandra {@code TupleType}.
 */
final class TupleForm implements ComparableType {
  private final String name;
  private final ComparableType[] fields;

  TupleForm(CqlType type) {
    this.name = type.cqlName();
    this.fields =
        type.elementTypes().stream().map(ComparableType::of).toArray(ComparableType[]::new);
  }

  @Override
  public boolean append(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    int end = offset + length;
    int at = offset;
    int nulls = 0;
    for (int i = 0; i < fields.length && at < end; i++) {
      int fieldLength = Parts.length(value, at, end, name);
      at += Parts.LENGTH_BYTES;
      if (fieldLength < 0) {
        nulls++;
        continue;
      }
      for (; nulls > 0; nulls--) {
        out.append(ComparableBytes.NULL_PART);
      }
      fields[i].appendPart(value, at, fieldLength, out, ComparableBytes.NULL_PART);
      at += fieldLength;
    }
    if (at < end) {
      throw new IllegalArgumentException(name + " with more than " + fields.length + " fields");
    }
    out.append(ComparableBytes.END);
    return true;
  }
}
