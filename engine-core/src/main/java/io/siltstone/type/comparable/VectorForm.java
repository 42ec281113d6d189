package io.siltstone.type.comparable;

import io.siltstone.bytes.Vint;
import io.siltstone.type.CqlType;

/** The encoding of a vector: its elements. Source: Cassandra {@code VectorType}. */
final class VectorForm implements ComparableType {
  private final String name;
  private final ComparableType element;
  private final int elementLength;

  VectorForm(CqlType type) {
    CqlType elementType = type.elementTypes().get(0);
    this.name = type.cqlName();
    this.element = ComparableType.of(elementType);
    this.elementLength = elementType.fixedLength();
  }

  @Override
  public boolean append(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    if (elementLength == 0) {
      throw new IllegalArgumentException(name + " of " + length + " bytes, allowed 0");
    }
    int end = offset + length;
    int at = offset;
    while (at < end) {
      int partLength = elementLength;
      if (partLength == CqlType.VARIABLE_LENGTH) {
        if (!Vint.isWhole(value, at, end)) {
          throw Parts.truncated(name);
        }
        long stored = Vint.read(value, at);
        at += Vint.lengthFrom(value[at]);
        if (stored < 0 || stored > end - at) {
          throw Parts.truncated(name);
        }
        partLength = (int) stored;
      } else if (partLength > end - at) {
        throw Parts.truncated(name);
      }
      element.appendPart(value, at, partLength, out, ComparableBytes.NULL_PART);
      at += partLength;
    }
    out.append(ComparableBytes.END);
    return true;
  }
}
