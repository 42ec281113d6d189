package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.table.StateTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the keys of a versioned store in its table: the latest value of each key, and its
 * earlier versions by the segment of time in which they ended, so that they expire as a range of
 * keys.
 *
 * <pre>
 *   0, long segment, key    the history of the key that ended in the segment
 *   1, key                  long begin, value: the latest version, unless the key was deleted
 * </pre>
 *
 * <p>Each method reads and writes through an {@link Access}. Source: RocksDBVersionedStore of Kafka
 * 4.4, with whose results this agrees, but for a deletion at the time of the latest version, which
 * RocksDB's store does not keep, so that it ends no version that comes late.
 */
final class VersionedTable {
  private static final byte HISTORY = 0;
  private static final byte LATEST = 1;

  private final TimeSegments segments;

  VersionedTable(TimeSegments segments) {
    this.segments = segments;
  }

  /** Reads and writes of the table. */
  interface Access {
    byte @Nullable [] get(byte[] key) throws IOException;

    /** Puts an entry, or deletes it if the value is null. */
    void put(byte[] key, byte @Nullable [] value) throws IOException;

    /**
     * Deletes the histories of expired segments now or later.
     *
     * @param live the first segment that has not expired
     */
    void expire(long live) throws IOException;

    /** Returns the segments that may have histories; a put adds its own. */
    HistorySegments segments();
  }

  /**
   * Access to what has been restored but not yet written, and to the table. Restored records of a
   * batch are written once for each key, and not staged.
   */
  static final class RestoreAccess {
    // Null for an entry that is deleted.
    private final Map<Bytes, byte @Nullable []> changed = new HashMap<>();

    /** Returns whether an entry was restored or deleted. */
    boolean has(byte[] key) {
      return changed.containsKey(Bytes.wrap(key));
    }

    /** Returns the restored value of a key; null if it was deleted. */
    byte @Nullable [] get(byte[] key) {
      return changed.get(Bytes.wrap(key));
    }

    void put(byte[] key, byte @Nullable [] value) {
      changed.put(Bytes.wrap(key), value);
    }

    /** Forgets what was restored. */
    void clear() {
      changed.clear();
    }

    /** Hands over what was restored. */
    void writeTo(StateTable.Restore restore) throws IOException {
      for (Map.Entry<Bytes, byte @Nullable []> each : changed.entrySet()) {
        restore.put(each.getKey().get(), each.getValue());
      }
      changed.clear();
    }
  }

  /** A latest version: its begin, and its value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Latest(long from, byte[] value) {}

  static byte[] latestKey(byte[] key) {
    return ByteBuffer.allocate(1 + key.length).put(LATEST).put(key).array();
  }

  /** Returns the first key that a history of a segment can have. */
  static byte[] firstKey(long segment) {
    return historyKey(segment, new byte[0]);
  }

  static byte[] historyKey(long segment, byte[] key) {
    return ByteBuffer.allocate(1 + Long.BYTES + key.length)
        .put(HISTORY)
        .putLong(segment)
        .put(key)
        .array();
  }

  /** Returns the segment of the key of a history; -1 if it is of a latest version. */
  static long segmentOf(byte[] stored) {
    return stored[0] == HISTORY ? ByteBuffer.wrap(stored).getLong(1) : -1;
  }

  static @Nullable Latest latest(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long from = in.getLong();
    byte[] value = new byte[in.remaining()];
    in.get(value);
    return new Latest(from, value);
  }

  private @Nullable Latest latest(Access table, byte[] key) throws IOException {
    return latest(table.get(latestKey(key)));
  }

  private static void putLatest(Access table, byte[] key, long from, byte @Nullable [] value)
      throws IOException {
    table.put(
        latestKey(key),
        value == null
            ? null
            : ByteBuffer.allocate(Long.BYTES + value.length).putLong(from).put(value).array());
  }

  @Nullable History history(Access table, long segment, byte[] key) throws IOException {
    byte[] bytes = table.get(historyKey(segment, key));
    return bytes == null ? null : History.of(bytes);
  }

  private static void putHistory(Access table, long segment, byte[] key, History history)
      throws IOException {
    table.put(historyKey(segment, key), history.toBytes());
    table.segments().add(segment);
  }

  // Adds a version that ended in a segment, after those that the segment has; the segment may have
  // expired, and the version with it.
  private void append(
      Access table,
      long segment,
      long live,
      byte[] key,
      long from,
      long to,
      byte @Nullable [] value)
      throws IOException {
    if (segment < live) {
      return;
    }
    History history = history(table, segment, key);
    if (history == null) {
      history = History.of(from, to, value);
    } else {
      history.append(from, to, value);
    }
    putHistory(table, segment, key, history);
  }

  /**
   * Puts a version that is not older than the retention, or the deletion of the key.
   *
   * @param streamTime the greatest time that was observed, this one included
   * @return when the next version begins; {@link
   *     VersionedKeyValueStore#PUT_RETURN_CODE_VALID_TO_UNDEFINED} if there is none
   */
  long put(Access table, long streamTime, byte[] key, byte @Nullable [] value, long time)
      throws IOException {
    long live = segments.firstLive(streamTime);
    if (table.segments().hasBefore(live)) {
      table.expire(live);
    }
    Latest latest = latest(table, key);
    if (latest != null && time >= latest.from()) {
      if (time > latest.from()) {
        append(table, segments.of(time), live, key, latest.from(), time, latest.value());
      } else if (value == null) {
        // It takes the place of the latest version, and no earlier one has to end here.
        putDeletion(table, live, key, time);
      }
      putLatest(table, key, time, value);
      return VersionedKeyValueStore.PUT_RETURN_CODE_VALID_TO_UNDEFINED;
    }
    long none = VersionedKeyValueStore.PUT_RETURN_CODE_VALID_TO_UNDEFINED;
    boolean hasNext = latest != null;
    long next = latest == null ? none : latest.from();
    long least = Math.max(segments.of(time), live);
    HistorySegments present = table.segments();
    for (long segment = present.last(); segment >= least; segment = present.before(segment)) {
      History history = history(table, segment, key);
      if (history == null) {
        continue;
      }
      if (history.end() <= time) {
        break;
      }
      if (history.begin() <= time) {
        return putWithin(table, segment, live, key, value, time, history);
      }
      if (history.begin() < streamTime - segments.retentionMillis()) {
        return none; // The version ended before what is kept.
      }
      hasNext = true;
      next = history.begin();
    }
    if (hasNext) {
      putBefore(table, live, key, value, time, next);
      return segments.of(next) < live ? none : next;
    }
    if (value != null) {
      putLatest(table, key, time, value);
    } else {
      putDeletion(table, live, key, time);
    }
    return none;
  }

  /** Puts a version into the time of a history. */
  private long putWithin(
      Access table,
      long segment,
      long live,
      byte[] key,
      byte @Nullable [] value,
      long time,
      History history)
      throws IOException {
    int index = history.indexAt(time);
    History.Version present = history.versions().get(index);
    long end = history.endOf(index);
    long own = segments.of(time);
    if (present.from() == time) {
      history.replace(index, time, value);
    } else if (own == segment) {
      history.split(index, time, value);
    } else {
      // The present version ends in an earlier segment now, and was the first of this one.
      append(table, own, live, key, present.from(), time, present.value());
      history.replace(index, time, value);
    }
    putHistory(table, segment, key, history);
    return end;
  }

  /** Puts a version that ends where the next one begins, which no history covers. */
  private void putBefore(
      Access table, long live, byte[] key, byte @Nullable [] value, long time, long next)
      throws IOException {
    long segment = segments.of(next);
    if (segment < live) {
      return;
    }
    History history = history(table, segment, key);
    if (history == null) {
      history = History.of(time, next, value);
    } else if (history.end() <= time) {
      history.append(time, next, value);
    } else {
      history.prepend(time, value);
    }
    putHistory(table, segment, key, history);
  }

  /** Puts the deletion of a key that has no version at that time or later. */
  private void putDeletion(Access table, long live, byte[] key, long time) throws IOException {
    long segment = segments.of(time);
    if (segment < live) {
      return;
    }
    History history = history(table, segment, key);
    if (history == null) {
      history = History.ofDeletion(time);
    } else if (history.end() == time) {
      return;
    } else {
      history.append(history.end(), time, null);
    }
    putHistory(table, segment, key, history);
  }
}
