package io.siltstone.kafka.streams;

import io.siltstone.kafka.streams.store.StateSessionStore;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.HeadersBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionStore;

/** Supplies session stores. Its subclass is marked as Kafka expects it for values with headers. */
class SessionSupplier implements SessionBytesStoreSupplier {
  private static final long LEAST_SEGMENT_MILLIS = 60_000;

  private final String name;
  private final long retentionMillis;
  private final boolean isByTime;

  private SessionSupplier(String name, long retentionMillis, boolean isByTime) {
    this.name = name;
    this.retentionMillis = retentionMillis;
    this.isByTime = isByTime;
  }

  /**
   * Returns a supplier.
   *
   * @throws IllegalArgumentException if the period is negative, or too long for milliseconds
   */
  static SessionSupplier of(
      String name, Duration retention, boolean isByTime, boolean withHeaders) {
    long retentionMillis = Durations.millis("retentionPeriod", retention);
    return withHeaders
        ? new WithHeaders(name, retentionMillis, isByTime)
        : new SessionSupplier(name, retentionMillis, isByTime);
  }

  private static final class WithHeaders extends SessionSupplier
      implements HeadersBytesStoreSupplier {
    WithHeaders(String name, long retentionMillis, boolean isByTime) {
      super(name, retentionMillis, isByTime);
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final SessionStore<Bytes, byte[]> get() {
    return StateSessionStore.of(
        name,
        ConfiguredTables.INSTANCE,
        retentionMillis,
        segmentIntervalMs(),
        isByTime,
        this instanceof HeadersBytesStoreSupplier);
  }

  @Override
  public final String metricsScope() {
    return StateSessionStore.SCOPE;
  }

  @Override
  public final long segmentIntervalMs() {
    return Math.max(retentionMillis / 2, LEAST_SEGMENT_MILLIS);
  }

  @Override
  public final long retentionPeriod() {
    return retentionMillis;
  }
}
