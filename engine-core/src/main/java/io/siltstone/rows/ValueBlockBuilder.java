package io.siltstone.rows;

import io.siltstone.bytes.BigEndian;
import java.util.Arrays;

/**
 * Collects values in the form of {@link ValueBlock}; reusable, confined to one thread, allocates
 * nothing but the finished block once its array has grown.
 */
final class ValueBlockBuilder {
  private static final int NULL = -1;
  private static final int LEAST_BYTES = 64;

  private byte[] bytes = {};
  private int length;
  private int valueFrom;

  /** Begins a block whose values are all null. */
  void begin(int slots) {
    length = 0;
    reserve((long) slots * Integer.BYTES);
    length = slots * Integer.BYTES;
    Arrays.fill(bytes, 0, length, (byte) 0);
  }

  /** Sets a value that has no times. */
  void value(int slot, byte[] from, int offset, int valueLength) {
    reserve((long) ValueBlock.LENGTH_BYTES + valueLength);
    BigEndian.putInt(bytes, length, valueLength);
    length += ValueBlock.LENGTH_BYTES;
    BigEndian.putInt(bytes, slot * Integer.BYTES, length);
    put(from, offset, valueLength);
  }

  /** Sets the value of a cell. */
  void cell(int slot, long timestamp, long expires, byte[] from, int offset, int valueLength) {
    reserve((long) ValueBlock.TIMES_BYTES + ValueBlock.LENGTH_BYTES + valueLength);
    BigEndian.putLong(bytes, length, timestamp);
    BigEndian.putLong(bytes, length + Long.BYTES, expires);
    length += ValueBlock.TIMES_BYTES;
    value(slot, from, offset, valueLength);
  }

  /** Begins the value of a multi-cell column, of which the parts follow. */
  void beginParts() {
    reserve((long) ValueBlock.TIMES_BYTES + ValueBlock.LENGTH_BYTES);
    length += ValueBlock.TIMES_BYTES + ValueBlock.LENGTH_BYTES;
    valueFrom = length;
  }

  /** Adds a count, to be set by {@link #setCount}. */
  void beginCount() {
    putInt(0);
  }

  /** Sets the count that the parts began with. */
  void setCount(int count) {
    BigEndian.putInt(bytes, valueFrom, count);
  }

  /** Adds a part that is null. */
  void nullPart() {
    putInt(NULL);
  }

  /** Adds a part with its length. */
  void part(byte[] from, int offset, int partLength) {
    putInt(partLength);
    reserve(partLength);
    put(from, offset, partLength);
  }

  /** Ends the value begun with {@link #beginParts}. */
  void endParts(int slot, long timestamp, long expires) {
    BigEndian.putInt(bytes, valueFrom - ValueBlock.LENGTH_BYTES, length - valueFrom);
    BigEndian.putLong(
        bytes, valueFrom - ValueBlock.LENGTH_BYTES - ValueBlock.TIMES_BYTES, timestamp);
    BigEndian.putLong(bytes, valueFrom - ValueBlock.LENGTH_BYTES - Long.BYTES, expires);
    BigEndian.putInt(bytes, slot * Integer.BYTES, valueFrom);
  }

  /** Forgets the value begun with {@link #beginParts}. */
  void dropParts() {
    length = valueFrom - ValueBlock.LENGTH_BYTES - ValueBlock.TIMES_BYTES;
  }

  private void putInt(int number) {
    reserve(Integer.BYTES);
    BigEndian.putInt(bytes, length, number);
    length += Integer.BYTES;
  }

  private void put(byte[] from, int offset, int count) {
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  private void reserve(long more) {
    long needed = length + more;
    if (needed > bytes.length) {
      if (needed > Integer.MAX_VALUE - 8) {
        throw new IllegalStateException("a row of " + needed + " bytes does not fit into memory");
      }
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(LEAST_BYTES, 2 * needed)));
    }
  }

  /**
   * Returns the block without a copy, in an array that may be longer. It is valid until the next
   * call.
   */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the block, an array of its own. */
  byte[] finish() {
    return Arrays.copyOf(bytes, length);
  }
}
