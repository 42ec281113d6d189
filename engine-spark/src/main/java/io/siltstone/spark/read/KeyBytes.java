package io.siltstone.spark.read;

import io.siltstone.partitioner.PartitionKey;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A partition key that is sent to executors. */
final class KeyBytes implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] bytes;
  private final long token;

  private KeyBytes(byte[] bytes, long token) {
    this.bytes = bytes;
    this.token = token;
  }

  /** Returns a copy of a key; null for null. */
  static @Nullable KeyBytes of(@Nullable PartitionKey key) {
    return key == null ? null : new KeyBytes(key.toByteArray(), key.token());
  }

  /** Returns the key. */
  PartitionKey key() {
    return PartitionKey.of(bytes, token);
  }

  /** Returns its token. */
  long token() {
    return token;
  }
}
