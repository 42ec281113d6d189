package org.apache.kafka.streams.state.internals;

import io.siltstone.kafka.judges.StoreEngine;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Kafka's contract of key-value stores. */
class SiltstoneKeyValueStoreTest extends AbstractKeyValueStoreTest {
  @Override
  protected <K, V> KeyValueStore<K, V> createKeyValueStore(StateStoreContext storeContext) {
    KeyValueStore<K, V> created = SiltstoneKeyValueStoreTest.<K, V>builder(storeContext).build();
    created.init(storeContext, created);
    return created;
  }

  @SuppressWarnings("unchecked") // The test passes its store the serdes of its context.
  static <K, V> StoreBuilder<KeyValueStore<K, V>> builder(StateStoreContext storeContext) {
    return Stores.keyValueStoreBuilder(
        StoreEngine.SILTSTONE.keyValueStore("my-store"),
        (Serde<K>) storeContext.keySerde(),
        (Serde<V>) storeContext.valueSerde());
  }
}
