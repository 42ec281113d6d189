package io.siltstone.partitioner;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Murmur3Hash;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition key in serialized form, with its token: a view of bytes that belong to another
 * object, or a copy of its own.
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
  // 0 if the hash has not been computed.
  private long longHash;
  // Allocated on first use; most keys never need it.
  private long @Nullable [] halves;

  /** Creates an empty key, which can then be pointed at bytes. */
  public PartitionKey() {}

  /** Points the key at bytes, with the token that the partitioner gives them. */
  public void wrap(byte[] bytes, int offset, int length, long token) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.token = token;
    owned = false;
    longHash = 0;
  }

  /** Copies another key into this object's own array, which is reused. */
  public void copyFrom(PartitionKey other) {
    copyFrom(other.bytes, other.offset, other.length, other.token, other.longHash);
  }

  /** Copies a key's bytes into this object's own array, which is reused. */
  public void copyFrom(byte[] from, int fromOffset, int fromLength, long fromToken) {
    copyFrom(from, fromOffset, fromLength, fromToken, 0);
  }

  /**
   * Copies a key's bytes into this object's own array, which is reused.
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

  /** Returns an independent key of the given bytes, which are not copied. */
  public static PartitionKey of(byte[] bytes, long token) {
    PartitionKey key = new PartitionKey();
    key.wrap(bytes, 0, bytes.length, token);
    return key;
  }

  /**
   * Returns the serialized key of the values of a table's partition key columns.
   *
   * <pre>
   *   one column        its value
   *   several, each     length short, value, a zero byte
   * </pre>
   *
   * Source: Cassandra {@code CompositeType}.
   *
   * @param values whose serialized key has at most {@link #MAX_LENGTH} bytes; a longer result is no
   *     valid key
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

  /** Returns the array that the key lies in. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the index in {@link #bytes()} of its first byte. */
  public int offset() {
    return offset;
  }

  /** Returns the length of the key in bytes, 0 to {@link #MAX_LENGTH}. */
  public int length() {
    return length;
  }

  /** Returns the partitioner's token, or the number that replaces it in comparisons. */
  public long token() {
    return token;
  }

  /**
   * Returns a hash of 64 well-mixed bits, for sums over keys in any order: the upper half of {@link
   * Murmur3Hash}, whatever the partitioner. It is computed once per key, unless it was given.
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

  /** Returns the least key that is greater than this one. */
  public PartitionKey successor() {
    byte[] longer = new byte[length + 1];
    System.arraycopy(bytes, offset, longer, 0, length);
    return of(longer, token);
  }

  /** Returns a copy of the bytes. */
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

  /** Returns the token and the key's bytes in hexadecimal, for messages. */
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
