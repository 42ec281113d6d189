package io.siltstone.sstable.bti;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.type.comparable.ComparableBytes;

/**
 * The byte-comparable form of partition keys: the token and the key as two parts. With the
 * byte-ordered partitioner the token is the key. Source: Cassandra {@code DecoratedKey}.
 */
public final class ComparableKeys {
  private static final long SIGN = Long.MIN_VALUE;

  private ComparableKeys() {}

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
