package io.siltstone.kafka.streams.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where entries with times are in the table of a store. All keys begin with the segment, so that a
 * segment expires by the deletion of one range of keys. Within it, entries are ordered by key, or
 * by time:
 *
 * <pre>
 *   by key               long segment, key, time, rest
 *   by time              long segment, 0, time, ... key ...
 *   index of the latter  long segment, 1, key, time, rest
 * </pre>
 *
 * @param keys whether they are of windows or of sessions
 * @param isByTime whether entries are ordered by time
 * @param hasIndex whether there is an index by key, too; only of entries that are ordered by time
 */
record TimedLayout(TimedKeys keys, boolean isByTime, boolean hasIndex) {
  private static final byte ENTRIES = 0;
  private static final byte INDEX = 1;
  private static final int AFTER_SEGMENT = Long.BYTES;
  private static final int AFTER_KIND = Long.BYTES + 1;

  /** Returns the key of an entry in the table. */
  byte[] entry(long segment, byte[] timed) {
    return isByTime
        ? join(segment, ENTRIES, keys.timeFirst(timed))
        : ByteBuffer.allocate(Long.BYTES + timed.length).putLong(segment).put(timed).array();
  }

  /** Returns the key of the index of an entry. */
  byte[] index(long segment, byte[] timed) {
    return join(segment, INDEX, timed);
  }

  private static byte[] join(long segment, byte kind, byte[] bytes) {
    return ByteBuffer.allocate(AFTER_KIND + bytes.length)
        .putLong(segment)
        .put(kind)
        .put(bytes)
        .array();
  }

  /** Returns the form that the key of a table stands for. */
  byte[] timed(byte[] stored, boolean ofIndex) {
    if (ofIndex) {
      return Arrays.copyOfRange(stored, AFTER_KIND, stored.length);
    }
    return isByTime
        ? keys.ofTimeFirst(stored, AFTER_KIND)
        : Arrays.copyOfRange(stored, AFTER_SEGMENT, stored.length);
  }

  private byte[] first(long segment, boolean ofIndex) {
    byte[] segmentBytes = TimeSegments.prefix(segment);
    if (!isByTime) {
      return segmentBytes;
    }
    byte[] first = Arrays.copyOf(segmentBytes, AFTER_KIND);
    first[AFTER_SEGMENT] = ofIndex ? INDEX : ENTRIES;
    return first;
  }

  /** Returns the first key that a scan needs in a segment. */
  byte[] from(long segment, Wanted wanted) {
    byte[] first = first(segment, wanted.ofIndex);
    byte[] key = wanted.keyFrom;
    if (isByTime && !wanted.ofIndex) {
      return with(first, longBytes(Math.max(0, wanted.timeFrom)));
    }
    if (key == null) {
      return first;
    }
    return wanted.isOfOneKey()
        ? with(first, key, longBytes(Math.max(0, wanted.timeFrom)), new byte[keys.restLength])
        : with(first, key);
  }

  /**
   * Returns the first key after those that a scan needs in a segment.
   *
   * @param lastTime the last time in the segment
   */
  byte[] to(long segment, Wanted wanted, long lastTime) {
    byte[] first = first(segment, wanted.ofIndex);
    long last = Math.min(wanted.lastTime, lastTime);
    byte[] key = wanted.keyTo;
    if (isByTime && !wanted.ofIndex) {
      return last == Long.MAX_VALUE ? after(first) : with(first, longBytes(last + 1));
    }
    if (key == null) {
      return after(first);
    }
    byte[] time = longBytes(last);
    if (wanted.isOfOneKey()) {
      return last == Long.MAX_VALUE
          ? with(first, key, new byte[] {(byte) 0x80})
          : with(first, key, longBytes(last + 1));
    }
    // A key that is the beginning of the last one is followed by its time, which may be greater
    // than what the last key goes on with; no later, though, than at the first byte that is not
    // greater than the first byte of all these times.
    int length = 0;
    while (length < key.length && (key[length] & 0xff) > (time[0] & 0xff)) {
      length++;
    }
    return with(first, Arrays.copyOf(key, length), new byte[] {(byte) (time[0] + 1)});
  }

  private static byte[] after(byte[] prefix) {
    byte[] after = Keys.afterPrefix(prefix);
    if (after == null) {
      throw new IllegalStateException("a segment without one after it");
    }
    return after;
  }

  private static byte[] longBytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static byte[] with(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  /**
   * The entries that a scan needs.
   *
   * @param keyFrom the first key; null for the least of all
   * @param keyTo the last key; null for the greatest of all
   * @param timeFrom the first time, of a session that of its end
   * @param timeTo the last time, of a session that of its start
   * @param lastTime the last time by which entries are ordered: for windows the last time, for
   *     sessions that of the end
   * @param ofIndex whether the index is to be used
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Wanted(
      byte @Nullable [] keyFrom,
      byte @Nullable [] keyTo,
      long timeFrom,
      long timeTo,
      long lastTime,
      boolean ofIndex) {
    boolean isOfOneKey() {
      return keyFrom != null && Arrays.equals(keyFrom, keyTo);
    }
  }
}
