package io.siltstone.cursor;

/**
 * The bases of delta encoding: timestamps, deletion times and TTLs of a file are written as
 * differences to these.
 *
 * @param minTimestamp in microseconds since 1970
 * @param minLocalDeletionTime in seconds since 1970
 * @param minTtl in seconds, 0 if some cell does not expire
 */
public record EncodingStats(long minTimestamp, long minLocalDeletionTime, int minTtl) {

  /**
   * 2015-09-22 00:00:00 UTC, in microseconds: the base where nothing is known, and that of the
   * header on disk.
   */
  public static final long TIMESTAMP_EPOCH = 1_442_880_000_000_000L;

  /**
   * 2015-09-22 00:00:00 UTC, in seconds: the base where nothing is known, and that of the header on
   * disk.
   */
  public static final long DELETION_TIME_EPOCH = 1_442_880_000L;

  /** The base of TTLs where nothing is known. */
  public static final int TTL_EPOCH = 0;

  /** The bases of a file of which nothing is known before it is written. */
  public static final EncodingStats NONE =
      new EncodingStats(TIMESTAMP_EPOCH, DELETION_TIME_EPOCH, TTL_EPOCH);

  /**
   * Bases from which every valid time can be written, also beyond 2083, for merged rows that are
   * not stored. A present time takes nine bytes.
   */
  public static final EncodingStats ANY =
      new EncodingStats(TIMESTAMP_EPOCH, Integer.MAX_VALUE, TTL_EPOCH);
}
