package io.siltstone.mutation;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.util.Arrays;

/**
 * Iterates over the elements of a collection or user type in the serialized form of the frozen
 * type, see {@link CqlType#encode}. The bytes must be valid.
 */
final class Elements {
  private static final byte[] NOTHING = {};

  /** Receives each element. */
  interface Visitor {
    /**
     * Called for each element.
     *
     * @param path of a set's element, a map's entry or a field; empty for a list's element, which
     *     has none yet
     * @param value empty for a set's element
     */
    void visit(byte[] path, byte[] value);
  }

  private Elements() {}

  /** Passes each element in the order of the value; null fields are left out. */
  static void visit(CqlType type, byte[] bytes, Visitor visitor) {
    int at = type.kind() == TypeKind.USER ? 0 : Integer.BYTES;
    for (int index = 0; at < bytes.length; index++) {
      byte[] first = part(bytes, at);
      int length = BigEndian.getInt(bytes, at);
      at += Integer.BYTES + Math.max(length, 0);
      switch (type.kind()) {
        case LIST -> visitor.visit(NOTHING, first);
        case SET -> visitor.visit(first, NOTHING);
        case MAP -> {
          byte[] value = part(bytes, at);
          at += Integer.BYTES + value.length;
          visitor.visit(first, value);
        }
        case USER -> {
          if (length >= 0) {
            visitor.visit(fieldPath(index), first);
          }
        }
        default -> throw new IllegalArgumentException(type.cqlName() + " has no elements");
      }
    }
  }

  private static byte[] part(byte[] bytes, int at) {
    int from = at + Integer.BYTES;
    return Arrays.copyOfRange(bytes, from, from + Math.max(BigEndian.getInt(bytes, at), 0));
  }

  /** Returns the path of the field at an index of a user type. */
  static byte[] fieldPath(int index) {
    byte[] path = new byte[Short.BYTES];
    BigEndian.putShort(path, 0, index);
    return path;
  }
}
