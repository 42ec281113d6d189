package io.siltstone.cursor;

/**
 * The conditions of a tombstone purge: {@code gc_grace_seconds} are over, so that every replica has
 * seen the tombstone, and no source outside the merge may have older data that the tombstone
 * shadows (overlap check).
 *
 * <p>Source: Cassandra {@code CompactionController.getPurgeEvaluator}.
 */
public final class Purgeability {
  private Purgeability() {}

  /**
   * Returns whether the grace period of a tombstone is over.
   *
   * @param localDeletionTime when it was written, in seconds since 1970; see {@link
   *     Liveness#cellDeletedAt} of cells
   * @param gcBefore now less {@code gc_grace_seconds}
   */
  public static boolean isGraceOver(long localDeletionTime, long gcBefore) {
    return localDeletionTime < gcBefore;
  }

  /**
   * Returns whether a tombstone shadows nothing outside the merge.
   *
   * @param timestamp of the tombstone in microseconds
   * @param leastOutside least timestamp of anything outside that may be of the same partition,
   *     {@link Long#MAX_VALUE} if there is nothing
   */
  public static boolean isFree(long timestamp, long leastOutside) {
    return timestamp < leastOutside || leastOutside == Long.MAX_VALUE;
  }
}
