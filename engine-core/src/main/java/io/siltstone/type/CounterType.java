package io.siltstone.type;

import io.siltstone.bytes.BigEndian;

/**
 * {@code counter}: a list of shards in a cell, a number of eight bytes for clients.
 *
 * <pre>
 *   header     short n, then |n| shorts
 *   shard[]    id 16 bytes, clock long, count long
 * </pre>
 *
 * The value is the sum of all counts. Counters have no order: {@link #compare} compares unsigned
 * bytes. Source: Cassandra {@code CounterColumnType}, {@code CounterContext}.
 */
final class CounterType extends ScalarType {
  private static final int SHARD_LENGTH = 32;
  private static final int COUNT_OFFSET = 24;

  CounterType() {
    super("CounterColumnType", "counter");
  }

  @Override
  public boolean isCounter() {
    return true;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length == 0 || length == Long.BYTES) {
      return;
    }
    int header = length < 2 ? length + 1 : headerLength(value, offset);
    if (length < header || (length - header) % SHARD_LENGTH != 0) {
      throw wrongLength(length, "0, 8 or a header and shards of 32");
    }
  }

  private static int headerLength(byte[] value, int offset) {
    return 2 + 2 * Math.abs(BigEndian.getShort(value, offset));
  }

  static long total(byte[] value, int offset, int length) {
    if (length == Long.BYTES) {
      return BigEndian.getLong(value, offset);
    }
    long total = 0;
    int end = offset + length;
    for (int i = offset + headerLength(value, offset); i < end; i += SHARD_LENGTH) {
      total += BigEndian.getLong(value, i + COUNT_OFFSET);
    }
    return total;
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return total(value, offset, length);
  }

  /** Returns the client's form; the shards of a cell are made where it is written. */
  @Override
  byte[] encodeObject(Object value) {
    return CqlTypes.BIGINT.encode(value);
  }

  @Override
  byte[] encodeText(String text) {
    return CqlTypes.BIGINT.encode(text);
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return Long.toString(total(value, offset, length));
  }

  /** Returns the bytes, hexadecimal. */
  @Override
  public String format(byte[] value, int offset, int length) {
    return toHex(value, offset, length);
  }

  /**
   * Returns the first eight bytes as a number, whether they are a value or shards, as Cassandra's
   * {@code sstabledump} does, although it has no meaning.
   */
  @Override
  public String toJson(byte[] value, int offset, int length) {
    validate(value, offset, length);
    if (length == 0) {
      return "\"\"";
    }
    return length < Long.BYTES ? "0" : Long.toString(BigEndian.getLong(value, offset));
  }

  @Override
  public byte[] parse(String text) {
    return fromHex(text, "counter");
  }
}
