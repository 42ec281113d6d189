package io.siltstone.bytes;

/**
 * Cassandra's variant of Murmur3 (x64, 128 bits, seed 0): tokens and bloom filters come from it.
 *
 * <p>It differs from the published Murmur3 in that the bytes after the last whole block of 16 are
 * taken as signed. Allocates nothing. Source: Cassandra {@code MurmurHash.hash3_x64_128}.
 */
public final class Murmur3Hash {
  private static final int BLOCK_BYTES = 16;
  private static final long C1 = 0x87c3_7b91_1142_53d5L;
  private static final long C2 = 0x4cf5_ad43_2745_937fL;

  private Murmur3Hash() {}

  /**
   * Hashes a range of an array.
   *
   * @param result receives the 128 bits in its first two elements, lower half first
   */
  public static void hash(byte[] bytes, int offset, int length, long[] result) {
    long h1 = 0;
    long h2 = 0;
    int tail = offset + length / BLOCK_BYTES * BLOCK_BYTES;
    for (int at = offset; at < tail; at += BLOCK_BYTES) {
      h1 ^= mix1(LittleEndian.getLong(bytes, at));
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dc_e729L;
      h2 ^= mix2(LittleEndian.getLong(bytes, at + 8));
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x3849_5ab5L;
    }
    int rest = length & (BLOCK_BYTES - 1);
    if (rest > 8) {
      h2 ^= mix2(LittleEndian.getSignedBytes(bytes, tail + 8, rest - 8));
    }
    if (rest > 0) {
      h1 ^= mix1(LittleEndian.getSignedBytes(bytes, tail, Math.min(rest, 8)));
    }
    h1 ^= length;
    h2 ^= length;
    h1 += h2;
    h2 += h1;
    h1 = finish(h1);
    h2 = finish(h2);
    h1 += h2;
    h2 += h1;
    result[0] = h1;
    result[1] = h2;
  }

  private static long mix1(long k) {
    return Long.rotateLeft(k * C1, 31) * C2;
  }

  private static long mix2(long k) {
    return Long.rotateLeft(k * C2, 33) * C1;
  }

  private static long finish(long k) {
    long h = (k ^ k >>> 33) * 0xff51_afd7_ed55_8ccdL;
    h = (h ^ h >>> 33) * 0xc4ce_b9fe_1a85_ec53L;
    return h ^ h >>> 33;
  }
}
