package io.siltstone.compaction.simulate;

/**
 * What is written to a table that is made up, and how fast it may be compacted. Immutable.
 *
 * <p>Rows are of one size, each a partition of its own, with keys that are spread evenly over the
 * token space. A write is of a new key, or replaces or deletes the row of an existing one that is
 * chosen evenly.
 *
 * @param ingestBytes that are written in all, as they take on disk
 * @param rowBytes of one row on disk
 * @param flushBytes of one flush, {@link #leastFlushBytes} or more; the last has what is left
 * @param ingestBytesPerSecond at which rows come in; decides how long it all takes, {@link
 *     #leastBytesPerSecond} or more, and less than 9 TB
 * @param overwriteShare of writes that replace a row, 0 to 1
 * @param deleteShare of writes that delete a row, 0 to 1; with the overwrites at most 1
 * @param keys that there are at most, 0 for no limit: when all are there, what is not a deletion is
 *     an overwrite
 * @param ttlSeconds after which a row expires, 0 for never
 * @param compactionBytesPerSecond that all jobs together read at most, 0 for no limit: then they
 *     take no time; else {@link #leastBytesPerSecond} or more
 * @param compactors jobs that run at once at most
 */
public record Workload(
    long ingestBytes,
    long rowBytes,
    long flushBytes,
    long ingestBytesPerSecond,
    double overwriteShare,
    double deleteShare,
    long keys,
    long ttlSeconds,
    long compactionBytesPerSecond,
    int compactors) {
  /** 1 TiB of new rows of 1 KiB at 20 MiB/s, compacted at 64 MiB/s by two. */
  public static final Workload DEFAULT =
      new Workload(1L << 40, 1024, 512L << 20, 20L << 20, 0, 0, 0, 0, 64L << 20, 2);

  /** The most at which rows may come in: 8 TiB a second. */
  public static final long MOST_BYTES_PER_SECOND = 8L << 40;

  private static final long MOST_FLUSHES = 1L << 21;
  private static final long MOST_SECONDS = 100L * 366 * 86_400;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming one that is not allowed, and what is
   */
  public Workload {
    least("ingestBytes", ingestBytes, 1);
    least("rowBytes", rowBytes, 1);
    least("flushBytes", flushBytes, leastFlushBytes(ingestBytes));
    least("ingestBytesPerSecond", ingestBytesPerSecond, leastBytesPerSecond(ingestBytes));
    most("ingestBytesPerSecond", ingestBytesPerSecond, MOST_BYTES_PER_SECOND);
    share("overwriteShare", overwriteShare);
    share("deleteShare", deleteShare);
    share("overwriteShare and deleteShare together", overwriteShare + deleteShare);
    least("keys", keys, 0);
    least("ttlSeconds", ttlSeconds, 0);
    if (compactionBytesPerSecond != 0) {
      least("compactionBytesPerSecond", compactionBytesPerSecond, leastBytesPerSecond(ingestBytes));
    }
    least("compactors", compactors, 1);
    if (flushBytes > ingestBytes) {
      throw new IllegalArgumentException(
          "flushBytes = " + flushBytes + ", allowed to ingestBytes = " + ingestBytes);
    }
    if (rowBytes > flushBytes) {
      throw new IllegalArgumentException(
          "rowBytes = " + rowBytes + ", allowed to flushBytes = " + flushBytes);
    }
  }

  /**
   * The least at which so much may come in, and be compacted: it takes a hundred years then. The
   * microseconds of what takes far longer would not be numbered by a long.
   */
  public static long leastBytesPerSecond(long ingestBytes) {
    return Math.max(1, ingestBytes / MOST_SECONDS);
  }

  /**
   * The least that a flush may have where so much comes in: two million are enough for 1 PiB in
   * flushes of 512 MiB. Of each some rows are followed; more would take more memory than there is,
   * and days.
   */
  public static long leastFlushBytes(long ingestBytes) {
    return Math.max(1, (ingestBytes - 1) / MOST_FLUSHES + 1);
  }

  private static void most(String name, long value, long most) {
    if (value > most) {
      throw new IllegalArgumentException(name + " = " + value + ", allowed to " + most);
    }
  }

  private static void least(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " = " + value + ", allowed from " + least);
    }
  }

  private static void share(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " = " + value + ", allowed 0 to 1");
    }
  }
}
