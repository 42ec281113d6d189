package io.siltstone.liveset;

import io.siltstone.spi.LiveSetChange;
import io.siltstone.statistics.Traffic;

/**
 * How much flushes and compactions of a live set have read and written since it was opened. Safe
 * for all threads.
 */
final class TrafficCounters {
  // Few enough to follow a change of load, enough to even out single small flushes.
  private static final int FLUSHES_AVERAGED = 8;

  private Traffic traffic = Traffic.NONE;
  private long flushBytes;

  /** A transaction was committed that has read and written data files of so many bytes. */
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

  /** Length of the data file that a flush writes, averaged over the last ones; 0 before any. */
  synchronized long flushBytes() {
    return flushBytes;
  }
}
