package org.apache.kafka.streams.state.internals;

import io.siltstone.kafka.judges.StoreEngine;
import java.time.Duration;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;

/** Kafka's contract of window stores. */
class SiltstoneWindowStoreTest extends AbstractWindowBytesStoreTest {
  // Some tests have two stores open at once, which Kafka gives different names.
  private int stores;

  @Override
  <K, V> WindowStore<K, V> buildWindowStore(
      long retentionPeriod,
      long windowSize,
      boolean retainDuplicates,
      Serde<K> keySerde,
      Serde<V> valueSerde) {
    return Stores.windowStoreBuilder(
            StoreEngine.SILTSTONE.windowStore(
                "window-store-" + stores++,
                Duration.ofMillis(retentionPeriod),
                Duration.ofMillis(windowSize),
                retainDuplicates),
            keySerde,
            valueSerde)
        .build();
  }
}
