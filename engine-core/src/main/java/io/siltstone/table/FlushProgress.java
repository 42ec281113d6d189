package io.siltstone.table;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The progress of the flushes that are running: how much of their memtables is written. Writers are
 * slowed down by it, see {@link MemtablePool#pace}.
 *
 * <p>Safe for all threads.
 */
final class FlushProgress {
  // The share of a flush that is done when all rows are written. Syncs, verification and the commit
  // follow.
  private static final double ROWS_SHARE = 0.8;

  private final AtomicLong running = new AtomicLong();
  private final AtomicLong written = new AtomicLong();

  /** One flush. Confined to its thread, which closes it. */
  final class Run implements AutoCloseable {
    // Rows are counted in steps, since the counters are shared with writers.
    private static final int STEP_ROWS = 256;

    private final long bytes;
    private final double bytesPerRow;
    private int uncounted;
    private long counted;

    private Run(long bytes, long rows) {
      this.bytes = bytes;
      this.bytesPerRow = (double) bytes / Math.max(1, rows);
      running.addAndGet(bytes);
    }

    /** Notes that a row or marker was written. */
    void wroteRow() {
      if (++uncounted == STEP_ROWS) {
        uncounted = 0;
        // Markers are no rows, so that there may be more of both than was expected.
        long more = Math.min((long) (STEP_ROWS * bytesPerRow), bytes - counted);
        counted += more;
        written.addAndGet(more);
      }
    }

    /** Ends the flush, whether it has succeeded or not. */
    @Override
    public void close() {
      running.addAndGet(-bytes);
      written.addAndGet(-counted);
    }
  }

  /**
   * Begins a flush.
   *
   * @param bytes that the memtable takes
   * @param rows that it has
   * @return the flush, to be closed by the caller when it has ended
   */
  Run begin(long bytes, long rows) {
    return new Run(bytes, rows);
  }

  /** Returns whether a flush is running. */
  boolean isRunning() {
    return running.get() > 0;
  }

  /** Returns the share of the running flushes that is done, from 0 to 1; 1 if none is running. */
  double done() {
    long all = running.get();
    return all <= 0 ? 1 : Math.min(1, ROWS_SHARE * written.get() / all);
  }
}
