package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts the elements of a set or the entries of a map within the buffer that they were written to;
 * of equal ones, the last is kept. Confined to one thread.
 */
final class SortedElements {
  private final CqlType order;
  private int[] starts = new int[16];
  private int count;
  private boolean inOrder;

  /**
   * @param order type that compares the bytes after the length at the start of each entry
   */
  SortedElements(CqlType order) {
    this.order = order;
  }

  void clear() {
    count = 0;
    inOrder = true;
  }

  /** Registers an entry whose key, with its length before it, was written from the index on. */
  void add(ByteSink out, int start) {
    if (count == starts.length) {
      starts = java.util.Arrays.copyOf(starts, 2 * count);
    }
    starts[count++] = start;
    inOrder &= count == 1 || compare(out.bytes(), starts[count - 2], start) < 0;
  }

  private int compare(byte[] bytes, int left, int right) {
    return order.compare(
        bytes,
        left + Integer.BYTES,
        BigEndian.getInt(bytes, left),
        bytes,
        right + Integer.BYTES,
        BigEndian.getInt(bytes, right));
  }

  /**
   * Sorts the entries, which extend to the end of {@code out}.
   *
   * @return the number of entries kept
   */
  int finish(ByteSink out) {
    if (inOrder) {
      return count;
    }
    byte[] bytes = out.toByteArray();
    List<int[]> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ranges.add(new int[] {starts[i], i + 1 < count ? starts[i + 1] : bytes.length});
    }
    // Stable, so that the last of equal entries is the one that was given last.
    ranges.sort((left, right) -> compare(bytes, left[0], right[0]));
    out.truncate(starts[0]);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int[] range = ranges.get(i);
      if (i + 1 == count || compare(bytes, range[0], ranges.get(i + 1)[0]) != 0) {
        out.put(bytes, range[0], range[1] - range[0]);
        kept++;
      }
    }
    return kept;
  }
}
