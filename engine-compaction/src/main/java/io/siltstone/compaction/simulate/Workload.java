package io.siltstone.compaction.simulate;

/**
 * The workload of a simulation: the writes to its table, and the limits of compaction. Immutable.
 *
 * <p>Rows are of one size, each in a partition of its own, with keys that are spread evenly over
 * the token space. A write inserts a new key, or replaces or deletes the row of an existing key
 * that is chosen evenly.
 *
 * @param ingestBytes the bytes written in all, as they take on disk
 * @param rowBytes the bytes of one row on disk
 * @param flushBytes the bytes of one flush, at least {@link #leastFlushBytes}; the last flush has
 *     the rest
 * @param ingestBytesPerSecond the rate at which rows come in, which decides how long the simulation
 *     takes; at least {@link #leastBytesPerSecond}, at most {@link #MOST_BYTES_PER_SECOND}
 * @param overwriteShare the share of writes that replace a row, 0 to 1
 * @param deleteShare the share of writes that delete a row, 0 to 1; together with the overwrites at
 *     most 1
 * @param keys the greatest number of keys, 0 for no limit; when all exist, every write that is no
 *     deletion is an overwrite
 * @param times when rows expire, and how late they are written
 * @param compaction how fast it may be compacted
 */
public record Workload(
    long ingestBytes,
    long rowBytes,
    long flushBytes,
    long ingestBytesPerSecond,
    double overwriteShare,
    double deleteShare,
    long keys,
    Times times,
    Compaction compaction) {
  /** 1 TiB of new rows of 1 KiB at 20 MiB/s, compacted at 64 MiB/s by two compactors. */
  public static final Workload DEFAULT =
      new Workload(1L << 40, 1024, 512L << 20, 20L << 20, 0, 0, 0, 0, new Compaction(64L << 20, 2));

  /** The greatest rate at which rows may come in: 8 TiB a second. */
  public static final long MOST_BYTES_PER_SECOND = 8L << 40;

  private static final long MOST_FLUSHES = 1L << 21;
  private static final long MOST_SECONDS = 100L * 366 * 86_400;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming a value that is not allowed, and what is allowed
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
    least("ttlSeconds", times.ttlSeconds(), 0);
    least("lateSeconds", times.lateSeconds(), 0);
    most("lateSeconds", times.lateSeconds(), MOST_SECONDS);
    if (compaction.bytesPerSecond() != 0) {
      least(
          "compactionBytesPerSecond",
          compaction.bytesPerSecond(),
          leastBytesPerSecond(ingestBytes));
    }
    least("compactors", compaction.compactors(), 1);
    if (flushBytes > ingestBytes) {
      throw new IllegalArgumentException(
          "flushBytes = " + flushBytes + ", allowed up to ingestBytes = " + ingestBytes);
    }
    if (rowBytes > flushBytes) {
      throw new IllegalArgumentException(
          "rowBytes = " + rowBytes + ", allowed up to flushBytes = " + flushBytes);
    }
  }

  /**
   * Creates a workload of rows that are written when their events happen.
   *
   * @param ttlSeconds after which a row expires, 0 for never
   */
  public Workload(
      long ingestBytes,
      long rowBytes,
      long flushBytes,
      long ingestBytesPerSecond,
      double overwriteShare,
      double deleteShare,
      long keys,
      long ttlSeconds,
      Compaction compaction) {
    this(
        ingestBytes,
        rowBytes,
        flushBytes,
        ingestBytesPerSecond,
        overwriteShare,
        deleteShare,
        keys,
        new Times(ttlSeconds, 0),
        compaction);
  }

  /**
   * The times of rows.
   *
   * @param ttlSeconds after which a row expires, counted from its write; 0 for never
   * @param lateSeconds the longest time between the event of a row and its write; evenly from 0 to
   *     this. It decides to which window of event time an SSTable belongs
   */
  public record Times(long ttlSeconds, long lateSeconds) {}

  /**
   * The limits of compaction.
   *
   * @param bytesPerSecond the rate at which all jobs together read, at least {@link
   *     #leastBytesPerSecond}; 0 for no limit, by which jobs take no time
   * @param compactors the greatest number of jobs that run at once
   */
  public record Compaction(long bytesPerSecond, int compactors) {}

  /**
   * Returns the least rate for this many bytes, by which the simulation takes a hundred years.
   * Microseconds of a far longer time would overflow a long.
   */
  public static long leastBytesPerSecond(long ingestBytes) {
    return Math.max(1, ingestBytes / MOST_SECONDS);
  }

  /**
   * Returns the least size of a flush for this many bytes: two million flushes, enough for 1 PiB in
   * flushes of 512 MiB. Some rows of each flush are sampled, so more would need too much memory and
   * take days.
   */
  public static long leastFlushBytes(long ingestBytes) {
    return Math.max(1, (ingestBytes - 1) / MOST_FLUSHES + 1);
  }

  private static void most(String name, long value, long most) {
    if (value > most) {
      throw new IllegalArgumentException(name + " = " + value + ", allowed up to " + most);
    }
  }

  private static void least(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " = " + value + ", allowed " + least + " or more");
    }
  }

  private static void share(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " = " + value + ", allowed 0 to 1");
    }
  }
}
