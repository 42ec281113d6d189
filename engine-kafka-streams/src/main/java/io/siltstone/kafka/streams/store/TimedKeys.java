package io.siltstone.kafka.streams.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of windows and of sessions, in the form that their changelogs have: the key, then the
 * time that decides when the entry expires, then what distinguishes entries of the same key and
 * time.
 *
 * <pre>
 *   window    key, long start, int sequence number
 *   session   key, long end, long start
 * </pre>
 *
 * <p>Where entries are to be ordered by time, it comes first:
 *
 * <pre>
 *   window    long start, key, int sequence number
 *   session   long end, long start, key
 * </pre>
 *
 * <p>Source: WindowKeySchema, SessionKeySchema and the time-first schemas of Kafka 4.4.
 */
enum TimedKeys {
  WINDOW(Integer.BYTES) {
    @Override
    boolean isIn(byte[] timed, long from, long to) {
      long start = time(timed);
      return start >= from && start <= to;
    }

    @Override
    byte[] timeFirst(byte[] timed) {
      int keyLength = timed.length - Long.BYTES - Integer.BYTES;
      return ByteBuffer.allocate(timed.length)
          .put(timed, keyLength, Long.BYTES)
          .put(timed, 0, keyLength)
          .put(timed, keyLength + Long.BYTES, Integer.BYTES)
          .array();
    }

    @Override
    byte[] ofTimeFirst(byte[] bytes, int at) {
      int keyLength = bytes.length - at - Long.BYTES - Integer.BYTES;
      return ByteBuffer.allocate(bytes.length - at)
          .put(bytes, at + Long.BYTES, keyLength)
          .put(bytes, at, Long.BYTES)
          .put(bytes, at + Long.BYTES + keyLength, Integer.BYTES)
          .array();
    }
  },

  SESSION(Long.BYTES) {
    @Override
    boolean isIn(byte[] timed, long from, long to) {
      return time(timed) >= from && sessionStart(timed) <= to;
    }

    @Override
    byte[] timeFirst(byte[] timed) {
      int keyLength = timed.length - 2 * Long.BYTES;
      return ByteBuffer.allocate(timed.length)
          .put(timed, keyLength, 2 * Long.BYTES)
          .put(timed, 0, keyLength)
          .array();
    }

    @Override
    byte[] ofTimeFirst(byte[] bytes, int at) {
      int keyLength = bytes.length - at - 2 * Long.BYTES;
      return ByteBuffer.allocate(bytes.length - at)
          .put(bytes, at + 2 * Long.BYTES, keyLength)
          .put(bytes, at, 2 * Long.BYTES)
          .array();
    }
  };

  /** The number of bytes after the time. */
  final int restLength;

  TimedKeys(int restLength) {
    this.restLength = restLength;
  }

  /** Returns the form of a window. */
  static byte[] window(byte[] key, long start, int sequence) {
    return ByteBuffer.allocate(key.length + Long.BYTES + Integer.BYTES)
        .put(key)
        .putLong(start)
        .putInt(sequence)
        .array();
  }

  /** Returns the form of a session. */
  static byte[] session(byte[] key, long start, long end) {
    return ByteBuffer.allocate(key.length + 2 * Long.BYTES)
        .put(key)
        .putLong(end)
        .putLong(start)
        .array();
  }

  /** Returns when a session begins. */
  static long sessionStart(byte[] timed) {
    return ByteBuffer.wrap(timed).getLong(timed.length - Long.BYTES);
  }

  private int keyLength(byte[] timed) {
    return timed.length - Long.BYTES - restLength;
  }

  /** Returns the key. */
  final byte[] key(byte[] timed) {
    return Arrays.copyOf(timed, keyLength(timed));
  }

  /** Returns the time that decides when the entry expires. */
  final long time(byte[] timed) {
    return ByteBuffer.wrap(timed).getLong(keyLength(timed));
  }

  /** Returns whether the key is between two keys, both of which are included; null for no end. */
  final boolean isBetween(byte[] timed, byte @Nullable [] from, byte @Nullable [] to) {
    int length = keyLength(timed);
    return (from == null || Arrays.compareUnsigned(timed, 0, length, from, 0, from.length) >= 0)
        && (to == null || Arrays.compareUnsigned(timed, 0, length, to, 0, to.length) <= 0);
  }

  /**
   * Returns whether a window begins between two times, both of which are included; or whether a
   * session ends at the first or later, and begins at the second or earlier.
   */
  abstract boolean isIn(byte[] timed, long from, long to);

  /** Returns the form in which the time comes first. */
  abstract byte[] timeFirst(byte[] timed);

  /**
   * Returns the form of one in which the time comes first, which begins at an index of an array.
   */
  abstract byte[] ofTimeFirst(byte[] bytes, int at);
}
