package io.siltstone.compaction.simulate;

import java.util.Arrays;

/**
 * Rows of a table in the order of their tokens, each with the time it was written or deleted.
 * Grows; confined to one thread.
 */
final class SampledRows {
  /** A row that is there. */
  static final byte LIVE = 0;

  /** The tombstone of one that was deleted. */
  static final byte DELETED = 1;

  /** What is left of one that has expired. */
  static final byte EXPIRED = 2;

  private long[] tokens;
  private long[] times;
  private byte[] kinds;
  private int size;

  SampledRows(int capacity) {
    tokens = new long[capacity];
    times = new long[capacity];
    kinds = new byte[capacity];
  }

  void add(long token, long micros, byte kind) {
    if (size == tokens.length) {
      int capacity = Math.max(16, 2 * size);
      tokens = Arrays.copyOf(tokens, capacity);
      times = Arrays.copyOf(times, capacity);
      kinds = Arrays.copyOf(kinds, capacity);
    }
    tokens[size] = token;
    times[size] = micros;
    kinds[size++] = kind;
  }

  int size() {
    return size;
  }

  long token(int index) {
    return tokens[index];
  }

  /** When it was written, in microseconds. */
  long time(int index) {
    return times[index];
  }

  byte kind(int index) {
    return kinds[index];
  }

  boolean contains(long token) {
    return Arrays.binarySearch(tokens, 0, size, token) >= 0;
  }

  /** What has been added in whatever order, by token; of each token the last. */
  SampledRows sorted() {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        (a, b) ->
            tokens[a] != tokens[b] ? Long.compare(tokens[a], tokens[b]) : Integer.compare(b, a));
    SampledRows sorted = new SampledRows(size);
    for (int index : order) {
      if (sorted.size == 0 || sorted.tokens[sorted.size - 1] != tokens[index]) {
        sorted.add(tokens[index], times[index], kinds[index]);
      }
    }
    return sorted;
  }

  /** Both; of each token the newer. */
  static SampledRows merge(SampledRows one, SampledRows other) {
    SampledRows merged = new SampledRows(one.size + other.size);
    int i = 0;
    int j = 0;
    while (i < one.size && j < other.size) {
      int order = Long.compare(one.tokens[i], other.tokens[j]);
      if (order < 0 || (order == 0 && one.times[i] >= other.times[j])) {
        merged.add(one.tokens[i], one.times[i], one.kinds[i]);
        j += order == 0 ? 1 : 0;
        i++;
      } else {
        merged.add(other.tokens[j], other.times[j], other.kinds[j]);
        i += order == 0 ? 1 : 0;
        j++;
      }
    }
    for (; i < one.size; i++) {
      merged.add(one.tokens[i], one.times[i], one.kinds[i]);
    }
    for (; j < other.size; j++) {
      merged.add(other.tokens[j], other.times[j], other.kinds[j]);
    }
    return merged;
  }
}
