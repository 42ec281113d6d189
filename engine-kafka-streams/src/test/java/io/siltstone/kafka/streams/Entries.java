package io.siltstone.kafka.streams;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Keys, values and offsets of tests. */
final class Entries {
  static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);

  private Entries() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Bytes key(String text) {
    return Bytes.wrap(bytes(text));
  }

  static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  /** Opens a key-value store. */
  static KeyValueStore<Bytes, byte[]> open(String name, StoreContext context) {
    KeyValueStore<Bytes, byte[]> store = SiltstoneStores.persistentKeyValueStore(name).get();
    store.init(context, store);
    return store;
  }

  static void commit(KeyValueStore<Bytes, byte[]> store, long offset) {
    store.commit(Map.of(CHANGELOG, offset));
  }

  /** Returns all entries as texts like {@code a=1}. */
  static List<String> all(KeyValueStore<Bytes, byte[]> store) {
    return list(store.all());
  }

  static List<String> list(KeyValueIterator<Bytes, byte[]> entries) {
    List<String> all = new ArrayList<>();
    try (entries) {
      while (entries.hasNext()) {
        KeyValue<Bytes, byte[]> entry = entries.next();
        all.add(text(entry.key.get()) + "=" + text(entry.value));
      }
    }
    return all;
  }
}
