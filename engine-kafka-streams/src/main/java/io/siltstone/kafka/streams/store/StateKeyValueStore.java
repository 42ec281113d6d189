package io.siltstone.kafka.streams.store;

import static java.util.Objects.requireNonNull;

import io.siltstone.kafka.streams.table.StateTable;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.HeadersBytesStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.TimestampedBytesStore;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store, of plain values, of values with timestamps or of values with timestamps and
 * headers. Kafka's wrappers make and read these values; the store only says which ones it expects.
 */
public class StateKeyValueStore extends BaseStore implements KeyValueStore<Bytes, byte[]> {
  /** The scope of the metrics of key-value stores. */
  public static final String SCOPE = "siltstone";

  private StateKeyValueStore(String name, String format, StoreTables tables) {
    super(name, format, SCOPE, tables);
  }

  /** Returns a store of plain values. */
  public static KeyValueStore<Bytes, byte[]> plain(String name, StoreTables tables) {
    return new StateKeyValueStore(name, "key-value", tables);
  }

  /** Returns a store of values with timestamps. */
  public static KeyValueStore<Bytes, byte[]> timestamped(String name, StoreTables tables) {
    return new Timestamped(name, tables);
  }

  /** Returns a store of values with timestamps and headers. */
  public static KeyValueStore<Bytes, byte[]> withHeaders(String name, StoreTables tables) {
    return new WithHeaders(name, tables);
  }

  private static final class Timestamped extends StateKeyValueStore
      implements TimestampedBytesStore {
    Timestamped(String name, StoreTables tables) {
      super(name, "key-value-timestamped", tables);
    }
  }

  private static final class WithHeaders extends StateKeyValueStore implements HeadersBytesStore {
    WithHeaders(String name, StoreTables tables) {
      super(name, "key-value-headers", tables);
    }
  }

  // Changes.

  @Override
  public void put(Bytes key, byte @Nullable [] value) {
    requireNonNull(key, "key cannot be null");
    present().change(table -> table.put(key.get(), value));
  }

  @Override
  public byte @Nullable [] putIfAbsent(Bytes key, byte @Nullable [] value) {
    requireNonNull(key, "key cannot be null");
    byte[] before = get(key);
    if (before == null && value != null) {
      put(key, value);
    }
    return before;
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    requireNonNull(entries, "entries cannot be null");
    for (KeyValue<Bytes, byte[]> entry : entries) {
      requireNonNull(entry, "entry cannot be null");
      requireNonNull(entry.key, "key cannot be null");
    }
    present()
        .change(
            table -> {
              for (KeyValue<Bytes, byte[]> entry : entries) {
                table.put(entry.key.get(), entry.value);
              }
            });
  }

  @Override
  public byte @Nullable [] delete(Bytes key) {
    requireNonNull(key, "key cannot be null");
    byte[] before = get(key);
    put(key, null);
    return before;
  }

  @Override
  void restore(ConsumerRecord<byte[], byte[]> record, StateTable.Restore into) throws IOException {
    into.put(record.key(), record.value());
  }

  // Reads, of everything or of what is committed.

  @Override
  public byte @Nullable [] get(Bytes key) {
    return new View(false).get(key);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
    return new View(false).range(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
    return new View(false).reverseRange(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return range(null, null);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseAll() {
    return reverseRange(null, null);
  }

  @Override
  public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(
      P prefix, S prefixKeySerializer) {
    return new View(false).prefixScan(prefix, prefixKeySerializer);
  }

  @Override
  public long approximateNumEntries() {
    return present().estimatedEntries();
  }

  @Override
  public ReadOnlyKeyValueStore<Bytes, byte[]> readOnly(IsolationLevel isolationLevel) {
    requireNonNull(isolationLevel, "isolationLevel cannot be null");
    present().requireOpen();
    return new View(isolationLevel == IsolationLevel.READ_COMMITTED);
  }

  private final class View implements ReadOnlyKeyValueStore<Bytes, byte[]> {
    private final boolean committed;

    View(boolean committed) {
      this.committed = committed;
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
      requireNonNull(key, "key cannot be null");
      return present().get(key.get(), committed);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
      return iterator(from, to, true, true);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
      return iterator(from, to, true, false);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
      return iterator(null, null, true, true);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
      return iterator(null, null, true, false);
    }

    @Override
    public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(
        P prefix, S prefixKeySerializer) {
      requireNonNull(prefix, "prefix cannot be null");
      requireNonNull(prefixKeySerializer, "prefixKeySerializer cannot be null");
      byte[] first = prefixKeySerializer.serialize(null, prefix);
      byte[] after = Keys.afterPrefix(first);
      return iterator(Bytes.wrap(first), after == null ? null : Bytes.wrap(after), false, true);
    }

    private KeyValueIterator<Bytes, byte[]> iterator(
        @Nullable Bytes from, @Nullable Bytes to, boolean toInclusive, boolean forward) {
      if (from != null && to != null && from.compareTo(to) > 0) {
        Keys.warnOfOrder();
        return Keys.noEntries();
      }
      OpenStore store = present();
      return new EntryIterator(
          store,
          store.cursor(
              from == null ? null : from.get(),
              to == null ? null : to.get(),
              toInclusive,
              forward,
              committed));
    }

    @Override
    public long approximateNumEntries() {
      return StateKeyValueStore.this.approximateNumEntries();
    }
  }
}
