package io.siltstone.sstable.metadata;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.FormatVersion;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * About how many tombstones and expiring cells become droppable when: counts at some local deletion
 * times, in ascending order.
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

  // Latest deletion time of versions whose times are signed.
  private static final long MAX_SIGNED_TIME = Integer.MAX_VALUE - 1;

  private final long[] times;
  private final int[] counts;

  /** Takes the arrays over: as many of each, times strictly ascending. */
  TombstoneHistogram(long[] times, int[] counts) {
    this.times = times;
    this.counts = counts;
  }

  /** Of a table without tombstones. */
  public static TombstoneHistogram empty() {
    return EMPTY;
  }

  /**
   * Of counts by time, for tables that are made up.
   *
   * @param countOf by time in seconds since 1970; counts of 1 and more
   */
  public static TombstoneHistogram of(NavigableMap<Long, Integer> countOf) {
    if (countOf.isEmpty()) {
      // Nearly all, and live tables may be very many.
      return EMPTY;
    }
    return new TombstoneHistogram(
        countOf.keySet().stream().mapToLong(Long::longValue).toArray(),
        countOf.values().stream().mapToInt(Integer::intValue).toArray());
  }

  /** Number of times there are. */
  public int size() {
    return times.length;
  }

  /** A time, in seconds since 1970. */
  public long time(int index) {
    return times[index];
  }

  /** Tombstones of that time. */
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
        throw in.corrupt(start, count + " tombstones of one time, allowed 0 and more");
      }
      countOf.merge(time, saturated(count), (a, b) -> saturated((long) a + b));
    }
    return of(countOf);
  }

  /** What is out of range counts as the latest time there is, as in Cassandra. */
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

  /** Times with their counts. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("TombstoneHistogram[");
    for (int i = 0; i < times.length; i++) {
      text.append(i == 0 ? "" : ", ").append(times[i]).append(": ").append(counts[i]);
    }
    return text.append(']').toString();
  }
}
