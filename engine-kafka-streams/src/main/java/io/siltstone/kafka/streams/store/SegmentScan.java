package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.table.StateCursor;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * Scans entries with times, one segment after the other, and shows those that are wanted with keys
 * of a form that the caller chooses. Confined to one thread.
 */
class SegmentScan<K> implements KeyValueIterator<K, byte[]> {
  /** The range that is scanned. */
  record Range(
      TimedLayout.Wanted wanted,
      long firstSegment,
      long lastSegment,
      boolean forward,
      boolean committed) {}

  private final SegmentedTable table;
  private final Range range;
  private final Function<byte[], K> form;
  private long segment;
  private @Nullable StateCursor cursor;
  private boolean isClosed;

  // The next entry, if it was looked for.
  private @Nullable K key;
  private byte[] value = {};

  SegmentScan(SegmentedTable table, Range range, Function<byte[], K> form) {
    this.table = table;
    this.range = range;
    this.form = form;
    segment = range.forward() ? range.firstSegment() : range.lastSegment();
  }

  @Override
  public boolean hasNext() {
    // Kafka's contract ends iterators over windows and sessions with the store.
    if (isClosed || !table.store().isOpen()) {
      return false;
    }
    while (key == null && segment >= range.firstSegment() && segment <= range.lastSegment()) {
      StateCursor present = cursor;
      if (present == null) {
        present = table.open(segment, range);
        cursor = present;
      }
      if (table.store().next(present)) {
        byte[] timed = table.layout().timed(present.key(), range.wanted().ofIndex());
        byte[] found = table.wanted(segment, timed, present.value(), range);
        if (found != null) {
          key = form.apply(timed);
          value = found;
        }
      } else {
        endSegment();
        segment += range.forward() ? 1 : -1;
      }
    }
    return key != null;
  }

  private void endSegment() {
    StateCursor present = cursor;
    cursor = null;
    if (present != null) {
      table.store().close(present);
    }
  }

  private K required() {
    K present = hasNext() ? key : null;
    if (present == null) {
      throw new NoSuchElementException();
    }
    return present;
  }

  @Override
  public K peekNextKey() {
    return required();
  }

  @Override
  public KeyValue<K, byte[]> next() {
    K present = required();
    key = null;
    return KeyValue.pair(present, value);
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      endSegment();
    }
  }
}
