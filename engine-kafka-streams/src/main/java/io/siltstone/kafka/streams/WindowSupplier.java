package io.siltstone.kafka.streams;

import io.siltstone.kafka.streams.store.StateWindowStore;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.HeadersBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowStore;

/** Supplies window stores. Its subclass is marked as Kafka expects it for values with headers. */
class WindowSupplier implements WindowBytesStoreSupplier {
  private static final long LEAST_SEGMENT_MILLIS = 60_000;

  private final String name;
  private final long retentionMillis;
  private final long windowMillis;
  private final boolean retainDuplicates;
  private final StateWindowStore.Kind kind;

  private WindowSupplier(
      String name,
      long retentionMillis,
      long windowMillis,
      boolean retainDuplicates,
      StateWindowStore.Kind kind) {
    this.name = name;
    this.retentionMillis = retentionMillis;
    this.windowMillis = windowMillis;
    this.retainDuplicates = retainDuplicates;
    this.kind = kind;
  }

  /**
   * Returns a supplier.
   *
   * @throws IllegalArgumentException if a period is negative or too long for milliseconds, or if
   *     windows are longer than they are kept
   */
  static WindowSupplier of(
      String name,
      Duration retention,
      Duration window,
      boolean retainDuplicates,
      StateWindowStore.Kind kind) {
    long retentionMillis = Durations.millis("retentionPeriod", retention);
    long windowMillis = Durations.millis("windowSize", window);
    if (windowMillis > retentionMillis) {
      throw new IllegalArgumentException(
          "The retention period of the window store "
              + name
              + " must be no smaller than its window size. Got size=["
              + window
              + "], retention=["
              + retention
              + "]");
    }
    return kind.values() == StateWindowStore.Values.WITH_HEADERS
        ? new WithHeaders(name, retentionMillis, windowMillis, retainDuplicates, kind)
        : new WindowSupplier(name, retentionMillis, windowMillis, retainDuplicates, kind);
  }

  private static final class WithHeaders extends WindowSupplier
      implements HeadersBytesStoreSupplier {
    WithHeaders(
        String name,
        long retentionMillis,
        long windowMillis,
        boolean retainDuplicates,
        StateWindowStore.Kind kind) {
      super(name, retentionMillis, windowMillis, retainDuplicates, kind);
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final WindowStore<Bytes, byte[]> get() {
    return StateWindowStore.of(
        name,
        ConfiguredTables.INSTANCE,
        kind,
        retentionMillis,
        segmentIntervalMs(),
        windowMillis,
        retainDuplicates);
  }

  @Override
  public final String metricsScope() {
    return StateWindowStore.SCOPE;
  }

  @Override
  public final long segmentIntervalMs() {
    return Math.max(retentionMillis / 2, LEAST_SEGMENT_MILLIS);
  }

  @Override
  public final long windowSize() {
    return windowMillis;
  }

  @Override
  public final boolean retainDuplicates() {
    return retainDuplicates;
  }

  @Override
  public final long retentionPeriod() {
    return retentionMillis;
  }
}
