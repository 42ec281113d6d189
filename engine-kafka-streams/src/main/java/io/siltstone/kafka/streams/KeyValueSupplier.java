package io.siltstone.kafka.streams;

import io.siltstone.kafka.streams.store.StateKeyValueStore;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.HeadersBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Supplies key-value stores. Its subclass is marked as Kafka expects it for values with headers.
 */
class KeyValueSupplier implements KeyValueBytesStoreSupplier {
  private final String name;
  private final boolean isTimestamped;

  KeyValueSupplier(String name, boolean isTimestamped) {
    this.name = name;
    this.isTimestamped = isTimestamped;
  }

  /** Supplies key-value stores whose values have timestamps and headers. */
  static final class WithHeaders extends KeyValueSupplier implements HeadersBytesStoreSupplier {
    WithHeaders(String name) {
      super(name, true);
    }

    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return StateKeyValueStore.withHeaders(name(), ConfiguredTables.INSTANCE);
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public KeyValueStore<Bytes, byte[]> get() {
    return isTimestamped
        ? StateKeyValueStore.timestamped(name, ConfiguredTables.INSTANCE)
        : StateKeyValueStore.plain(name, ConfiguredTables.INSTANCE);
  }

  @Override
  public final String metricsScope() {
    return StateKeyValueStore.SCOPE;
  }
}
