package io.siltstone.partitioner;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Murmur3Hash;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition key in serialized form with its token: a view of somebody else's bytes or its own
 * copy.
 *
 * <p>Partition order is that of the signed token, then of the unsigned bytes, for every
 * partitioner. Mutable and reusable; confined to one thread.
 */
public final class PartitionKey implements Comparable<PartitionKey> {
  /** Most bytes a key may have: its length is an unsigned short on disk. */
  public static final int MAX_LENGTH = 0xffff;

  private byte[] bytes = {};
  private int offset;
  private int length;
  private long token;
  private boolean owned;
  // 0 if it is not known.
  private long longHash;
  // Made when it is first needed: most keys are never asked.
  private long @Nullable [] halves;

  /** An empty key, to be pointed somewhere. */
  public PartitionKey() {}

  /** Points it at bytes; the token is the partitioner's for them. */
  public void wrap(byte[] bytes, int offset, int length, long token) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.token = token;
    owned = false;
    longHash = 0;
  }

  /** Makes it an independent copy of another, reusing its own array. */
  public void copyFrom(PartitionKey other) {
    copyFrom(other.bytes, other.offset, other.length, other.token, other.longHash);
  }

  /** As {@link #wrap}, of a copy of the bytes in its own array, which is reused. */
  public void copyFrom(byte[] from, int fromOffset, int fromLength, long fromToken) {
    copyFrom(from, fromOffset, fromLength, fromToken, 0);
  }

  /**
   * As {@link #wrap}, of a copy of the bytes in its own array, which is reused.
   *
   * @param fromHash the {@link #longHash} of the bytes, or 0 if it is not known
   */
  public void copyFrom(byte[] from, int fromOffset, int fromLength, long fromToken, long fromHash) {
    if (!owned || bytes.length < fromLength) {
      bytes = new byte[Math.max(64, fromLength * 2)];
      owned = true;
    }
    System.arraycopy(from, fromOffset, bytes, 0, fromLength);
    offset = 0;
    length = fromLength;
    token = fromToken;
    longHash = fromHash;
  }

  /** An independent key of the given bytes, which are not copied. */
  public static PartitionKey of(byte[] bytes, long token) {
    PartitionKey key = new PartitionKey();
    key.wrap(bytes, 0, bytes.length, token);
    return key;
  }

  /**
   * The serialized key of the values of a table's partition key columns.
   *
   * <pre>
   *   one column        its value
   *   several, each     length short, value, a zero byte
   * </pre>
   *
   * Source: Cassandra {@code CompositeType}.
   *
   * @param values whose key has at most {@link #MAX_LENGTH} bytes, or what is returned is no key
   */
  public static byte[] join(List<byte[]> values) {
    if (values.size() == 1) {
      return values.get(0);
    }
    int length = 0;
    for (byte[] value : values) {
      length += Short.BYTES + value.length + 1;
    }
    byte[] key = new byte[length];
    int at = 0;
    for (byte[] value : values) {
      BigEndian.putShort(key, at, value.length);
      System.arraycopy(value, 0, key, at + Short.BYTES, value.length);
      at += Short.BYTES + value.length + 1;
    }
    return key;
  }

  /** The array that the key lies in. */
  public byte[] bytes() {
    return bytes;
  }

  /** Index in {@link #bytes()} of its first byte. */
  public int offset() {
    return offset;
  }

  /** Bytes it has: 0 to {@link #MAX_LENGTH}. */
  public int length() {
    return length;
  }

  /** The partitioner's token, or what stands for it in comparisons. */
  public long token() {
    return token;
  }

  /**
   * A hash of 64 good bits, for sums over keys in any order: the upper half of {@link Murmur3Hash},
   * whatever the partitioner. Computed once for what it has been pointed at, unless it was given.
   */
  public long longHash() {
    if (longHash == 0) {
      long[] into = halves;
      if (into == null) {
        into = new long[2];
        halves = into;
      }
      Murmur3Hash.hash(bytes, offset, length, into);
      longHash = into[1];
    }
    return longHash;
  }

  /** The first key behind it: nothing lies between, of whatever length. */
  public PartitionKey successor() {
    byte[] longer = new byte[length + 1];
    System.arraycopy(bytes, offset, longer, 0, length);
    return of(longer, token);
  }

  /** The bytes as an array of their own. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  @Override
  public int compareTo(PartitionKey other) {
    return token != other.token
        ? Long.compare(token, other.token)
        : Arrays.compareUnsigned(
            bytes, offset, offset + length, other.bytes, other.offset, other.offset + other.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionKey key && compareTo(key) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(token);
  }

  /** Token and the key's bytes in hexadecimal, for messages. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("key 0x");
    for (int i = 0; i < length; i++) {
      text.append(Character.forDigit(bytes[offset + i] >> 4 & 15, 16));
      text.append(Character.forDigit(bytes[offset + i] & 15, 16));
    }
    return text.append(" (token ").append(token).append(')').toString();
  }
}
