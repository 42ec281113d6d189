package io.siltstone.kafka.streams.store;

import static java.util.Objects.requireNonNull;

import io.siltstone.kafka.streams.internals.Windows;
import java.time.Instant;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyWindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a window store.
 *
 * @param committed whether they see only what is committed
 */
record WindowView(StateWindowStore store, boolean committed)
    implements ReadOnlyWindowStore<Bytes, byte[]> {
  private SegmentedTable table() {
    return store.table();
  }

  @Override
  public byte @Nullable [] fetch(Bytes key, long time) {
    requireNonNull(key, "key cannot be null");
    return table().get(TimedKeys.window(key.get(), time, store.sequence()), committed);
  }

  WindowStoreIterator<byte[]> fetch(Bytes key, long from, long to, boolean forward) {
    requireNonNull(key, "key cannot be null");
    return new WindowValues(
        table().fetch(key.get(), key.get(), from, to, forward, committed, TimedKeys.WINDOW::time));
  }

  KeyValueIterator<Windowed<Bytes>, byte[]> fetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo, long from, long to, boolean forward) {
    if (keyFrom != null && keyTo != null && keyFrom.compareTo(keyTo) > 0) {
      Keys.warnOfOrder();
      return Keys.noEntries();
    }
    return table()
        .fetch(
            keyFrom == null ? null : keyFrom.get(),
            keyTo == null ? null : keyTo.get(),
            from,
            to,
            forward,
            committed,
            this::windowed);
  }

  KeyValueIterator<Windowed<Bytes>, byte[]> fetchAll(long from, long to, boolean forward) {
    return table().fetchAll(from, to, forward, committed, this::windowed);
  }

  private Windowed<Bytes> windowed(byte[] timed) {
    return Windows.window(
        TimedKeys.WINDOW.key(timed), TimedKeys.WINDOW.time(timed), store.windowSize());
  }

  @Override
  public WindowStoreIterator<byte[]> fetch(Bytes key, Instant from, Instant to) {
    return fetch(key, from.toEpochMilli(), to.toEpochMilli(), true);
  }

  @Override
  public WindowStoreIterator<byte[]> backwardFetch(Bytes key, Instant from, Instant to) {
    return fetch(key, from.toEpochMilli(), to.toEpochMilli(), false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo, Instant from, Instant to) {
    return fetch(keyFrom, keyTo, from.toEpochMilli(), to.toEpochMilli(), true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo, Instant from, Instant to) {
    return fetch(keyFrom, keyTo, from.toEpochMilli(), to.toEpochMilli(), false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetchAll(Instant from, Instant to) {
    return fetchAll(from.toEpochMilli(), to.toEpochMilli(), true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetchAll(Instant from, Instant to) {
    return fetchAll(from.toEpochMilli(), to.toEpochMilli(), false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> all() {
    return fetchAll(0, Long.MAX_VALUE, true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardAll() {
    return fetchAll(0, Long.MAX_VALUE, false);
  }
}
