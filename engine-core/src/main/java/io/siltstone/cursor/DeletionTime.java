package io.siltstone.cursor;

/**
 * The two numbers of a deletion (tombstone), and their special values. Deletions are passed as
 * pairs of primitives, which need no allocation: {@code timestamp} in microseconds (data with this
 * or a lower timestamp is deleted), and {@code localDeletionTime} in seconds since 1970 (when the
 * tombstone was written; {@code gc_grace_seconds} count from then on).
 *
 * <p>Source: Cassandra {@code DeletionTime}, {@code Cell}.
 */
public final class DeletionTime {
  /** Timestamp of no deletion, and of no liveness. */
  public static final long NO_TIMESTAMP = Long.MIN_VALUE;

  /** Local deletion time of what is not deleted and does not expire. */
  public static final long NO_DELETION_TIME = Long.MAX_VALUE;

  /** The value of a corrupt or impossible local deletion time; greater than all valid ones. */
  public static final long INVALID_DELETION_TIME = 0xFFFF_FFFEL;

  /** Latest valid local deletion time, in 2106. */
  public static final long MAX_DELETION_TIME = 0xFFFF_FFFDL;

  /** Latest valid local deletion time where times are signed, before version {@code oa}. */
  public static final long MAX_SIGNED_DELETION_TIME = Integer.MAX_VALUE - 1L;

  /** TTL of what does not expire. */
  public static final int NO_TTL = 0;

  /** TTL of a liveness that marks the row as expired. */
  public static final int EXPIRED_LIVENESS_TTL = Integer.MAX_VALUE;

  private static final long NO_DELETION_TIME_UNSIGNED = 0xFFFF_FFFFL;

  private DeletionTime() {}

  /**
   * Returns whether a timestamp stands for no deletion. Of a liveness use {@link
   * Unfiltered#hasLiveness()}.
   */
  public static boolean isLive(long timestamp) {
    return timestamp == NO_TIMESTAMP;
  }

  /** Returns a local deletion time from the unsigned 32 bits it is written in. */
  public static long fromUnsigned(int bits) {
    long value = bits & 0xFFFF_FFFFL;
    return value == NO_DELETION_TIME_UNSIGNED ? NO_DELETION_TIME : value;
  }
}
