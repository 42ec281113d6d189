package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.table.StateCursor;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * Scans entries with times, one segment after the other, and shows those that are wanted with keys
 * of a form that the caller chooses. One cursor shows all segments as they were when the first
 * entry was looked for; from what the scan needs of a segment, it goes to that of the next one.
 * Confined to one thread.
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
  private @Nullable StateCursor cursor;
  private boolean isAtEnd;
  private boolean isClosed;

  // The segment of the cursor, and what is needed of it.
  private long segment;
  private byte[] from = {};
  private byte[] to = {};

  // The next entry, if it was looked for.
  private @Nullable K key;
  private byte[] value = {};

  SegmentScan(SegmentedTable table, Range range, Function<byte[], K> form) {
    this.table = table;
    this.range = range;
    this.form = form;
    isAtEnd = range.firstSegment() > range.lastSegment();
  }

  @Override
  public boolean hasNext() {
    // Kafka's contract ends iterators over windows and sessions with the store.
    if (isClosed || !table.store().isOpen()) {
      return false;
    }
    while (key == null && !isAtEnd) {
      StateCursor present = opened();
      if (!table.store().next(present)) {
        isAtEnd = true;
      } else if (isNeeded(present)) {
        byte[] timed = table.layout().timed(present.key(), range.wanted().ofIndex());
        byte[] found = table.wanted(segment, timed, present.value(), range);
        if (found != null) {
          key = form.apply(timed);
          value = found;
        }
      }
    }
    if (isAtEnd) {
      closeCursor();
    }
    return key != null;
  }

  private StateCursor opened() {
    StateCursor present = cursor;
    if (present == null) {
      present = table.open(range);
      cursor = present;
      use(range.forward() ? range.firstSegment() : range.lastSegment());
    }
    return present;
  }

  private void use(long other) {
    segment = other;
    from = table.from(other, range);
    to = table.to(other, range);
  }

  /**
   * Returns whether the entry of the cursor is needed. If it is not, the cursor was moved to what
   * is needed of the same or of another segment, or the scan is at its end.
   */
  private boolean isNeeded(StateCursor present) {
    byte[] stored = present.key();
    boolean forward = range.forward();
    while (true) {
      boolean isBefore = Arrays.compareUnsigned(stored, from) < 0;
      boolean isAfter = Arrays.compareUnsigned(stored, to) >= 0;
      if (!isBefore && !isAfter) {
        return true;
      }
      if (forward ? isBefore : isAfter) {
        table.store().seek(present, forward ? from : to);
        return false;
      }
      long of = TimeSegments.segmentOf(stored);
      long other = forward ? Math.max(segment + 1, of) : Math.min(segment - 1, of);
      if (other < range.firstSegment() || other > range.lastSegment()) {
        isAtEnd = true;
        return false;
      }
      use(other);
    }
  }

  private void closeCursor() {
    StateCursor present = cursor;
    cursor = null;
    if (present != null) {
      table.store().close(present);
    }
  }

  private K required() {
    // An entry that hasNext has found is returned, even if another thread has closed the store
    // since.
    K present = isClosed || (key == null && !hasNext()) ? null : key;
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
      closeCursor();
    }
  }
}
