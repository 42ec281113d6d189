package io.siltstone.bench.workload;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Records the latencies of one thread's operations, which another thread collects. */
final class LatencyRecorder {
  private static final int DIGITS = 3;

  private final SingleWriterRecorder reads = new SingleWriterRecorder(DIGITS);
  private final SingleWriterRecorder writes = new SingleWriterRecorder(DIGITS);
  private final AtomicLong rows = new AtomicLong();

  /** Reused by the collecting thread. */
  private @Nullable Histogram lastReads;

  private @Nullable Histogram lastWrites;

  void read(long nanos, int found) {
    reads.recordValue(Math.max(0, nanos));
    rows.lazySet(rows.getPlain() + found);
  }

  void wrote(long nanos) {
    writes.recordValue(Math.max(0, nanos));
  }

  /** Returns the number of rows that reads have found. */
  long rows() {
    return rows.get();
  }

  /** Adds what was recorded since the last call; called by one thread. */
  void collect(Histogram allReads, Histogram allWrites) {
    Histogram newReads = reads.getIntervalHistogram(lastReads);
    Histogram newWrites = writes.getIntervalHistogram(lastWrites);
    allReads.add(newReads);
    allWrites.add(newWrites);
    lastReads = newReads;
    lastWrites = newWrites;
  }
}
