package io.siltstone.table;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.HdrHistogram.Histogram;

/**
 * Counts the reads of a table.
 *
 * <p>Safe for all threads. Each thread has a place of its own among a few, most of the time, so
 * that to count a read costs one atomic operation and allocates nothing once the histograms have
 * grown. A place is made when it is first used: an idle table has none.
 */
final class ReadStatistics {
  private static final int MOST_PLACES = 4;
  private static final int DIGITS = 2;
  private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

  private final AtomicReferenceArray<Place> places =
      new AtomicReferenceArray<>(Math.min(MOST_PLACES, Runtime.getRuntime().availableProcessors()));

  /** Counts a read of a partition. */
  void addRead(int sstables, int falsePositives, long chunks, long bytes, long nanos) {
    Place place = take();
    place.sstables.recordValue(sstables);
    place.chunks.recordValue(chunks);
    place.bytes.recordValue(bytes);
    place.readNanos.recordValue(Math.max(0, nanos));
    place.falsePositives += falsePositives;
    place.taken.set(false);
  }

  /** Counts a scan. */
  void addScan(long nanos) {
    Place place = take();
    place.scanNanos.recordValue(Math.max(0, nanos));
    place.taken.set(false);
  }

  /** A place for the caller alone, until it sets it free. */
  private Place take() {
    // Threads have numbers that follow each other.
    int index = (int) (Thread.currentThread().getId() % places.length());
    while (true) {
      Place place = places.get(index);
      if (place == null) {
        places.compareAndSet(index, null, new Place());
      } else if (place.taken.compareAndSet(false, true)) {
        return place;
      } else {
        index = index + 1 == places.length() ? 0 : index + 1;
      }
    }
  }

  /** All that was counted so far. */
  ReadSummary summary() {
    Place all = new Place();
    for (int i = 0; i < places.length(); i++) {
      Place place = places.get(i);
      if (place != null) {
        while (!place.taken.compareAndSet(false, true)) {
          Thread.onSpinWait();
        }
        all.add(place);
        place.taken.set(false);
      }
    }
    return new ReadSummary(
        Distribution.of(all.sstables, 1),
        Distribution.of(all.chunks, 1),
        Distribution.of(all.bytes, 1),
        Distribution.of(all.readNanos, NANOS_PER_MICRO),
        Distribution.of(all.scanNanos, NANOS_PER_MICRO),
        all.falsePositives);
  }

  /** What some threads have counted; whoever has taken it may read and change the rest. */
  private static final class Place {
    final AtomicBoolean taken = new AtomicBoolean();
    final Histogram sstables = new Histogram(DIGITS);
    final Histogram chunks = new Histogram(DIGITS);
    final Histogram bytes = new Histogram(DIGITS);
    final Histogram readNanos = new Histogram(DIGITS);
    final Histogram scanNanos = new Histogram(DIGITS);
    long falsePositives;

    void add(Place other) {
      sstables.add(other.sstables);
      chunks.add(other.chunks);
      bytes.add(other.bytes);
      readNanos.add(other.readNanos);
      scanNanos.add(other.scanNanos);
      falsePositives += other.falsePositives;
    }
  }
}
