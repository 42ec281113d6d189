package io.siltstone.cursor;

import java.util.Arrays;

/**
 * Conflict resolution: decides which of two versions wins. The greater timestamp wins; at equal
 * timestamps these rules are the tie-break, for cells, liveness and deletions.
 *
 * <p>Each rule is a total order. Therefore the result of a merge depends neither on the order of
 * the versions nor on how they are grouped. {@link VersionSelector} applies the rules to all parts
 * of a row. Source: Cassandra {@code Cells.resolveRegular}, {@code LivenessInfo.supersedes}, {@code
 * DeletionTime.supersedes}.
 */
public final class ConflictRules {
  private ConflictRules() {}

  /**
   * Compares the present cells of two rows; they must not be counters.
   *
   * <p>The greater timestamp wins. The tie-break of equal timestamps is, in this order: a tombstone
   * or an expiring cell wins over a cell that does not expire, whatever the present time; a
   * tombstone wins over an expiring cell; the later local deletion time wins; of two expiring cells
   * the one with the shorter TTL wins, as it was probably written later; the greater value in
   * unsigned bytes wins.
   *
   * @return positive if the left one wins, negative if the right one does, 0 if they are equal
   */
  public static int compare(Unfiltered left, Unfiltered right) {
    if (left.cellTimestamp() != right.cellTimestamp()) {
      return Long.compare(left.cellTimestamp(), right.cellTimestamp());
    }
    int order =
        compareEnds(
            left.cellTtl(),
            left.cellLocalDeletionTime(),
            right.cellTtl(),
            right.cellLocalDeletionTime());
    return order != 0 ? order : compareValues(left, right);
  }

  /** Returns whether the deletion of a row wins over that of another version of the row. */
  public static boolean rowDeletionSupersedes(Unfiltered row, Unfiltered other) {
    if (row.deletionTimestamp() == other.deletionTimestamp()
        && row.deletionLocalTime() == other.deletionLocalTime()) {
      // The deletion that is not shadowable wins.
      return other.isDeletionShadowable() && !row.isDeletionShadowable();
    }
    return deletionSupersedes(
        row.deletionTimestamp(),
        row.deletionLocalTime(),
        other.deletionTimestamp(),
        other.deletionLocalTime());
  }

  private static int compareEnds(int leftTtl, long leftTime, int rightTtl, long rightTime) {
    boolean leftEnds = leftTime != DeletionTime.NO_DELETION_TIME;
    boolean rightEnds = rightTime != DeletionTime.NO_DELETION_TIME;
    if (leftEnds != rightEnds) {
      return leftEnds ? 1 : -1;
    }
    boolean leftExpires = leftTtl != DeletionTime.NO_TTL;
    boolean rightExpires = rightTtl != DeletionTime.NO_TTL;
    if (leftExpires != rightExpires) {
      return leftExpires ? -1 : 1;
    }
    return leftTime != rightTime
        ? Long.compare(leftTime, rightTime)
        : Integer.compare(rightTtl, leftTtl);
  }

  private static int compareValues(Unfiltered left, Unfiltered right) {
    return Arrays.compareUnsigned(
        left.bytes(),
        left.valueOffset(),
        left.valueOffset() + left.valueLength(),
        right.bytes(),
        right.valueOffset(),
        right.valueOffset() + right.valueLength());
  }

  /** Returns whether the liveness of a row wins over that of another version of the row. */
  public static boolean livenessSupersedes(Unfiltered row, Unfiltered other) {
    return livenessSupersedes(
        row.livenessTimestamp(),
        row.livenessTtl(),
        row.livenessExpirationTime(),
        other.livenessTimestamp(),
        other.livenessTtl(),
        other.livenessExpirationTime());
  }

  /**
   * Returns whether a primary key liveness wins over another.
   *
   * <p>The greater timestamp wins. At equal timestamps, in this order: a liveness that marks the
   * row as expired wins; one that expires wins over one that does not; the later expiration wins;
   * the shorter TTL wins.
   */
  public static boolean livenessSupersedes(
      long timestamp,
      int ttl,
      long expiration,
      long otherTimestamp,
      int otherTtl,
      long otherExpiration) {
    if (timestamp != otherTimestamp) {
      return timestamp > otherTimestamp;
    }
    boolean expired = ttl == DeletionTime.EXPIRED_LIVENESS_TTL;
    if (expired != (otherTtl == DeletionTime.EXPIRED_LIVENESS_TTL)) {
      return expired;
    }
    boolean expires = ttl != DeletionTime.NO_TTL;
    if (expires != (otherTtl != DeletionTime.NO_TTL)) {
      return expires;
    }
    return expiration != otherExpiration ? expiration > otherExpiration : ttl < otherTtl;
  }

  /** Returns whether a deletion wins over another: by timestamp, then by local deletion time. */
  public static boolean deletionSupersedes(
      long timestamp, long localTime, long otherTimestamp, long otherLocalTime) {
    return timestamp != otherTimestamp ? timestamp > otherTimestamp : localTime > otherLocalTime;
  }
}
