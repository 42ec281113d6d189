package io.siltstone.sstable.metadata;

import io.siltstone.bytes.LittleEndian;

/**
 * Cassandra's variant of Murmur2 (64 bits, seed 0), by which keys are counted in {@link
 * CardinalityEstimator}: the bytes after the last whole block of 8 are taken as signed. Source:
 * Cassandra {@code MurmurHash.hash2_64}.
 */
final class Murmur2Hash {
  private static final long M = 0xc6a4_a793_5bd1_e995L;
  private static final int R = 47;

  private Murmur2Hash() {}

  static long hash(byte[] bytes, int offset, int length) {
    long h = M * length;
    int tail = offset + length / 8 * 8;
    for (int at = offset; at < tail; at += 8) {
      long k = LittleEndian.getLong(bytes, at) * M;
      k = (k ^ (k >>> R)) * M;
      h = (h ^ k) * M;
    }
    int rest = offset + length - tail;
    if (rest > 0) {
      h ^= LittleEndian.getSignedBytes(bytes, tail, rest);
      h *= M;
    }
    h = (h ^ (h >>> R)) * M;
    return h ^ (h >>> R);
  }
}
