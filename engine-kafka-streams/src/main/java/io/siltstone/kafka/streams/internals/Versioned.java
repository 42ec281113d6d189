package io.siltstone.kafka.streams.internals;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.internals.VersionedKeyValueToBytesStoreAdapter;

/**
 * Versioned stores as suppliers return them.
 *
 * <p>Uses {@code VersionedKeyValueToBytesStoreAdapter}, which turns versions into the bytes that
 * Kafka's wrappers expect; their form is defined nowhere else.
 */
public final class Versioned {
  private Versioned() {}

  /** Returns a store of bytes that has the versions of another. */
  public static KeyValueStore<Bytes, byte[]> asBytes(VersionedKeyValueStore<Bytes, byte[]> store) {
    return new VersionedKeyValueToBytesStoreAdapter(store);
  }
}
