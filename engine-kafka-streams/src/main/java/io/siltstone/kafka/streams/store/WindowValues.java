package io.siltstone.kafka.streams.store;

import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.WindowStoreIterator;

/**
 * The values of one key with the starts of their windows.
 *
 * @param entries closed with this
 */
record WindowValues(KeyValueIterator<Long, byte[]> entries) implements WindowStoreIterator<byte[]> {
  @Override
  public Long peekNextKey() {
    return entries.peekNextKey();
  }

  @Override
  public boolean hasNext() {
    return entries.hasNext();
  }

  @Override
  public KeyValue<Long, byte[]> next() {
    return entries.next();
  }

  @Override
  public void close() {
    entries.close();
  }
}
