package io.siltstone.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One version of a cell.
 *
 * @param ttl in seconds, 0 if it does not expire
 * @param endsAt when it expires, or was deleted; in seconds since 1970, {@link Long#MAX_VALUE} for
 *     a value that stays
 * @param value null for a tombstone
 * @param bytes the value as it is stored, without any for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by its fields.
record ModelCell(long timestamp, int ttl, long endsAt, @Nullable Object value, byte[] bytes) {

  private boolean isTombstone() {
    return value == null;
  }

  private boolean ends() {
    return endsAt != Long.MAX_VALUE;
  }

  boolean isLive(long now) {
    return !isTombstone() && now < endsAt;
  }

  /** Which of two versions of the same cell is there. */
  static ModelCell winner(ModelCell one, ModelCell other) {
    if (one.timestamp != other.timestamp) {
      return one.timestamp > other.timestamp ? one : other;
    }
    // What is or will be a tombstone wins over what stays.
    if (one.ends() != other.ends()) {
      return one.ends() ? one : other;
    }
    if (one.isTombstone() != other.isTombstone()) {
      return one.isTombstone() ? one : other;
    }
    // Two tombstones, or two that expire: the one that is there longer.
    if (one.endsAt != other.endsAt) {
      return one.endsAt > other.endsAt ? one : other;
    }
    // The same end with a shorter time to live was written later.
    if (one.ttl != other.ttl) {
      return one.ttl < other.ttl ? one : other;
    }
    return Arrays.compareUnsigned(one.bytes, other.bytes) >= 0 ? one : other;
  }
}
