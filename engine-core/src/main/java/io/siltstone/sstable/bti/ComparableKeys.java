package io.siltstone.sstable.bti;

import io.siltstone.bytes.BigEndian;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.type.comparable.ComparableBytes;
import java.util.Arrays;

/**
 * The byte-comparable form of partition keys: the token and the key as two parts. With the
 * byte-ordered partitioner the token is the key. Source: Cassandra {@code DecoratedKey}.
 */
public final class ComparableKeys {
  /** The length of the part with the token of a key of the partitioner Murmur3. */
  static final int TOKEN_LENGTH = 1 + Long.BYTES;

  private static final long SIGN = Long.MIN_VALUE;

  private ComparableKeys() {}

  /**
   * Makes the bytes those of a key, or of the bound of a range of tokens: an empty key with a
   * token, which is not greater than any key of that token.
   *
   * @return whether the bytes are those of the key or bound itself; if not, they are those of a
   *     lesser one of the same token
   */
  public static boolean encodeBound(
      Partitioner partitioner, PartitionKey bound, ComparableBytes to) {
    if (partitioner == Partitioner.MURMUR3
        || partitioner.token(bound.bytes(), bound.offset(), bound.length()) == bound.token()) {
      encode(partitioner, bound, to);
      return true;
    }
    // The least key of a token has its bytes without zeros at the end.
    byte[] bytes = new byte[Long.BYTES];
    BigEndian.putLong(bytes, 0, bound.token() ^ SIGN);
    int length = Long.BYTES - Long.numberOfTrailingZeros(bound.token() ^ SIGN) / Byte.SIZE;
    encode(partitioner, PartitionKey.of(Arrays.copyOf(bytes, length), bound.token()), to);
    return false;
  }

  /**
   * Returns the number of bytes that the forms of keys of the partitioner Murmur3 have in common.
   *
   * @param token of one
   * @param other token of another, not the same
   */
  static int commonLength(long token, long other) {
    return 1 + Long.numberOfLeadingZeros(token ^ other) / Byte.SIZE;
  }

  /** Makes the bytes the part with the token of a key of the partitioner Murmur3. */
  static void encodeToken(PartitionKey key, ComparableBytes to) {
    to.clear();
    to.append(ComparableBytes.NEXT_PART);
    to.appendLong(key.token() ^ SIGN);
  }

  /** Makes the bytes those of a key. */
  public static void encode(Partitioner partitioner, PartitionKey key, ComparableBytes to) {
    to.clear();
    to.append(ComparableBytes.NEXT_PART);
    switch (partitioner) {
      case MURMUR3 -> to.appendLong(key.token() ^ SIGN);
      case BYTE_ORDERED -> to.appendEscaped(key.bytes(), key.offset(), key.length());
    }
    to.append(ComparableBytes.NEXT_PART);
    to.appendEscaped(key.bytes(), key.offset(), key.length());
    to.append(ComparableBytes.END);
  }
}
