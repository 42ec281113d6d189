package io.siltstone.bulk;

import io.siltstone.bytes.BigEndian;
import io.siltstone.partitioner.PartitionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records in memory up to a budget, and their order. Memory is reused from one filling to the next;
 * a record larger than a segment has its own array. Confined to one thread.
 *
 * <p>Records are sorted by a merge sort over two columns, token and address. The sort is stable, so
 * that rows of the same key stay in the order of the input, and takes linear time on sorted input.
 */
final class RecordArena {
  private static final int MAX_SEGMENT_BYTES = 4 << 20;
  private static final int MIN_SEGMENT_BYTES = 4 << 10;

  /** Memory per record for token and address, each twice. */
  private static final int ORDER_BYTES = 4 * Long.BYTES;

  private static final int INSERTION_LENGTH = 8;

  private final RecordOrder order;
  private final long budgetBytes;
  private final int segmentBytes;

  private final List<byte[]> segments = new ArrayList<>();
  private final List<byte[]> free = new ArrayList<>();
  private byte[] segment = {};
  private int used;
  private long segmentTotal;

  private long[] tokens = new long[256];
  private long[] addresses = new long[256];
  private long[] tokensBuffer = {};
  private long[] addressesBuffer = {};
  private int count;

  RecordArena(RecordOrder order, long budgetBytes) {
    this.order = order;
    this.budgetBytes = budgetBytes;
    this.segmentBytes =
        (int) Math.max(MIN_SEGMENT_BYTES, Math.min(MAX_SEGMENT_BYTES, budgetBytes / 16));
  }

  int count() {
    return count;
  }

  /** Returns whether a record of that length would exceed the budget; the first one never does. */
  boolean isFull(int length) {
    long needed = segment.length - used >= length ? 0 : Math.max(length, segmentBytes);
    return count > 0
        && (segmentTotal + needed + (count + 1L) * ORDER_BYTES > budgetBytes
            || count == Integer.MAX_VALUE - 8);
  }

  /** Reserves space for a record; its bytes start in {@link #bytes()} at the returned index. */
  int allocate(int length, long token) {
    if (segment.length - used < length) {
      nextSegment(length);
    }
    if (count == tokens.length) {
      int capacity = (int) Math.min(Integer.MAX_VALUE - 8, count + (count >> 1) + 16L);
      tokens = Arrays.copyOf(tokens, capacity);
      addresses = Arrays.copyOf(addresses, capacity);
    }
    tokens[count] = token;
    addresses[count] = ((long) (segments.size() - 1) << Integer.SIZE) | used;
    count++;
    int at = used;
    used += length;
    return at;
  }

  private void nextSegment(int length) {
    if (length > segmentBytes) {
      segment = new byte[length];
    } else {
      segment = free.isEmpty() ? new byte[segmentBytes] : free.remove(free.size() - 1);
    }
    segments.add(segment);
    segmentTotal += segment.length;
    used = 0;
  }

  /** Returns the array in which {@link #allocate} reserved space last. */
  byte[] bytes() {
    return segment;
  }

  /** Removes all records. */
  void clear() {
    for (byte[] array : segments) {
      if (array.length == segmentBytes) {
        free.add(array);
      }
    }
    segments.clear();
    segment = new byte[0];
    used = 0;
    segmentTotal = 0;
    count = 0;
  }

  /** Releases all memory. */
  void release() {
    clear();
    free.clear();
    tokens = new long[0];
    addresses = new long[0];
    tokensBuffer = new long[0];
    addressesBuffer = new long[0];
  }

  /** Sorts the records. */
  void sort() {
    if (tokensBuffer.length < count) {
      tokensBuffer = new long[tokens.length];
      addressesBuffer = new long[tokens.length];
    }
    sort(0, count);
  }

  private void sort(int from, int to) {
    if (to - from <= INSERTION_LENGTH) {
      insertionSort(from, to);
      return;
    }
    int middle = (from + to) >>> 1;
    sort(from, middle);
    sort(middle, to);
    if (compare(tokens[middle - 1], addresses[middle - 1], tokens[middle], addresses[middle]) > 0) {
      merge(from, middle, to);
    }
  }

  private void insertionSort(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long token = tokens[i];
      long address = addresses[i];
      int at = i;
      while (at > from && compare(tokens[at - 1], addresses[at - 1], token, address) > 0) {
        tokens[at] = tokens[at - 1];
        addresses[at] = addresses[at - 1];
        at--;
      }
      tokens[at] = token;
      addresses[at] = address;
    }
  }

  private void merge(int from, int middle, int to) {
    int leftCount = middle - from;
    System.arraycopy(tokens, from, tokensBuffer, 0, leftCount);
    System.arraycopy(addresses, from, addressesBuffer, 0, leftCount);
    int left = 0;
    int right = middle;
    int at = from;
    while (left < leftCount && right < to) {
      if (compare(tokensBuffer[left], addressesBuffer[left], tokens[right], addresses[right])
          <= 0) {
        tokens[at] = tokensBuffer[left];
        addresses[at++] = addressesBuffer[left++];
      } else {
        tokens[at] = tokens[right];
        addresses[at++] = addresses[right++];
      }
    }
    System.arraycopy(tokensBuffer, left, tokens, at, leftCount - left);
    System.arraycopy(addressesBuffer, left, addresses, at, leftCount - left);
  }

  private int compare(long leftToken, long leftAddress, long rightToken, long rightAddress) {
    if (leftToken != rightToken) {
      return leftToken < rightToken ? -1 : 1;
    }
    return order.compareWithinToken(
        segments.get((int) (leftAddress >>> Integer.SIZE)),
        (int) leftAddress,
        segments.get((int) (rightAddress >>> Integer.SIZE)),
        (int) rightAddress);
  }

  /** Returns the token of a record by its index in the present order. */
  long token(int index) {
    return tokens[index];
  }

  /** Returns the array that contains a record. */
  byte[] bytesOf(int index) {
    return segments.get((int) (addresses[index] >>> Integer.SIZE));
  }

  /** Returns the index in {@link #bytesOf} of a record. */
  int fromOf(int index) {
    return (int) addresses[index];
  }

  /** Returns whether two records belong to the same partition. */
  boolean isSamePartition(int left, int right) {
    return tokens[left] == tokens[right]
        && RecordOrder.isSamePartition(bytesOf(left), fromOf(left), bytesOf(right), fromOf(right));
  }

  /** Returns whether two records are equal: of the same kind and primary key. */
  boolean isEqual(int left, int right) {
    return compare(tokens[left], addresses[left], tokens[right], addresses[right]) == 0;
  }

  /** Returns the number of partitions of the records, which must be sorted. */
  int partitions() {
    int partitions = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || !isSamePartition(i - 1, i)) {
        partitions++;
      }
    }
    return partitions;
  }

  /** Writes the fixed part of a record; what follows it begins at the returned index. */
  static int putHead(byte[] to, int at, int length, PartitionKey key, byte kind) {
    BigEndian.putInt(to, at, length);
    BigEndian.putLong(to, at + RecordFormat.TOKEN_AT, key.token());
    BigEndian.putShort(to, at + RecordFormat.KEY_LENGTH_AT, key.length());
    System.arraycopy(key.bytes(), key.offset(), to, at + RecordFormat.KEY_AT, key.length());
    int kindAt = at + RecordFormat.KEY_AT + key.length();
    to[kindAt] = kind;
    return kindAt + 1;
  }
}
