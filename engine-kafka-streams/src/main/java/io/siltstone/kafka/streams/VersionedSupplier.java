package io.siltstone.kafka.streams;

import io.siltstone.kafka.streams.internals.Versioned;
import io.siltstone.kafka.streams.store.StateKeyValueStore;
import io.siltstone.kafka.streams.store.StateVersionedStore;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.VersionedBytesStoreSupplier;

/**
 * Supplies versioned key-value stores.
 *
 * @param historyRetentionMs for how many milliseconds of stream time the history is kept
 * @param segmentMillis the time whose versions expire together
 */
record VersionedSupplier(String name, long historyRetentionMs, long segmentMillis)
    implements VersionedBytesStoreSupplier {
  private static final long MINUTE = 60_000;

  /** Returns the time whose versions expire together if it is not given, as Kafka has it. */
  static long defaultSegmentMillis(long retentionMillis) {
    if (retentionMillis <= MINUTE) {
      return Math.max(retentionMillis / 3, 2_000);
    }
    if (retentionMillis <= 5 * MINUTE) {
      return Math.max(retentionMillis / 5, 20_000);
    }
    return retentionMillis <= 60 * MINUTE
        ? Math.max(retentionMillis / 12, MINUTE)
        : Math.max(retentionMillis / 24, 5 * MINUTE);
  }

  @Override
  public KeyValueStore<Bytes, byte[]> get() {
    return Versioned.asBytes(
        new StateVersionedStore(
            name, ConfiguredTables.INSTANCE, historyRetentionMs, segmentMillis));
  }

  @Override
  public String metricsScope() {
    return StateKeyValueStore.SCOPE;
  }
}
