package io.siltstone.type.comparable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;

/**
 * The encoding of a frozen list, set or map: its elements, or keys and values by turns. Source:
 * Cassandra {@code ListType}, {@code SetType}, {@code MapType}.
 */
final class CollectionForm implements ComparableType {
  private final String name;
  private final ComparableType[] parts;

  CollectionForm(CqlType type) {
    this.name = type.cqlName();
    this.parts =
        type.elementTypes().stream().map(ComparableType::of).toArray(ComparableType[]::new);
  }

  @Override
  public boolean append(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    if (length < Parts.LENGTH_BYTES) {
      throw Parts.truncated(name);
    }
    int end = offset + length;
    int count = BigEndian.getInt(value, offset);
    if (count < 0) {
      throw new IllegalArgumentException(name + " of " + count + " elements");
    }
    int at = offset + Parts.LENGTH_BYTES;
    for (int i = 0; i < count; i++) {
      for (ComparableType part : parts) {
        int partLength = Parts.length(value, at, end, name);
        if (partLength < 0) {
          throw new IllegalArgumentException(name + " with a null element, allowed none");
        }
        at += Parts.LENGTH_BYTES;
        part.appendPart(value, at, partLength, out, ComparableBytes.NULL_PART);
        at += partLength;
      }
    }
    out.append(ComparableBytes.END);
    return true;
  }
}
