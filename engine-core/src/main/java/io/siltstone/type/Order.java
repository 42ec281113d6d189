package io.siltstone.type;

import java.util.Arrays;

/** Orders that several types share. Allocates nothing. */
final class Order {
  private Order() {}

  /** Returns the bytes as unsigned numbers, a prefix first. */
  static int unsigned(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Arrays.compareUnsigned(
        left, leftOffset, leftOffset + leftLength, right, rightOffset, rightOffset + rightLength);
  }

  /** Big-endian two's complement: first byte signed, the others unsigned, empty first. */
  static int signed(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return emptyFirst(leftLength, rightLength);
    }
    int first = Byte.compare(left[leftOffset], right[rightOffset]);
    return first != 0
        ? first
        : unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  /** Of two values at least one of which is empty. */
  static int emptyFirst(int leftLength, int rightLength) {
    return Boolean.compare(leftLength != 0, rightLength != 0);
  }
}
