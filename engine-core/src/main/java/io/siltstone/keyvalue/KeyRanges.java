package io.siltstone.keyvalue;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of ranges of keys, disjoint and in their order. Immutable, provided that nobody changes its
 * arrays.
 */
final class KeyRanges {
  private final List<Range> ranges;

  /**
   * A range of keys.
   *
   * @param from the first key, inclusive; empty for the first of all
   * @param to the last key, exclusive; null for no end
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Range(byte[] from, byte @Nullable [] to) {}

  /**
   * @param ranges disjoint and in their order; not copied
   */
  KeyRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  /** Returns the ranges in their order. */
  List<Range> ranges() {
    return ranges;
  }

  /** Returns the range that contains a key; null if there is none. */
  @Nullable Range find(byte[] array, int offset, int length) {
    int low = 0;
    int high = ranges.size();
    // The first range that begins after the key.
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] from = ranges.get(middle).from;
      if (Arrays.compareUnsigned(from, 0, from.length, array, offset, offset + length) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return null;
    }
    Range last = ranges.get(low - 1);
    byte[] to = last.to;
    boolean contains =
        to == null || Arrays.compareUnsigned(array, offset, offset + length, to, 0, to.length) < 0;
    return contains ? last : null;
  }
}
