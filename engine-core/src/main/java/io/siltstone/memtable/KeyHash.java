package io.siltstone.memtable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.partitioner.PartitionKey;

/**
 * The hash by which partitions are spread over shards: of token and key, as the tokens of ordered
 * partitioners are not evenly distributed.
 */
final class KeyHash {
  private KeyHash() {}

  static int of(PartitionKey key) {
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
    return (int) (mix(hash) >>> Integer.SIZE);
  }

  private static long mix(long bits) {
    long hash = (bits ^ bits >>> 32) * 0x9e37_79b9_7f4a_7c15L;
    return hash ^ hash >>> 29;
  }
}
