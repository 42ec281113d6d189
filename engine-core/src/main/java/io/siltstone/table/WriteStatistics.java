package io.siltstone.table;

import io.siltstone.statistics.WriteSummary;
import org.HdrHistogram.Histogram;

/**
 * Counts the writes to a table. Safe for all threads; to count a write allocates nothing once the
 * histogram has grown.
 */
final class WriteStatistics {
  private final Stripes<Histogram> stripes = new Stripes<>(() -> Histograms.empty());

  /** Counts a write. */
  void add(long nanos) {
    try (Stripes.Stripe<Histogram> stripe = stripes.take()) {
      stripe.counters().recordValue(Math.max(0, nanos));
    }
  }

  /** All that was counted so far. */
  WriteSummary summary() {
    Histogram all = Histograms.empty();
    stripes.visit(all::add);
    return new WriteSummary(Histograms.micros(all));
  }
}
