package io.siltstone.kafka.streams.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a key that ended within one segment of time, without a gap: each ends where the
 * next one begins, and the last where the history ends. A version without a value stands for the
 * time in which the key was deleted.
 *
 * <p>A history may also have no version at all, but an end: it says that the key was deleted then,
 * and that nothing is known of before.
 *
 * <pre>
 *   history = long end, version*          the latest first
 *   version = long begin, int length of the value or -1, value
 * </pre>
 *
 * <p>Changed by its owner only.
 */
final class History {
  /**
   * A version.
   *
   * @param from when it begins
   * @param value null if the key was deleted
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Version(long from, byte @Nullable [] value) {}

  private static final int DELETED = -1;

  private long end;
  // The latest first.
  private final List<Version> versions = new ArrayList<>();

  private History(long end) {
    this.end = end;
  }

  /** Returns a history of one version. */
  static History of(long from, long to, byte @Nullable [] value) {
    History history = new History(to);
    history.versions.add(new Version(from, value));
    return history;
  }

  /** Returns a history of no version. */
  static History ofDeletion(long at) {
    return new History(at);
  }

  static History of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    History history = new History(in.getLong());
    while (in.hasRemaining()) {
      long from = in.getLong();
      int length = in.getInt();
      byte[] value = null;
      if (length != DELETED) {
        value = new byte[length];
        in.get(value);
      }
      history.versions.add(new Version(from, value));
    }
    return history;
  }

  byte[] toBytes() {
    int length = Long.BYTES;
    for (Version version : versions) {
      byte[] value = version.value();
      length += Long.BYTES + Integer.BYTES + (value == null ? 0 : value.length);
    }
    ByteBuffer out = ByteBuffer.allocate(length).putLong(end);
    for (Version version : versions) {
      byte[] value = version.value();
      out.putLong(version.from()).putInt(value == null ? DELETED : value.length);
      if (value != null) {
        out.put(value);
      }
    }
    return out.array();
  }

  /** Returns where the last version ends. */
  long end() {
    return end;
  }

  /** Returns where the first version begins. */
  long begin() {
    return versions.isEmpty() ? end : versions.get(versions.size() - 1).from();
  }

  /** Returns the versions, the latest first. */
  List<Version> versions() {
    return versions;
  }

  /** Returns where a version ends. */
  long endOf(int index) {
    return index == 0 ? end : versions.get(index - 1).from();
  }

  /** Returns the index of the version at a time between begin, inclusive, and end, exclusive. */
  int indexAt(long time) {
    int index = 0;
    while (versions.get(index).from() > time) {
      index++;
    }
    return index;
  }

  /** Adds a version after all others; the key was deleted in the time between. */
  void append(long from, long to, byte @Nullable [] value) {
    if (from < end) {
      throw new IllegalStateException(
          "a version from " + from + " on cannot follow a history up to " + end);
    }
    if (end < from) {
      versions.add(0, new Version(end, null));
    }
    versions.add(0, new Version(from, value));
    end = to;
  }

  /** Adds a version before all others, which ends where they begin. */
  void prepend(long from, byte @Nullable [] value) {
    versions.add(new Version(from, value));
  }

  /** Adds a version within the one at an index, which ends where the new one begins. */
  void split(int index, long at, byte @Nullable [] value) {
    versions.add(index, new Version(at, value));
  }

  /** Replaces a version by one that may begin later. */
  void replace(int index, long from, byte @Nullable [] value) {
    versions.set(index, new Version(from, value));
  }
}
