package io.siltstone.sstable.metadata;

import io.siltstone.bytes.BigEndian;

/**
 * Detects the kinds of shards in a counter's value.
 *
 * <pre>
 *   count    short      local and global shards; negative if the local ones are to be dropped
 *   index    short x |count|   which shards these are; global ones as index - 32768
 *   shard    32 bytes each
 * </pre>
 *
 * Source: Cassandra {@code CounterContext}.
 */
final class CounterShards {
  private static final int SHARD_BYTES = 32;

  private CounterShards() {}

  /** Returns whether any shard is local or remote, as versions before 2.1 wrote them. */
  static boolean hasLegacy(byte[] value, int offset, int length) {
    if (length < 2) {
      return false;
    }
    int indexed = Math.abs((int) BigEndian.getShort(value, offset));
    int shards = (length - 2 - 2 * indexed) / SHARD_BYTES;
    if (indexed < shards) {
      return true;
    }
    for (int i = 0; i < indexed && 4 + 2 * i <= length; i++) {
      if (BigEndian.getShort(value, offset + 2 + 2 * i) >= 0) {
        return true;
      }
    }
    return false;
  }
}
