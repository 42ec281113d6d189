package io.siltstone.type;

import java.util.Arrays;

/** Comparisons that several types share. They allocate nothing. */
final class Order {
  private Order() {}

  /** Returns the bytes as unsigned numbers, a prefix first. */
  static int unsigned(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Arrays.compareUnsigned(
        left, leftOffset, leftOffset + leftLength, right, rightOffset, rightOffset + rightLength);
  }

  /** Compares big-endian two's complement: first byte signed, the others unsigned, empty first. */
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

  /** Compares two values of which at least one is empty. */
  static int emptyFirst(int leftLength, int rightLength) {
    return Boolean.compare(leftLength != 0, rightLength != 0);
  }
}
