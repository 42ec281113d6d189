package io.siltstone.table;

import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.mutation.UpdateWriter;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.TableOptions;
import org.jspecify.annotations.Nullable;

/**
 * A put or a deletion of one entry of a {@linkplain KeyValueForm key-value table}, or the deletion
 * of a range of keys, which has no timestamp yet: {@link MutationWriter} assigns it under the lock
 * of the shard, or of all shards for a range, so that the order of timestamps is the order of the
 * writes.
 *
 * <p>Immutable, provided that nobody changes its arrays.
 */
public final class ValueChange {
  /** Means the {@code default_time_to_live} of the table, instead of a TTL. */
  private static final int DEFAULT_TTL = -1;

  private final byte[] key;
  private final byte @Nullable [] value;
  private final int ttlSeconds;
  private final boolean isOfRange;
  // The end of the range, exclusive; null for no end.
  private final byte @Nullable [] to;

  private ValueChange(byte[] key, byte @Nullable [] value, int ttlSeconds) {
    this(key, value, ttlSeconds, false, null);
  }

  private ValueChange(
      byte[] key,
      byte @Nullable [] value,
      int ttlSeconds,
      boolean isOfRange,
      byte @Nullable [] to) {
    requireKeyLength(key.length);
    this.isOfRange = isOfRange;
    this.to = to;
    this.key = key;
    this.value = value;
    this.ttlSeconds = ttlSeconds;
  }

  /**
   * Returns a put of an entry that expires after the {@code default_time_to_live} of the table.
   *
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public static ValueChange put(byte[] key, byte[] value) {
    return new ValueChange(key, value, DEFAULT_TTL);
  }

  /**
   * Returns a put of an entry that expires.
   *
   * @param ttlSeconds seconds from the write until the entry expires; 0 for never
   * @throws IllegalArgumentException if the key is empty or too long, or the TTL is out of range
   */
  public static ValueChange put(byte[] key, byte[] value, int ttlSeconds) {
    if (ttlSeconds < 0 || ttlSeconds > TableOptions.MAX_TIME_TO_LIVE) {
      throw new IllegalArgumentException(
          "TTL of " + ttlSeconds + " s, allowed 0 to " + TableOptions.MAX_TIME_TO_LIVE);
    }
    return new ValueChange(key, value, ttlSeconds);
  }

  /**
   * Returns a deletion of an entry.
   *
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public static ValueChange deletion(byte[] key) {
    return new ValueChange(key, null, DEFAULT_TTL);
  }

  /**
   * Returns the deletion of a range of keys.
   *
   * @param first an entry's key, which is the first that is deleted
   * @param to greater than that, the first key that is not deleted; null for no end
   * @throws IllegalArgumentException if the first key is empty or too long
   */
  public static ValueChange rangeDeletion(byte[] first, byte @Nullable [] to) {
    return new ValueChange(first, null, DEFAULT_TTL, true, to);
  }

  /** Returns whether it is the deletion of a range of keys. */
  boolean isOfRange() {
    return isOfRange;
  }

  /**
   * Checks the length of a key: SSTables have no empty partition keys.
   *
   * @throws IllegalArgumentException if no entry can have a key of that length
   */
  public static void requireKeyLength(int length) {
    if (length < 1 || length > PartitionKey.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a key of " + length + " bytes, allowed 1 to " + PartitionKey.MAX_LENGTH);
    }
  }

  /** Returns the key, or the first one of a range, which is not copied. */
  public byte[] key() {
    return key;
  }

  /** Returns the value, which is not copied; null for a deletion. */
  public byte @Nullable [] value() {
    return value;
  }

  /** Returns the size of key and value, or of the bounds of the range, in bytes. */
  public long dataBytes() {
    return (long) key.length + (value == null ? 0 : value.length) + (to == null ? 0 : to.length);
  }

  /**
   * Encodes the change.
   *
   * @param timestampMicros of the value or of the deletion
   * @param defaultTtlSeconds of the table; 0 for none
   * @param clock is asked for the present time only if the change needs it
   */
  public void encode(
      UpdateWriter update, long timestampMicros, int defaultTtlSeconds, WriteClock clock) {
    update.begin(key, 0, key.length);
    if (value == null) {
      update.times(timestampMicros, DeletionTime.NO_TTL, clock.nowSeconds());
      update.deletePartition();
      if (isOfRange) {
        update.deleteKeysUpTo(to);
      }
      return;
    }
    int ttl = ttlSeconds == DEFAULT_TTL ? defaultTtlSeconds : ttlSeconds;
    update.times(timestampMicros, ttl, ttl == DeletionTime.NO_TTL ? 0 : clock.nowSeconds());
    update.beginRow();
    update.liveness();
    update.value(0, value, 0, value.length);
    update.endRow();
  }
}
