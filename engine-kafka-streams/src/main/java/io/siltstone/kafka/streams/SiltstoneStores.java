package io.siltstone.kafka.streams;

import static java.util.Objects.requireNonNull;

import io.siltstone.kafka.streams.store.StateWindowStore;
import java.time.Duration;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.VersionedBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;

/**
 * Makes suppliers of state stores, for applications that choose the store of each of their
 * processors or operators: what {@link org.apache.kafka.streams.state.Stores} is for RocksDB, with
 * methods of the same names and parameters. They are given to the builders of that class, or to
 * {@code Materialized} and {@code StreamJoined}:
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

  /**
   * Returns the supplier of a versioned key-value store, whose segments of time have the length
   * that Kafka chooses.
   *
   * @param historyRetention for how long, in stream time, earlier values are kept
   */
  public static VersionedBytesStoreSupplier persistentVersionedKeyValueStore(
      String name, Duration historyRetention) {
    long retention = Durations.millis("historyRetention", historyRetention);
    return new VersionedSupplier(
        requireNonNull(name, "name cannot be null"),
        retention,
        VersionedSupplier.defaultSegmentMillis(retention));
  }

  /**
   * Returns the supplier of a versioned key-value store.
   *
   * @param historyRetention for how long, in stream time, earlier values are kept
   * @param segmentInterval the time whose values expire together, at least a millisecond
   */
  public static VersionedBytesStoreSupplier persistentVersionedKeyValueStore(
      String name, Duration historyRetention, Duration segmentInterval) {
    long segment = Durations.millis("segmentInterval", segmentInterval);
    if (segment < 1) {
      throw new IllegalArgumentException("segmentInterval cannot be zero or negative");
    }
    return new VersionedSupplier(
        requireNonNull(name, "name cannot be null"),
        Durations.millis("historyRetention", historyRetention),
        segment);
  }

  /**
   * Returns the supplier of a window store.
   *
   * @param retentionPeriod for how long, in stream time, windows are kept; at least their size,
   *     which has to include the grace period
   * @param windowSize the size of the windows
   * @param retainDuplicates whether to keep several values of the same key and window, as
   *     stream-stream joins need it
   */
  public static WindowBytesStoreSupplier persistentWindowStore(
      String name, Duration retentionPeriod, Duration windowSize, boolean retainDuplicates) {
    return window(
        name, retentionPeriod, windowSize, retainDuplicates, StateWindowStore.Values.PLAIN);
  }

  /**
   * Returns the supplier of a window store whose values have timestamps. Otherwise as {@link
   * #persistentWindowStore}.
   */
  public static WindowBytesStoreSupplier persistentTimestampedWindowStore(
      String name, Duration retentionPeriod, Duration windowSize, boolean retainDuplicates) {
    return window(
        name, retentionPeriod, windowSize, retainDuplicates, StateWindowStore.Values.TIMESTAMPED);
  }

  /**
   * Returns the supplier of a window store whose values have timestamps and headers. Otherwise as
   * {@link #persistentWindowStore}.
   */
  public static WindowBytesStoreSupplier persistentTimestampedWindowStoreWithHeaders(
      String name, Duration retentionPeriod, Duration windowSize, boolean retainDuplicates) {
    return window(
        name, retentionPeriod, windowSize, retainDuplicates, StateWindowStore.Values.WITH_HEADERS);
  }

  private static WindowBytesStoreSupplier window(
      String name,
      Duration retentionPeriod,
      Duration windowSize,
      boolean retainDuplicates,
      StateWindowStore.Values values) {
    return WindowSupplier.of(
        requireNonNull(name, "name cannot be null"),
        retentionPeriod,
        windowSize,
        retainDuplicates,
        new StateWindowStore.Kind(false, false, values));
  }

  /**
   * Returns the supplier of a session store.
   *
   * @param retentionPeriod for how long, in stream time, sessions are kept after their end; it has
   *     to include the gap of inactivity and the grace period
   */
  public static SessionBytesStoreSupplier persistentSessionStore(
      String name, Duration retentionPeriod) {
    return SessionSupplier.of(
        requireNonNull(name, "name cannot be null"), retentionPeriod, false, false);
  }

  /**
   * Returns the supplier of a session store whose values have headers. Otherwise as {@link
   * #persistentSessionStore}.
   */
  public static SessionBytesStoreSupplier persistentSessionStoreWithHeaders(
      String name, Duration retentionPeriod) {
    return SessionSupplier.of(
        requireNonNull(name, "name cannot be null"), retentionPeriod, false, true);
  }
}
