package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;

/**
 * Hash functions for the comparison of two files that describe the same partitions, such as data
 * and index. All methods are static.
 */
final class RunningHash {
  private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

  private RunningHash() {}

  /** Continues a hash with a number; the order of the numbers counts. */
  static long mixed(long hash, long number) {
    return Long.rotateLeft(hash ^ number, 23) * MULTIPLIER;
  }

  /** Continues a hash with bytes and their number. */
  static long mixed(long hash, byte[] bytes, int from, int to) {
    int length = to - from;
    if (length < Long.BYTES) {
      long all = 0;
      for (int at = from; at < to; at++) {
        all = all << Byte.SIZE | (bytes[at] & 0xff);
      }
      return mixedFew(hash, all, length);
    }
    long result = hash ^ (long) length << 48;
    // The last eight bytes are hashed together, though some of them may be hashed twice.
    int last = to - Long.BYTES;
    for (int at = from; at < last; at += Long.BYTES) {
      result = mixed(result, BigEndian.getLong(bytes, at));
    }
    return mixed(result, BigEndian.getLong(bytes, last));
  }

  /**
   * Continues a hash with fewer than eight bytes and their number.
   *
   * @param all the bytes, the first of them highest
   */
  static long mixedFew(long hash, long all, int length) {
    return mixed(hash ^ (long) length << 48, all);
  }

  /** Returns the hash of a deletion with a local deletion time of 32 bits. */
  static long ofDeletion(long timestamp, long localDeletionTime) {
    return mixed(mixed(1, timestamp), localDeletionTime & 0xffff_ffffL);
  }
}
