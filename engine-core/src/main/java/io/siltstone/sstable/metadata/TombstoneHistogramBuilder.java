package io.siltstone.sstable.metadata;

import io.siltstone.cursor.DeletionTime;
import java.util.Arrays;

/**
 * Builds a tombstone histogram: condenses a stream of local deletion times to at most 100 with
 * their counts. Times are rounded up to minutes, and when there are too many, the nearest two are
 * replaced by one between them.
 *
 * <p>Times are first counted in a hash table, so that times are seldom merged. The table and the
 * order in which it is emptied are Cassandra's, because the result depends on them. The table takes
 * 3 MB; it is created with the first time, and dropped at the end. Confined to one thread;
 * allocates nothing per time. Source: Cassandra {@code StreamingTombstoneHistogramBuilder}.
 */
final class TombstoneHistogramBuilder {
  private static final int MAX_BINS = 100;
  private static final int ROUND_SECONDS = 60;

  // Cassandra requests 100,000 cells and takes the next power of two; half of the cells stay free.
  private static final int SPOOL_CAPACITY = 1 << 17;
  private static final int SPOOL_CELLS = 2 * SPOOL_CAPACITY;
  private static final int MAX_PROBES = 100;
  private static final int HASH_FACTOR = 948_701_839;
  private static final long FREE = -1;
  private static final long[] NO_TIMES = {};
  private static final int[] NO_COUNTS = {};

  // One more than the limit, so that there are two to merge.
  private final long[] times = new long[MAX_BINS + 1];
  private final int[] counts = new int[MAX_BINS + 1];
  private int size;

  private long[] spoolTimes = NO_TIMES;
  private int[] spoolCounts = NO_COUNTS;
  private int spooled;

  /** Counts one more tombstone of a local deletion time, in seconds. */
  void add(long time) {
    if (spoolTimes.length == 0) {
      spoolTimes = new long[SPOOL_CELLS];
      spoolCounts = new int[SPOOL_CELLS];
      Arrays.fill(spoolTimes, FREE);
    }
    long rounded = roundUp(time);
    if (!spool(rounded)) {
      flush();
      spool(rounded);
    }
  }

  private boolean spool(long time) {
    if (spooled > SPOOL_CAPACITY) {
      return false;
    }
    int home = (SPOOL_CAPACITY - 1) & (int) (time * HASH_FACTOR);
    for (int i = 0; i < MAX_PROBES; i++) {
      int cell = (home + i) % SPOOL_CELLS;
      if (spoolTimes[cell] == FREE) {
        spoolTimes[cell] = time;
        spoolCounts[cell] = 1;
        spooled++;
        return true;
      }
      if (spoolTimes[cell] == time) {
        spoolCounts[cell] = TombstoneHistogram.saturated(spoolCounts[cell] + 1L);
        return true;
      }
    }
    return false;
  }

  private void flush() {
    if (spooled == 0) {
      return;
    }
    for (int i = 0; i < SPOOL_CELLS; i++) {
      if (spoolTimes[i] != FREE) {
        addToBins(spoolTimes[i], spoolCounts[i]);
      }
    }
    Arrays.fill(spoolTimes, FREE);
    spooled = 0;
  }

  private void addToBins(long time, int count) {
    int found = Arrays.binarySearch(times, 0, size, time);
    if (found >= 0) {
      counts[found] = TombstoneHistogram.saturated((long) counts[found] + count);
      return;
    }
    int at = -found - 1;
    System.arraycopy(times, at, times, at + 1, size - at);
    System.arraycopy(counts, at, counts, at + 1, size - at);
    times[at] = time;
    counts[at] = count;
    size++;
    if (size > MAX_BINS) {
      mergeNearest();
    }
  }

  private void mergeNearest() {
    int nearest = 0;
    for (int i = 1; i < size - 1; i++) {
      if (times[i + 1] - times[i] < times[nearest + 1] - times[nearest]) {
        nearest = i;
      }
    }
    long left = times[nearest];
    long right = times[nearest + 1];
    long sum = (long) counts[nearest] + counts[nearest + 1];
    // Times have 32 bits and counts 31, so each product fits, but their sum may not.
    long weighted = saturated(left * counts[nearest] + right * counts[nearest + 1]);
    long merged = Math.min(saturatedTime(weighted / sum), right);
    times[nearest] = roundUp(Math.min(merged <= left ? left + 1 : merged, right));
    counts[nearest] = TombstoneHistogram.saturated(sum);
    System.arraycopy(times, nearest + 2, times, nearest + 1, size - nearest - 2);
    System.arraycopy(counts, nearest + 2, counts, nearest + 1, size - nearest - 2);
    size--;
  }

  /** Returns the histogram. More times may be added afterwards. */
  TombstoneHistogram build() {
    flush();
    spoolTimes = NO_TIMES;
    spoolCounts = NO_COUNTS;
    return new TombstoneHistogram(Arrays.copyOf(times, size), Arrays.copyOf(counts, size));
  }

  private static long roundUp(long time) {
    long rest = time % ROUND_SECONDS;
    return rest == 0 ? time : saturatedTime(time + ROUND_SECONDS - rest);
  }

  private static long saturated(long value) {
    return value < 0 ? Long.MAX_VALUE : value;
  }

  private static long saturatedTime(long value) {
    return value < 0 || value > DeletionTime.MAX_DELETION_TIME
        ? DeletionTime.MAX_DELETION_TIME
        : value;
  }
}
