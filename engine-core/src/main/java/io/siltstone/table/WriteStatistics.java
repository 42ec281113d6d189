package io.siltstone.table;

import org.HdrHistogram.Histogram;

/**
 * Counts the writes to a table. Safe for all threads; to count a write allocates nothing once the
 * histogram has grown.
 */
final class WriteStatistics {
  private final Stripes<Histogram> stripes =
      new Stripes<>(() -> new Histogram(Distribution.DIGITS));

  /** Counts a write. */
  void add(long nanos) {
    try (Stripes.Stripe<Histogram> stripe = stripes.take()) {
      stripe.counters().recordValue(Math.max(0, nanos));
    }
  }

  /** All that was counted so far. */
  WriteSummary summary() {
    Histogram all = new Histogram(Distribution.DIGITS);
    stripes.visit(all::add);
    return new WriteSummary(Distribution.microsOf(all));
  }
}
