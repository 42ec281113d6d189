package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.internals.DroppedRecords;
import io.siltstone.kafka.streams.table.StateCursor;
import io.siltstone.kafka.streams.table.StateTable;
import java.io.IOException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries with times in the table of a window or session store, and their retention by stream time,
 * which is the greatest time of all entries that were put.
 *
 * <p>An entry that is older than the retention period is hidden from reads. When its whole
 * {@linkplain TimeSegments segment} is that old, the segment is deleted as one range of keys, and
 * puts into it are dropped. The stream time is kept with the offsets, so that a store that was
 * closed hides the same entries again.
 *
 * <p>Changed by the thread of the task; read by all threads. Source: the segmented stores of Kafka
 * 4.4, with whose results this agrees.
 */
final class SegmentedTable {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentedTable.class);

  private final OpenStore store;
  private final TimedLayout layout;
  private final TimeSegments segments;
  private final DroppedRecords dropped;

  // The segments between which all entries are.
  private volatile long first;
  private volatile long last;

  SegmentedTable(OpenStore store, TimedLayout layout, TimeSegments segments) {
    this.store = store;
    this.layout = layout;
    this.segments = segments;
    dropped = DroppedRecords.of(store.context());
    last = segmentAtEnd(false, -1);
    first = segmentAtEnd(true, Long.MAX_VALUE);
  }

  // An application that crashed may have entries which are newer than its last commit.
  private long segmentAtEnd(boolean forward, long none) {
    StateCursor cursor = store.cursor(null, null, true, forward, false);
    try {
      return store.next(cursor) ? TimeSegments.segmentOf(cursor.key()) : none;
    } finally {
      store.close(cursor);
    }
  }

  OpenStore store() {
    return store;
  }

  TimedLayout layout() {
    return layout;
  }

  // Changes.

  /** Puts an entry, or deletes it if the value is null. Drops it if its segment has expired. */
  void put(byte[] timed, byte @Nullable [] value) {
    long time = layout.keys().time(timed);
    long live = segments.firstLive(store.observe(time));
    long segment = segments.of(time);
    if (segment < live) {
      dropped.record();
      LOG.warn("Skipping record for expired segment.");
      return;
    }
    store.change(
        table -> {
          if (purges(live)) {
            table.deleteBefore(TimeSegments.prefix(live));
          }
          table.put(layout.entry(segment, timed), value);
          if (layout.hasIndex()) {
            table.put(layout.index(segment, timed), value == null ? null : new byte[0]);
          }
        });
    added(segment, live);
  }

  private boolean purges(long live) {
    return first < live;
  }

  private void added(long segment, long live) {
    first = Math.max(live, Math.min(first, segment));
    last = Math.max(last, segment);
  }

  /** Deletes an entry. */
  void remove(byte[] timed) {
    long time = layout.keys().time(timed);
    store.observe(time);
    long segment = segments.of(time);
    if (segment < first || segment > last) {
      return;
    }
    store.change(
        table -> {
          table.put(layout.entry(segment, timed), null);
          if (layout.hasIndex()) {
            table.put(layout.index(segment, timed), null);
          }
        });
  }

  /** Observes the times of all records that are restored together, as Kafka's stores do. */
  void observe(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> each : records) {
      store.observe(layout.keys().time(each.key()));
    }
  }

  /** Takes a record of the changelog. */
  void restore(ConsumerRecord<byte[], byte[]> record, StateTable.Restore into) throws IOException {
    byte[] timed = record.key();
    long live = segments.firstLive(store.streamTime());
    long segment = segments.of(layout.keys().time(timed));
    if (segment < live) {
      return;
    }
    if (purges(live)) {
      into.deleteBefore(TimeSegments.prefix(live));
    }
    byte[] value = record.value();
    into.put(layout.entry(segment, timed), value);
    if (layout.hasIndex()) {
      into.put(layout.index(segment, timed), value == null ? null : new byte[0]);
    }
    added(segment, live);
  }

  // Reads.

  private long firstVisible(long from) {
    return Math.max(from, segments.firstVisible(store.streamTime()));
  }

  /** Returns the value of an entry; null if there is none, or if it has expired. */
  byte @Nullable [] get(byte[] timed, boolean committed) {
    store.requireOpen();
    long time = layout.keys().time(timed);
    return time < firstVisible(Long.MIN_VALUE)
        ? null
        : store.get(layout.entry(segments.of(time), timed), committed);
  }

  /**
   * Returns the entries of a range of keys and times, ordered by segment and within it by key and
   * time; or by time, if they are ordered by time and have no index.
   *
   * @param keyFrom the first key; null for the least of all
   * @param keyTo the last key; null for the greatest of all
   * @param timeFrom the first time; of sessions, that of their ends
   * @param timeTo the last time; of sessions, that of their starts
   */
  <K> KeyValueIterator<K, byte[]> fetch(
      byte @Nullable [] keyFrom,
      byte @Nullable [] keyTo,
      long timeFrom,
      long timeTo,
      boolean forward,
      boolean committed,
      Function<byte[], K> form) {
    return scan(keyFrom, keyTo, timeFrom, timeTo, layout.hasIndex(), forward, committed, form);
  }

  /** Returns all entries of a range of times, in the order of the table. */
  <K> KeyValueIterator<K, byte[]> fetchAll(
      long timeFrom, long timeTo, boolean forward, boolean committed, Function<byte[], K> form) {
    return scan(null, null, timeFrom, timeTo, false, forward, committed, form);
  }

  private <K> KeyValueIterator<K, byte[]> scan(
      byte @Nullable [] keyFrom,
      byte @Nullable [] keyTo,
      long timeFrom,
      long timeTo,
      boolean ofIndex,
      boolean forward,
      boolean committed,
      Function<byte[], K> form) {
    store.requireOpen();
    long from = firstVisible(timeFrom);
    boolean ofWindows = layout.keys() == TimedKeys.WINDOW;
    if (ofWindows && timeTo < Math.max(0, from)) {
      return Keys.noEntries();
    }
    long lastTime = ofWindows ? timeTo : Long.MAX_VALUE;
    return scan(
        new TimedLayout.Wanted(keyFrom, keyTo, from, timeTo, lastTime, ofIndex),
        forward,
        committed,
        form);
  }

  /** Returns the sessions that end between two times, ordered by their ends. */
  <K> KeyValueIterator<K, byte[]> sessionsEnding(
      long from, long to, boolean committed, Function<byte[], K> form) {
    store.requireOpen();
    if (to < Math.max(0, from)) {
      return Keys.noEntries();
    }
    return scan(
        new TimedLayout.Wanted(null, null, from, Long.MAX_VALUE, to, false), true, committed, form);
  }

  private <K> KeyValueIterator<K, byte[]> scan(
      TimedLayout.Wanted wanted, boolean forward, boolean committed, Function<byte[], K> form) {
    long begin = Math.max(first, segments.of(Math.max(0, wanted.timeFrom())));
    long end = Math.min(last, segments.of(wanted.lastTime()));
    return new SegmentScan<>(
        this, new SegmentScan.Range(wanted, begin, end, forward, committed), form);
  }

  /** Returns a cursor over all segments of a scan. */
  StateCursor open(SegmentScan.Range range) {
    return store.cursor(
        from(range.firstSegment(), range),
        to(range.lastSegment(), range),
        false,
        range.forward(),
        range.committed());
  }

  /** Returns the first key that a scan needs in a segment. */
  byte[] from(long segment, SegmentScan.Range range) {
    return layout.from(segment, range.wanted());
  }

  /** Returns the first key after those that a scan needs in a segment. */
  byte[] to(long segment, SegmentScan.Range range) {
    return layout.to(segment, range.wanted(), segments.lastTime(segment));
  }

  /** Returns the value of an entry that was found; null if it is not wanted. */
  byte @Nullable [] wanted(long segment, byte[] timed, byte[] value, SegmentScan.Range range) {
    TimedLayout.Wanted wanted = range.wanted();
    if (!layout.keys().isBetween(timed, wanted.keyFrom(), wanted.keyTo())
        || !layout.keys().isIn(timed, wanted.timeFrom(), wanted.timeTo())
        || layout.keys().time(timed) > wanted.lastTime()) {
      return null;
    }
    return wanted.ofIndex() ? store.get(layout.entry(segment, timed), range.committed()) : value;
  }
}
