package org.apache.kafka.streams.state.internals;

import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;

/** Kafka's contract of key-value stores, below Kafka's cache. */
class CachedSiltstoneKeyValueStoreTest extends AbstractKeyValueStoreTest {
  @Override
  protected <K, V> KeyValueStore<K, V> createKeyValueStore(StateStoreContext storeContext) {
    KeyValueStore<K, V> created =
        SiltstoneKeyValueStoreTest.<K, V>builder(storeContext).withCachingEnabled().build();
    created.init(storeContext, created);
    return created;
  }
}
