package io.siltstone.cursor;

import java.io.IOException;

/**
 * Expiry at read: the rules by which a row or cell is live, expired (its TTL is over) or deleted at
 * a given time.
 *
 * <p>Nothing is removed from files when it expires. Each read compares expiration times with the
 * present second; compaction turns expired cells into tombstones and purges them after {@code
 * gc_grace_seconds}. Times are in seconds since 1970. Deletions of rows, ranges and partitions are
 * not considered here; the merge applies them, see {@link Reconciler}. Source: Cassandra {@code
 * AbstractCell.isLive}, {@code LivenessInfo.isLive}, {@code AbstractRow.hasLiveData}.
 */
public final class Liveness {
  private Liveness() {}

  /**
   * Returns whether the present cell is live: it is no tombstone, and has not expired by {@code
   * now}.
   */
  public static boolean isCellLive(Unfiltered row, long now) {
    long time = row.cellLocalDeletionTime();
    return time == DeletionTime.NO_DELETION_TIME || (row.isCellExpiring() && now < time);
  }

  /** Returns whether the row has a primary key liveness that has not expired by {@code now}. */
  public static boolean isPrimaryKeyLive(Unfiltered row, long now) {
    return row.hasLiveness()
        && (row.livenessTtl() == DeletionTime.NO_TTL
            || (row.livenessTtl() != DeletionTime.EXPIRED_LIVENESS_TTL
                && now < row.livenessExpirationTime()));
  }

  /**
   * Returns whether a row is live: it has a live primary key liveness, or a live cell in any
   * column. A static row has no liveness, so only its cells count. Rewinds the walk over the
   * columns, and leaves it at any position.
   */
  public static boolean isRowLive(Unfiltered row, long now) throws IOException {
    if (isPrimaryKeyLive(row, now)) {
      return true;
    }
    row.rewind();
    while (row.nextColumn()) {
      while (row.nextCell()) {
        if (isCellLive(row, now)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns when the present cell, which is not live, was deleted; for an expired cell, when it was
   * written. {@code gc_grace_seconds} count from then on.
   */
  public static long cellDeletedAt(Unfiltered row) {
    return row.cellLocalDeletionTime() - row.cellTtl();
  }
}
