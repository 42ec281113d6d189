package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;

/** Hash functions by which what two files say of the same things is compared. Static only. */
final class RunningHash {
  private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

  private RunningHash() {}

  /** Continues a hash with a number; the order of the numbers counts. */
  static long mixed(long hash, long number) {
    return Long.rotateLeft(hash ^ number, 23) * MULTIPLIER;
  }

  /** A hash of bytes, which begins with another. */
  static long mixed(long hash, byte[] bytes, int from, int to) {
    long result = mixed(hash, to - from);
    int at = from;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      result = mixed(result, BigEndian.getLong(bytes, at));
    }
    for (; at < to; at++) {
      result = mixed(result, bytes[at]);
    }
    return result;
  }

  /** The hash of a deletion, of which local deletion times have 32 bits. */
  static long ofDeletion(long timestamp, long localDeletionTime) {
    return mixed(mixed(1, timestamp), localDeletionTime & 0xffff_ffffL);
  }
}
