package io.siltstone.cursor;

/**
 * When a tombstone may be forgotten: it was made long enough ago that every replica has heard of
 * it, and nothing that it could shadow lies outside of what is merged.
 *
 * <p>Source: Cassandra {@code CompactionController.getPurgeEvaluator}.
 */
public final class Purgeability {
  private Purgeability() {}

  /**
   * Whether its grace is over.
   *
   * @param localDeletionTime when it was made, in seconds since 1970; see {@link
   *     Liveness#cellDeletedAt} of cells
   * @param gcBefore now less {@code gc_grace_seconds}
   */
  public static boolean isGraceOver(long localDeletionTime, long gcBefore) {
    return localDeletionTime < gcBefore;
  }

  /**
   * Whether it can shadow nothing that lies outside.
   *
   * @param timestamp of the tombstone in microseconds
   * @param leastOutside least timestamp of anything outside that may be of the same partition,
   *     {@link Long#MAX_VALUE} if there is nothing
   */
  public static boolean isFree(long timestamp, long leastOutside) {
    return timestamp < leastOutside || leastOutside == Long.MAX_VALUE;
  }
}
