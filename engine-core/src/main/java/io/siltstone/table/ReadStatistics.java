package io.siltstone.table;

import org.HdrHistogram.Histogram;

/**
 * Counts the reads of a table. Safe for all threads; to count a read allocates nothing once the
 * histograms have grown.
 */
final class ReadStatistics {
  private final Stripes<Counters> stripes = new Stripes<>(Counters::new);

  /** Counts a read of a partition. */
  void addRead(int sstables, int falsePositives, long chunks, long bytes, long nanos) {
    try (Stripes.Stripe<Counters> stripe = stripes.take()) {
      Counters counters = stripe.counters();
      counters.sstables.recordValue(sstables);
      counters.chunks.recordValue(chunks);
      counters.bytes.recordValue(bytes);
      counters.readNanos.recordValue(Math.max(0, nanos));
      counters.falsePositives += falsePositives;
    }
  }

  /** Counts a scan. */
  void addScan(long nanos) {
    try (Stripes.Stripe<Counters> stripe = stripes.take()) {
      stripe.counters().scanNanos.recordValue(Math.max(0, nanos));
    }
  }

  /** All that was counted so far. */
  ReadSummary summary() {
    Counters all = new Counters();
    stripes.visit(all::add);
    return new ReadSummary(
        Distribution.of(all.sstables, 1),
        Distribution.of(all.chunks, 1),
        Distribution.of(all.bytes, 1),
        Distribution.microsOf(all.readNanos),
        Distribution.microsOf(all.scanNanos),
        all.falsePositives);
  }

  private static final class Counters {
    final Histogram sstables = new Histogram(Distribution.DIGITS);
    final Histogram chunks = new Histogram(Distribution.DIGITS);
    final Histogram bytes = new Histogram(Distribution.DIGITS);
    final Histogram readNanos = new Histogram(Distribution.DIGITS);
    final Histogram scanNanos = new Histogram(Distribution.DIGITS);
    long falsePositives;

    void add(Counters other) {
      sstables.add(other.sstables);
      chunks.add(other.chunks);
      bytes.add(other.bytes);
      readNanos.add(other.readNanos);
      scanNanos.add(other.scanNanos);
      falsePositives += other.falsePositives;
    }
  }
}
