package org.apache.kafka.streams.state.internals;

import io.siltstone.kafka.judges.StoreEngine;
import java.time.Duration;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.Stores;

/** Kafka's contract of session stores. */
class SiltstoneSessionStoreTest extends AbstractSessionBytesStoreTest {
  // Some tests have two stores open at once, which Kafka gives different names.
  private int stores;

  @Override
  <K, V> SessionStore<K, V> buildSessionStore(
      long retentionPeriod, Serde<K> keySerde, Serde<V> valueSerde) {
    return Stores.sessionStoreBuilder(
            StoreEngine.SILTSTONE.sessionStore(
                "session-store-" + stores++, Duration.ofMillis(retentionPeriod)),
            keySerde,
            valueSerde)
        .build();
  }

  @Override
  StoreType storeType() {
    return StoreType.RocksDBSessionStore;
  }
}
