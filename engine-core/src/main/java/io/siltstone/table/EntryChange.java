package io.siltstone.table;

import io.siltstone.schema.TableOptions;
import org.jspecify.annotations.Nullable;

/** A put or a deletion of one entry. Immutable, as long as nobody changes its arrays. */
public final class EntryChange {
  /** Instead of a TTL: that of the table. */
  static final int DEFAULT_TTL = -1;

  final byte[] key;
  final byte @Nullable [] value;
  final int ttlSeconds;

  private EntryChange(byte[] key, byte @Nullable [] value, int ttlSeconds) {
    EntryLookup.requireLength(key.length);
    this.key = key;
    this.value = value;
    this.ttlSeconds = ttlSeconds;
  }

  /**
   * A put of an entry that expires after the {@code default_time_to_live} of the table.
   *
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public static EntryChange put(byte[] key, byte[] value) {
    return new EntryChange(key, value, DEFAULT_TTL);
  }

  /**
   * A put of an entry that expires.
   *
   * @throws IllegalArgumentException if the key is empty or too long, or the TTL out of range
   */
  public static EntryChange put(byte[] key, byte[] value, int ttlSeconds) {
    if (ttlSeconds < 0 || ttlSeconds > TableOptions.MAX_TIME_TO_LIVE) {
      throw new IllegalArgumentException(
          "TTL of " + ttlSeconds + " s, allowed 0 to " + TableOptions.MAX_TIME_TO_LIVE);
    }
    return new EntryChange(key, value, ttlSeconds);
  }

  /**
   * A deletion.
   *
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public static EntryChange deletion(byte[] key) {
    return new EntryChange(key, null, DEFAULT_TTL);
  }

  /** Bytes of key and value. */
  public long dataBytes() {
    return (long) key.length + (value == null ? 0 : value.length);
  }
}
