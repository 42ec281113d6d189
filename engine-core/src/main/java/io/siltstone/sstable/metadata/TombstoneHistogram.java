package io.siltstone.sstable.metadata;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.FormatVersion;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The approximate number of tombstones and expiring cells by local deletion time, in ascending
 * order: an estimate of how many are droppable at a time.
 *
 * <pre>
 *   size     int      (twice)
 *   time     long     seconds; na, nb: a double
 *   count    int      na, nb: a long
 * </pre>
 *
 * Immutable, safe for all threads. Source: Cassandra {@code TombstoneHistogram}.
 */
public final class TombstoneHistogram {
  private static final TombstoneHistogram EMPTY = new TombstoneHistogram(new long[0], new int[0]);

  // The latest deletion time of versions whose times are signed.
  private static final long MAX_SIGNED_TIME = Integer.MAX_VALUE - 1;

  private final long[] times;
  private final int[] counts;

  /** Takes over the arrays, which have the same length; times are strictly ascending. */
  TombstoneHistogram(long[] times, int[] counts) {
    this.times = times;
    this.counts = counts;
  }

  /** Returns the histogram of an SSTable without tombstones. */
  public static TombstoneHistogram empty() {
    return EMPTY;
  }

  /**
   * Returns a histogram of counts by time, for SSTables that tests and simulations invent.
   *
   * @param countOf by time in seconds since 1970; counts of 1 and more
   */
  public static TombstoneHistogram of(NavigableMap<Long, Integer> countOf) {
    if (countOf.isEmpty()) {
      // Nearly all histograms are empty, and there may be very many live SSTables.
      return EMPTY;
    }
    return new TombstoneHistogram(
        countOf.keySet().stream().mapToLong(Long::longValue).toArray(),
        countOf.values().stream().mapToInt(Integer::intValue).toArray());
  }

  /** Returns the number of times. */
  public int size() {
    return times.length;
  }

  /** Returns a time in seconds since 1970. */
  public long time(int index) {
    return times[index];
  }

  /** Returns the number of tombstones of that time. */
  public int countAt(int index) {
    return counts[index];
  }

  /**
   * Estimates how many tombstones have a local deletion time of at most {@code seconds}: those at
   * the times up to it, and a share of the next ones by distance.
   *
   * @param seconds since 1970
   */
  public double countUpTo(long seconds) {
    double sum = 0;
    for (int i = 0; i < times.length; i++) {
      if (times[i] > seconds) {
        if (i == 0) {
          return 0;
        }
        double weight = (seconds - times[i - 1]) / (double) (times[i] - times[i - 1]);
        double before = counts[i - 1];
        double there = before + (counts[i] - before) * weight;
        return sum - before + (before + there) * weight / 2 + before / 2;
      }
      sum += counts[i];
    }
    return sum;
  }

  static TombstoneHistogram read(MetadataInput in, FormatVersion version)
      throws CorruptSSTableException {
    boolean isWide = version.hasUnsignedDeletionTimes();
    in.int32(); // Most there may be: of no use any more.
    int size = in.count(in.int32(), isWide ? 12 : 16, "tombstone counts");
    // Times out of range are moved to the end, where there may be one already.
    NavigableMap<Long, Integer> countOf = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      long time = readTime(in, isWide);
      int start = in.offset();
      long count = isWide ? in.int32() : in.int64();
      if (count < 0) {
        throw in.corrupt(start, count + " tombstones of one time, allowed 0 or more");
      }
      countOf.merge(time, saturated(count), (a, b) -> saturated((long) a + b));
    }
    return of(countOf);
  }

  /** Reads a time. A time out of range counts as the latest possible one, as in Cassandra. */
  private static long readTime(MetadataInput in, boolean isWide) throws CorruptSSTableException {
    long time = isWide ? in.int64() : (long) in.float64();
    long max = isWide ? DeletionTime.MAX_DELETION_TIME : MAX_SIGNED_TIME;
    return time < 0 || time > max ? max : time;
  }

  static int saturated(long count) {
    return (int) Math.min(count, Integer.MAX_VALUE);
  }

  void write(MetadataOutput out, FormatVersion version) {
    out.int32(times.length);
    out.int32(times.length);
    for (int i = 0; i < times.length; i++) {
      if (version.hasUnsignedDeletionTimes()) {
        out.int64(times[i]);
        out.int32(counts[i]);
      } else {
        out.float64((double) times[i]);
        out.int64(counts[i]);
      }
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TombstoneHistogram histogram
        && Arrays.equals(times, histogram.times)
        && Arrays.equals(counts, histogram.counts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(times) + Arrays.hashCode(counts);
  }

  /** Returns times with their counts. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("TombstoneHistogram[");
    for (int i = 0; i < times.length; i++) {
      text.append(i == 0 ? "" : ", ").append(times[i]).append(": ").append(counts[i]);
    }
    return text.append(']').toString();
  }
}
