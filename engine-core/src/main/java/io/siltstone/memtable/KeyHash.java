package io.siltstone.memtable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.partitioner.PartitionKey;

/**
 * The hash by which partitions are spread over shards, and found in their filters: of token and
 * key, as the tokens of ordered partitioners are not evenly distributed.
 */
final class KeyHash {
  private KeyHash() {}

  static int of(PartitionKey key) {
    return ofLong(longOf(key));
  }

  /** Returns the hash by which the shard is chosen, a part of {@link #longOf}. */
  static int ofLong(long hash) {
    return (int) (hash >>> Integer.SIZE);
  }

  /** Returns a hash of 64 bits. */
  static long longOf(PartitionKey key) {
    long hash = key.token();
    byte[] bytes = key.bytes();
    int at = key.offset();
    int end = at + key.length();
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ BigEndian.getLong(bytes, at));
    }
    for (; at < end; at++) {
      hash = mix(hash ^ bytes[at]);
    }
    return mix(hash);
  }

  private static long mix(long bits) {
    long hash = (bits ^ bits >>> 32) * 0x9e37_79b9_7f4a_7c15L;
    return hash ^ hash >>> 29;
  }
}
