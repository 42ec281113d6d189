package io.siltstone.cursor;

import java.io.IOException;

/**
 * Whether rows and cells are there for a reader at a time: the rules of expiry, in one place.
 *
 * <p>Times are seconds since 1970. Deletions of rows, ranges and partitions are no part of this:
 * they are applied where versions are merged, see {@link Reconciler}. Source: Cassandra {@code
 * AbstractCell.isLive}, {@code LivenessInfo.isLive}, {@code AbstractRow.hasLiveData}.
 */
public final class Liveness {
  private Liveness() {}

  /**
   * Whether the present cell has a value: it is no tombstone, and has not expired by {@code now}.
   */
  public static boolean isCellLive(Unfiltered row, long now) {
    long time = row.cellLocalDeletionTime();
    return time == DeletionTime.NO_DELETION_TIME || (row.isCellExpiring() && now < time);
  }

  /** Whether the row has a primary key liveness that has not expired by {@code now}. */
  public static boolean isPrimaryKeyLive(Unfiltered row, long now) {
    return row.hasLiveness()
        && (row.livenessTtl() == DeletionTime.NO_TTL
            || (row.livenessTtl() != DeletionTime.EXPIRED_LIVENESS_TTL
                && now < row.livenessExpirationTime()));
  }

  /**
   * Whether a row is there: it has a live primary key liveness, or a live cell in any column. A
   * static row has no liveness, so that its cells decide. Begins the walk over the columns anew,
   * and leaves it somewhere.
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
   * When the present cell, which is not live, was deleted; of one that has expired, when it was
   * written. {@code gc_grace_seconds} count from then on.
   */
  public static long cellDeletedAt(Unfiltered row) {
    return row.cellLocalDeletionTime() - row.cellTtl();
  }
}
