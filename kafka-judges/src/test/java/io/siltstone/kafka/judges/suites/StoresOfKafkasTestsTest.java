package io.siltstone.kafka.judges.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.kafka.judges.StoreEngine;
import java.time.Duration;
import org.apache.kafka.streams.DslStoreFormat;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers.RocksDBDslStoreSuppliers;
import org.apache.kafka.streams.state.DslSessionParams;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Within Kafka's suites, stores that would be RocksDB's are Siltstone's, and others stay. */
@ExtendWith(StoresOfKafkasTests.class)
class StoresOfKafkasTestsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void persistentStoresAndThoseOfTheDslAreSiltstones() {
    DslStoreSuppliers suppliers = new RocksDBDslStoreSuppliers();
    assertThat(Stores.persistentKeyValueStore("store").metricsScope())
        .isEqualTo(StoreEngine.SILTSTONE.keyValueStore("store").metricsScope());
    assertThat(
            suppliers
                .sessionStore(
                    new DslSessionParams(
                        "store", HOUR, EmitStrategy.onWindowClose(), DslStoreFormat.PLAIN))
                .metricsScope())
        .isEqualTo(StoreEngine.SILTSTONE.sessionStore("store", HOUR).metricsScope());
    assertThat(Stores.inMemoryKeyValueStore("store").metricsScope()).isEqualTo("in-memory");
  }
}
