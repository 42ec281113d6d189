package io.siltstone.kafka.streams.table;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of entries with long keys: one entry of the table, whose key is what their keys have in
 * common, the first 65,535 bytes, and whose value is the list of the rest of each key, in order,
 * with its value.
 *
 * <p>Since all keys of a bucket begin with its key, and no shorter key is between two of them,
 * entries of buckets are in the order of their keys among all others.
 *
 * <pre>
 *   value = entry*
 *   entry = int length of the rest, rest, int length of the value, value
 * </pre>
 *
 * <p>Immutable.
 */
final class Bucket {
  /** One entry: the rest of its key, and its value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(byte[] rest, byte[] value) {}

  private final List<Entry> entries;

  private Bucket(List<Entry> entries) {
    this.entries = entries;
  }

  /** Reads the value of a bucket; null for an empty one. */
  static Bucket of(byte @Nullable [] value) {
    List<Entry> entries = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(value == null ? new byte[0] : value);
    while (bytes.hasRemaining()) {
      byte[] rest = next(bytes);
      entries.add(new Entry(rest, next(bytes)));
    }
    return new Bucket(entries);
  }

  private static byte[] next(ByteBuffer bytes) {
    byte[] next = new byte[bytes.getInt()];
    bytes.get(next);
    return next;
  }

  /** Returns the rest of a key that is kept in a bucket. */
  static byte[] rest(byte[] form) {
    return Arrays.copyOfRange(form, KeyForm.BUCKET_LENGTH, form.length);
  }

  /** Returns the entries in the order of their keys. */
  List<Entry> entries() {
    return entries;
  }

  /** Returns the value of a key; null if there is none. */
  byte @Nullable [] get(byte[] rest) {
    for (Entry entry : entries) {
      if (Arrays.equals(entry.rest(), rest)) {
        return entry.value();
      }
    }
    return null;
  }

  /** Returns the bucket with another value of a key; null for none. */
  Bucket with(byte[] rest, byte @Nullable [] value) {
    List<Entry> changed = new ArrayList<>(entries);
    changed.removeIf(entry -> Arrays.equals(entry.rest(), rest));
    if (value != null) {
      int at = 0;
      while (at < changed.size() && Arrays.compareUnsigned(changed.get(at).rest(), rest) < 0) {
        at++;
      }
      changed.add(at, new Entry(rest, value));
    }
    return new Bucket(changed);
  }

  /** Returns the value of the table's entry; null if the bucket is empty. */
  byte @Nullable [] toValue() {
    if (entries.isEmpty()) {
      return null;
    }
    int length = 0;
    for (Entry entry : entries) {
      length += 2 * Integer.BYTES + entry.rest().length + entry.value().length;
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    for (Entry entry : entries) {
      bytes.putInt(entry.rest().length).put(entry.rest());
      bytes.putInt(entry.value().length).put(entry.value());
    }
    return bytes.array();
  }
}
