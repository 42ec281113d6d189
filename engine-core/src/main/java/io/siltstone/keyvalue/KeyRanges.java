package io.siltstone.keyvalue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of ranges of keys, disjoint and in their order; ranges that overlap or adjoin are merged.
 * Immutable, provided that nobody changes its arrays.
 */
final class KeyRanges {
  /** About what a range takes on the heap in addition to its bounds. */
  static final int HEAP_BYTES = 96;

  static final KeyRanges NONE = new KeyRanges(List.of());

  private final List<Range> ranges;

  /**
   * A range of keys.
   *
   * @param from the first key, inclusive; empty for the first of all
   * @param to the last key, exclusive; null for no end
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Range(byte[] from, byte @Nullable [] to) {}

  private KeyRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  /** Returns the ranges in their order. */
  List<Range> ranges() {
    return ranges;
  }

  /** Returns these and another range. */
  KeyRanges with(byte[] from, byte @Nullable [] to) {
    if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
      return this;
    }
    List<Range> merged = new ArrayList<>(ranges.size() + 1);
    int i = 0;
    while (i < ranges.size() && isBefore(ranges.get(i).to, from)) {
      merged.add(ranges.get(i++));
    }
    byte[] first = from;
    byte[] end = to;
    while (i < ranges.size() && !isBefore(to, ranges.get(i).from)) {
      Range other = ranges.get(i++);
      first = Arrays.compareUnsigned(other.from, first) < 0 ? other.from : first;
      end = later(end, other.to);
    }
    merged.add(new Range(first, end));
    merged.addAll(ranges.subList(i, ranges.size()));
    return new KeyRanges(merged);
  }

  private static boolean isBefore(byte @Nullable [] end, byte[] begin) {
    return end != null && Arrays.compareUnsigned(end, begin) < 0;
  }

  private static byte @Nullable [] later(byte @Nullable [] left, byte @Nullable [] right) {
    if (left == null || right == null) {
      return null;
    }
    return Arrays.compareUnsigned(left, right) >= 0 ? left : right;
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
