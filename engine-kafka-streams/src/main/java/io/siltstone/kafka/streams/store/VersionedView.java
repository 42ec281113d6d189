package io.siltstone.kafka.streams.store;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.jspecify.annotations.Nullable;

/** Reads of what a versioned store has committed. */
record VersionedView(StateVersionedStore store) implements VersionedKeyValueStore<Bytes, byte[]> {
  @Override
  public @Nullable VersionedRecord<byte[]> get(Bytes key) {
    return store.get(key, true);
  }

  @Override
  public @Nullable VersionedRecord<byte[]> get(Bytes key, long asOfTimestamp) {
    return store.get(key, asOfTimestamp, true);
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("a view of what is committed can only be read");
  }

  @Override
  public long put(Bytes key, byte @Nullable [] value, long timestamp) {
    throw readOnly();
  }

  @Override
  public VersionedRecord<byte[]> delete(Bytes key, long timestamp) {
    throw readOnly();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    throw readOnly();
  }

  @Override
  public String name() {
    return store.name();
  }

  /** Does nothing: the store is closed by Kafka. */
  @Override
  public void close() {}

  @Override
  public boolean persistent() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return store.isOpen();
  }
}
