package io.siltstone.partitioner;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Murmur3Hash;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * A partitioner, which computes the token of a partition key. With either one, partitions are
 * ordered by signed token, then by the unsigned bytes of their keys.
 *
 * <p>Immutable, safe for all threads. Source: Cassandra {@code Murmur3Partitioner}, {@code
 * ByteOrderedPartitioner}.
 */
public enum Partitioner {
  /** The token is half of the key's hash: partitions are spread evenly. Cassandra's default. */
  MURMUR3("org.apache.cassandra.dht.Murmur3Partitioner"),
  /** Partitions are ordered by their keys' unsigned bytes: scans across keys are ordered. */
  BYTE_ORDERED("org.apache.cassandra.dht.ByteOrderedPartitioner");

  private final String className;

  Partitioner(String className) {
    this.className = className;
  }

  /** Returns Cassandra's class name, as in {@code Statistics.db} and {@code cassandra.yaml}. */
  public String className() {
    return className;
  }

  /**
   * Returns the partitioner with Cassandra's class name.
   *
   * @param className with its package
   * @throws IllegalArgumentException that names it and the supported ones
   */
  public static Partitioner ofClassName(String className) {
    for (Partitioner partitioner : values()) {
      if (partitioner.className.equals(className)) {
        return partitioner;
      }
    }
    throw new IllegalArgumentException(
        "partitioner '"
            + className
            + "' is not supported; supported are "
            + Arrays.stream(values())
                .map(Partitioner::className)
                .collect(Collectors.joining(" and ")));
  }

  /**
   * Returns the token of a key, and the hash for bloom filters, in one pass over the key. Allocates
   * nothing.
   *
   * @param hash receives {@link Murmur3Hash} of the key in its first two elements; bloom filters
   *     use it whatever the partitioner
   * @return as {@link #token(byte[], int, int)}
   */
  public long token(byte[] key, int offset, int length, long[] hash) {
    Murmur3Hash.hash(key, offset, length, hash);
    return this == MURMUR3 ? tokenOfHash(hash[0], length) : prefixToken(key, offset, length);
  }

  /**
   * Returns the token of a key without an allocation.
   *
   * @param hash receives {@link Murmur3Hash} of the key in its first two elements if the token is
   *     computed from it, else zeros
   */
  public long tokenWith(byte[] key, int offset, int length, long[] hash) {
    if (this == MURMUR3) {
      return token(key, offset, length, hash);
    }
    hash[0] = 0;
    hash[1] = 0;
    return prefixToken(key, offset, length);
  }

  /**
   * Returns the token of a key, a signed number that orders partitions.
   *
   * <p>{@link #MURMUR3}: Cassandra's token. {@link #BYTE_ORDERED}: the key's first eight bytes such
   * that their signed order is the unsigned order of the bytes; keys of equal tokens are ordered by
   * their bytes.
   */
  public long token(byte[] key, int offset, int length) {
    if (this == BYTE_ORDERED) {
      return prefixToken(key, offset, length);
    }
    long[] hash = new long[2];
    Murmur3Hash.hash(key, offset, length, hash);
    return tokenOfHash(hash[0], length);
  }

  /**
   * Returns the token as Cassandra's tools print it: a decimal number for {@link #MURMUR3}, the
   * whole key in hexadecimal for {@link #BYTE_ORDERED}.
   */
  public String formatToken(byte[] key, int offset, int length) {
    return this == MURMUR3
        ? Long.toString(token(key, offset, length))
        : HexFormat.of().formatHex(key, offset, offset + length);
  }

  private static long tokenOfHash(long hash, int length) {
    // The least token precedes all keys, so only the empty key may have it.
    if (length == 0) {
      return Long.MIN_VALUE;
    }
    return hash == Long.MIN_VALUE ? Long.MAX_VALUE : hash;
  }

  private static long prefixToken(byte[] key, int offset, int length) {
    if (length >= Long.BYTES) {
      return BigEndian.getLong(key, offset) ^ Long.MIN_VALUE;
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (key[offset + i] & 0xffL) << (56 - 8 * i);
    }
    return prefix ^ Long.MIN_VALUE;
  }
}
