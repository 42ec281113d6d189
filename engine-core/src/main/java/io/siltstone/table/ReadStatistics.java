package io.siltstone.table;

import io.siltstone.statistics.ReadSummary;
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
        Histograms.distribution(all.sstables),
        Histograms.distribution(all.chunks),
        Histograms.distribution(all.bytes),
        Histograms.micros(all.readNanos),
        Histograms.micros(all.scanNanos),
        all.falsePositives);
  }

  private static final class Counters {
    final Histogram sstables = Histograms.empty();
    final Histogram chunks = Histograms.empty();
    final Histogram bytes = Histograms.empty();
    final Histogram readNanos = Histograms.empty();
    final Histogram scanNanos = Histograms.empty();
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
