package io.siltstone.partitioner;

import io.siltstone.bytes.Murmur3Hash;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * How a partition key becomes a token. Partitions are ordered by signed token, then by the unsigned
 * bytes of their keys, with either partitioner.
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

  /** Cassandra's name for it, as in {@code Statistics.db} and {@code cassandra.yaml}. */
  public String className() {
    return className;
  }

  /**
   * Returns the partitioner that Cassandra calls so.
   *
   * @param className with its package
   * @throws IllegalArgumentException naming it and those supported
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
   * Returns the token of a key, and the hash that bloom filters are asked with, in one pass over
   * the key. Allocates nothing.
   *
   * @param hash takes {@link Murmur3Hash} of the key in its first two elements; bloom filters use
   *     it whatever the partitioner
   * @return as {@link #token(byte[], int, int)}
   */
  public long token(byte[] key, int offset, int length, long[] hash) {
    Murmur3Hash.hash(key, offset, length, hash);
    return this == MURMUR3 ? tokenOfHash(hash[0], length) : prefixToken(key, offset, length);
  }

  /**
   * As {@link #token(byte[], int, int)}; allocates nothing.
   *
   * @param hash takes {@link Murmur3Hash} of the key in its first two elements if the token is made
   *     of it, else zeros
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
   * Returns the token of a key: what orders partitions, as a signed number.
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
    // The least token stands before all keys, so no key but the empty one may have it.
    if (length == 0) {
      return Long.MIN_VALUE;
    }
    return hash == Long.MIN_VALUE ? Long.MAX_VALUE : hash;
  }

  private static long prefixToken(byte[] key, int offset, int length) {
    long prefix = 0;
    int count = Math.min(length, 8);
    for (int i = 0; i < count; i++) {
      prefix |= (key[offset + i] & 0xffL) << (56 - 8 * i);
    }
    return prefix ^ Long.MIN_VALUE;
  }
}
