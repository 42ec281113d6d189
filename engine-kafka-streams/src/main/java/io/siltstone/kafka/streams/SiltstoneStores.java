package io.siltstone.kafka.streams;

import static java.util.Objects.requireNonNull;

import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;

/**
 * Makes suppliers of state stores, for applications that choose the store of each of their processors
 * or operators: what {@link org.apache.kafka.streams.state.Stores} is for RocksDB, with methods of the
 * same names and parameters. They are given to the builders of that class, or to {@code Materialized}
 * and {@code StreamJoined}:
 *
 * <pre>{@code
 * builder.addStateStore(
 *     Stores.keyValueStoreBuilder(
 *         SiltstoneStores.persistentKeyValueStore("counts"), Serdes.String(), Serdes.Long()));
 * }</pre>
 *
 * <p>An application of the DSL needs none of them, but the property that {@link
 * SiltstoneDslStoreSuppliers} describes.
 */
public final class SiltstoneStores {
  static final String METRICS_SCOPE = "siltstone";

  private SiltstoneStores() {}

  /**
   * Returns the supplier of a key-value store.
   *
   * @param name of the store, as Kafka allows it
   */
  public static KeyValueBytesStoreSupplier persistentKeyValueStore(String name) {
    return new KeyValueSupplier(requireNonNull(name, "name cannot be null"), false);
  }

  /** Returns the supplier of a key-value store whose values have timestamps. */
  public static KeyValueBytesStoreSupplier persistentTimestampedKeyValueStore(String name) {
    return new KeyValueSupplier(requireNonNull(name, "name cannot be null"), true);
  }

  /** Returns the supplier of a key-value store whose values have timestamps and headers. */
  public static KeyValueBytesStoreSupplier persistentTimestampedKeyValueStoreWithHeaders(
      String name) {
    return new KeyValueSupplier.WithHeaders(requireNonNull(name, "name cannot be null"));
  }
}
