package io.siltstone.compaction.simulate;

import java.util.Arrays;

/**
 * The sampled rows of an SSTable in the order of their tokens, each with the time at which it was
 * written or deleted. Confined to one thread.
 */
final class SampledRows {
  /** A live row, unless its TTL has passed. */
  static final byte LIVE = 0;

  /** The tombstone of a deleted row. */
  static final byte DELETED = 1;

  /** The tombstone of an expired row. */
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

  /** Returns when the row was written, in microseconds. */
  long time(int index) {
    return times[index];
  }

  byte kind(int index) {
    return kinds[index];
  }

  boolean contains(long token) {
    return Arrays.binarySearch(tokens, 0, size, token) >= 0;
  }

  /** Returns the rows, which were added in any order, by token; of each token the last one. */
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

  /** Returns the merge of two samples; of each token the newer row. */
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
