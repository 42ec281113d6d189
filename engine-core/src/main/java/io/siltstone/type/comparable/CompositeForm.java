package io.siltstone.type.comparable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;

/**
 * The encoding of a composite: a first part that tells statics from others, then each component,
 * and its end byte as a signed one. Source: Cassandra {@code CompositeType}.
 */
final class CompositeForm implements ComparableType {
  private static final int STATIC = 0xffff;
  private static final int SIGN = 0x80;

  private final String name;
  private final ComparableType[] components;

  CompositeForm(CqlType type) {
    this.name = type.cqlName();
    this.components =
        type.elementTypes().stream().map(ComparableType::of).toArray(ComparableType[]::new);
  }

  @Override
  public boolean append(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    int end = offset + length;
    int at = offset;
    boolean isStatic = length >= Short.BYTES && BigEndian.getUnsignedShort(value, offset) == STATIC;
    out.append(isStatic ? ComparableBytes.NULL_PART : ComparableBytes.NEXT_PART);
    if (isStatic) {
      at += Short.BYTES;
    }
    for (int i = 0; at < end; i++) {
      if (i == components.length) {
        throw new IllegalArgumentException(
            name + " with more than " + components.length + " components");
      }
      int part = end - at < Short.BYTES ? end : BigEndian.getUnsignedShort(value, at);
      at += Short.BYTES;
      if (part > end - at - 1) {
        throw Parts.truncated(name);
      }
      components[i].appendPart(value, at, part, out, ComparableBytes.NULL_PART);
      at += part;
      out.append(ComparableBytes.NEXT_PART);
      out.append(value[at] ^ SIGN);
      at++;
    }
    out.append(ComparableBytes.END);
    return true;
  }
}
