package io.siltstone.keyvalue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of keys that a batch deletes: a set that grows, of disjoint ranges; those that overlap
 * or adjoin are merged. An addition costs the logarithm of their number. Not thread-safe; the
 * bounds must not be changed.
 */
final class StagedRanges {
  /** About what a range takes on the heap in addition to its bounds. */
  private static final int HEAP_BYTES = 96;

  private final TreeMap<byte[], KeyRanges.Range> byFirstKey =
      new TreeMap<>(Arrays::compareUnsigned);
  private long boundBytes;
  // The ranges as they are now, once they were asked for.
  private @Nullable KeyRanges present;

  /** Adds a range, which is not empty. */
  void add(byte[] from, byte @Nullable [] to) {
    present = null;
    byte[] first = from;
    byte[] end = to;
    Map.Entry<byte[], KeyRanges.Range> before = byFirstKey.floorEntry(from);
    if (before != null && !endsBefore(before.getValue().to(), from)) {
      first = before.getKey();
      end = later(end, before.getValue().to());
      remove(before.getValue());
    }
    Map.Entry<byte[], KeyRanges.Range> next = byFirstKey.ceilingEntry(first);
    while (next != null && !endsBefore(end, next.getKey())) {
      end = later(end, next.getValue().to());
      remove(next.getValue());
      next = byFirstKey.ceilingEntry(first);
    }
    KeyRanges.Range added = new KeyRanges.Range(first, end);
    byFirstKey.put(first, added);
    boundBytes += boundBytes(added);
  }

  private void remove(KeyRanges.Range range) {
    byFirstKey.remove(range.from());
    boundBytes -= boundBytes(range);
  }

  private static int boundBytes(KeyRanges.Range range) {
    byte[] to = range.to();
    return range.from().length + (to == null ? 0 : to.length);
  }

  private static boolean endsBefore(byte @Nullable [] end, byte[] begin) {
    return end != null && Arrays.compareUnsigned(end, begin) < 0;
  }

  private static byte @Nullable [] later(byte @Nullable [] left, byte @Nullable [] right) {
    if (left == null || right == null) {
      return null;
    }
    return Arrays.compareUnsigned(left, right) >= 0 ? left : right;
  }

  /** Returns whether a range contains a key. */
  boolean contains(byte[] key) {
    Map.Entry<byte[], KeyRanges.Range> last = byFirstKey.floorEntry(key);
    byte[] to = last == null ? key : last.getValue().to();
    return last != null && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }

  /** Returns the number of ranges. */
  int size() {
    return byFirstKey.size();
  }

  /** Returns the size of all bounds. */
  long dataBytes() {
    return boundBytes;
  }

  /** Returns about how many bytes of the heap is taken. */
  long heapBytes() {
    return boundBytes + (long) HEAP_BYTES * byFirstKey.size();
  }

  /** Returns the ranges as they are now. */
  KeyRanges ranges() {
    KeyRanges known = present;
    if (known == null) {
      known = new KeyRanges(List.copyOf(byFirstKey.values()));
      present = known;
    }
    return known;
  }
}
