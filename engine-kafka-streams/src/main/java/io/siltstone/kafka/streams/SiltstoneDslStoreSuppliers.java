package io.siltstone.kafka.streams;

import io.siltstone.kafka.streams.store.StateWindowStore;
import org.apache.kafka.streams.DslStoreFormat;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.state.DslKeyValueParams;
import org.apache.kafka.streams.state.DslSessionParams;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.DslWindowParams;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state stores of an application of the DSL, chosen by one property of its configuration:
 *
 * <pre>{@code
 * properties.put(
 *     StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, SiltstoneDslStoreSuppliers.class);
 * }</pre>
 *
 * <p>Every store that the DSL makes is one of Siltstone then: tables, aggregates, windows, sessions
 * and joins, in each format that the DSL asks for. Stores for which the application names a
 * supplier itself stay as they are; for these there is {@link SiltstoneStores}. Kafka makes an
 * instance itself.
 */
public final class SiltstoneDslStoreSuppliers implements DslStoreSuppliers {
  /** Called by Kafka. */
  public SiltstoneDslStoreSuppliers() {}

  @Override
  public KeyValueBytesStoreSupplier keyValueStore(DslKeyValueParams params) {
    return switch (params.dslStoreFormat()) {
      case PLAIN -> SiltstoneStores.persistentKeyValueStore(params.name());
      case TIMESTAMPED -> SiltstoneStores.persistentTimestampedKeyValueStore(params.name());
      case HEADERS -> SiltstoneStores.persistentTimestampedKeyValueStoreWithHeaders(params.name());
    };
  }

  /** Returns a supplier; windows that are emitted when they close are ordered by time. */
  @Override
  public WindowBytesStoreSupplier windowStore(DslWindowParams params) {
    boolean isByTime = isOnClose(params.emitStrategy());
    StateWindowStore.Values values = valuesOf(params.dslStoreFormat());
    // Stores ordered by time have timestamps in all formats, and an index for sliding windows.
    StateWindowStore.Kind kind =
        isByTime
            ? new StateWindowStore.Kind(
                true,
                params.isSlidingWindow() || values == StateWindowStore.Values.WITH_HEADERS,
                values == StateWindowStore.Values.PLAIN
                    ? StateWindowStore.Values.TIMESTAMPED
                    : values)
            : new StateWindowStore.Kind(false, false, values);
    return WindowSupplier.of(
        params.name(),
        params.retentionPeriod(),
        params.windowSize(),
        params.retainDuplicates(),
        kind);
  }

  private static boolean isOnClose(EmitStrategy strategy) {
    return strategy.type() == EmitStrategy.StrategyType.ON_WINDOW_CLOSE;
  }

  private static StateWindowStore.Values valuesOf(@Nullable DslStoreFormat format) {
    if (format == null) {
      return StateWindowStore.Values.TIMESTAMPED;
    }
    return switch (format) {
      case PLAIN -> StateWindowStore.Values.PLAIN;
      case TIMESTAMPED -> StateWindowStore.Values.TIMESTAMPED;
      case HEADERS -> StateWindowStore.Values.WITH_HEADERS;
    };
  }

  /** Returns a supplier; sessions that are emitted when they close are ordered by their ends. */
  @Override
  public SessionBytesStoreSupplier sessionStore(DslSessionParams params) {
    return SessionSupplier.of(
        params.name(),
        params.retentionPeriod(),
        isOnClose(params.emitStrategy()),
        params.storeFormat() == DslStoreFormat.HEADERS);
  }
}
