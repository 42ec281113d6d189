package io.siltstone.liveset;

import io.siltstone.spi.LiveSetChange;
import io.siltstone.statistics.Traffic;

/**
 * Counts the bytes that flushes and compactions of a live set have read and written since the
 * opening. Safe for all threads.
 */
final class TrafficCounters {
  // Small enough to follow a change of load, large enough to level out single small flushes.
  private static final int FLUSHES_AVERAGED = 8;

  private Traffic traffic = Traffic.NONE;
  private long flushBytes;

  /**
   * Counts a committed transaction.
   *
   * @param read bytes of data files
   * @param written bytes of data files
   */
  synchronized void add(LiveSetChange.Cause cause, long read, long written) {
    if (cause == LiveSetChange.Cause.FLUSH) {
      traffic = traffic.plusFlush(written);
      flushBytes =
          flushBytes == 0 ? written : flushBytes + (written - flushBytes) / FLUSHES_AVERAGED;
    } else if (cause == LiveSetChange.Cause.COMPACTION) {
      traffic = traffic.plusCompaction(read, written);
    }
  }

  synchronized Traffic traffic() {
    return traffic;
  }

  /**
   * Returns the length of the data file that a flush writes, averaged over the last ones; 0 before
   * the first.
   */
  synchronized long flushBytes() {
    return flushBytes;
  }
}
