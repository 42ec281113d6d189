package io.siltstone.kafka.streams.store;

import java.nio.ByteBuffer;

/**
 * The division of time into segments of equal length, which expire as a whole: an entry is live as
 * long as its segment may have one that is younger than the retention period.
 *
 * @param retentionMillis for how long entries are kept, in stream time
 * @param intervalMillis the length of a segment
 * @param isLastVisible whether an entry that is exactly as old as the retention period is visible
 */
record TimeSegments(long retentionMillis, long intervalMillis, boolean isLastVisible) {
  /** Returns the segment of a time. */
  long of(long time) {
    return time / intervalMillis;
  }

  /** Returns the first segment that is live. */
  long firstLive(long streamTime) {
    return Math.max(0, of(streamTime - retentionMillis));
  }

  /** Returns the first time of which entries are visible. */
  long firstVisible(long streamTime) {
    return streamTime - retentionMillis + (isLastVisible ? 0 : 1);
  }

  /** Returns the last time in a segment. */
  long lastTime(long segment) {
    long last = (segment + 1) * intervalMillis - 1;
    return last < 0 ? Long.MAX_VALUE : last;
  }

  /** Returns the first bytes of all keys of a segment, whose order is that of the segments. */
  static byte[] prefix(long segment) {
    return ByteBuffer.allocate(Long.BYTES).putLong(segment).array();
  }

  /** Returns the segment of a key that begins with {@link #prefix}. */
  static long segmentOf(byte[] key) {
    return ByteBuffer.wrap(key).getLong(0);
  }
}
