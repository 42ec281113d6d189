package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Records the used heap of this JVM, garbage included, every {@value #INTERVAL_MILLIS} ms. It keeps
 * the greatest values of longer and longer intervals, so that they remain few. Safe for use by all
 * threads; closed by whoever created it.
 */
final class HeapOverTime implements Closeable {
  private static final int INTERVAL_MILLIS = 20;
  private static final int MOST_POINTS = 400;
  private static final double MB = 1e6;
  private static final double NANOS = 1e9;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "heap-over-time");
            thread.setDaemon(true);
            return thread;
          });
  private final long start = System.nanoTime();
  // Guarded by this: the greatest value of each interval, all of the same length.
  private final List<Long> peaks = new ArrayList<>();
  private int looksPerPoint = 1;
  private int looks;
  private long phasePeak;

  private HeapOverTime() {}

  static HeapOverTime begin() {
    HeapOverTime heap = new HeapOverTime();
    // The task ends when this is closed; it cannot fail.
    var unused =
        heap.timer.scheduleAtFixedRate(
            heap::look, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    return heap;
  }

  private static long used() {
    Runtime jvm = Runtime.getRuntime();
    return jvm.totalMemory() - jvm.freeMemory();
  }

  private void look() {
    add(used());
  }

  synchronized void add(long bytes) {
    phasePeak = Math.max(phasePeak, bytes);
    if (looks % looksPerPoint == 0) {
      peaks.add(bytes);
    } else {
      int last = peaks.size() - 1;
      peaks.set(last, Math.max(peaks.get(last), bytes));
    }
    looks++;
    if (peaks.size() == MOST_POINTS && looks % looksPerPoint == 0) {
      for (int i = 0; i < MOST_POINTS / 2; i++) {
        peaks.set(i, Math.max(peaks.get(2 * i), peaks.get(2 * i + 1)));
      }
      peaks.subList(MOST_POINTS / 2, MOST_POINTS).clear();
      looksPerPoint *= 2;
    }
  }

  /** Returns the greatest value since the last call of {@link #beginPhase}. */
  synchronized long phasePeakBytes() {
    return Math.max(phasePeak, used());
  }

  synchronized void beginPhase() {
    phasePeak = used();
  }

  /** Returns the recorded values. */
  synchronized List<Long> points() {
    return List.copyOf(peaks);
  }

  /** Puts the values as two series. */
  synchronized void put(NamedValues result) {
    double step = (System.nanoTime() - start) / NANOS / Math.max(1, looks) * looksPerPoint;
    List<Double> times = new ArrayList<>();
    List<Double> megabytes = new ArrayList<>();
    for (int i = 0; i < peaks.size(); i++) {
      times.add(i * step);
      megabytes.add(peaks.get(i) / MB);
    }
    result.put("heap_seconds", times);
    result.put("heap_mb", megabytes);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
