package io.siltstone.table.read;

import io.siltstone.statistics.ReadSummary;

/**
 * Counts the reads of a table. Safe for all threads; counting a read allocates nothing once the
 * histograms have grown.
 */
public final class ReadStatistics {
  private final Stripes<Counters> stripes = new Stripes<>(Counters::new);

  /** Counts a read of a partition. */
  void addRead(int sstables, int falsePositives, long chunks, long bytes, long nanos) {
    try (Stripes.Stripe<Counters> stripe = stripes.take()) {
      Counters counters = stripe.counters();
      counters.sstables.record(sstables);
      counters.chunks.record(chunks);
      counters.bytes.record(bytes);
      counters.readNanos.record(Math.max(0, nanos));
      counters.falsePositives += falsePositives;
    }
  }

  /** Counts a scan. */
  void addScan(long nanos) {
    try (Stripes.Stripe<Counters> stripe = stripes.take()) {
      stripe.counters().scanNanos.record(Math.max(0, nanos));
    }
  }

  /** Counts a query or an iterator that ended early: by its timeout, or cancelled by its user. */
  void addEnded(boolean isTimeout) {
    try (Stripes.Stripe<Counters> stripe = stripes.take()) {
      stripe.counters().timedOut += isTimeout ? 1 : 0;
      stripe.counters().cancelled += isTimeout ? 0 : 1;
    }
  }

  /** Returns all that was counted so far. */
  public ReadSummary summary() {
    Counters all = new Counters();
    stripes.visit(all::add);
    return new ReadSummary(
        all.sstables.distribution(),
        all.chunks.distribution(),
        all.bytes.distribution(),
        all.readNanos.micros(),
        all.scanNanos.micros(),
        all.falsePositives,
        all.timedOut,
        all.cancelled);
  }

  private static final class Counters {
    final Histogram sstables = new Histogram();
    final Histogram chunks = new Histogram();
    final Histogram bytes = new Histogram();
    final Histogram readNanos = new Histogram();
    final Histogram scanNanos = new Histogram();
    long falsePositives;
    long timedOut;
    long cancelled;

    void add(Counters other) {
      sstables.add(other.sstables);
      chunks.add(other.chunks);
      bytes.add(other.bytes);
      readNanos.add(other.readNanos);
      scanNanos.add(other.scanNanos);
      falsePositives += other.falsePositives;
      timedOut += other.timedOut;
      cancelled += other.cancelled;
    }
  }
}
