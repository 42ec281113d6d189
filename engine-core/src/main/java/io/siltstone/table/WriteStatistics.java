package io.siltstone.table;

import io.siltstone.statistics.WriteSummary;
import io.siltstone.table.read.Histogram;
import io.siltstone.table.read.Stripes;

/**
 * Counts the writes to a table. Safe for all threads; counting a write allocates nothing once the
 * histogram has grown.
 */
final class WriteStatistics {
  private final Stripes<Counters> stripes = new Stripes<>(Counters::new);

  /** The counters of one stripe. */
  private static final class Counters {
    private final Histogram nanos = new Histogram();
    private long mutations;
  }

  /** Counts a write of some mutations. */
  void add(long nanos, int mutations) {
    try (Stripes.Stripe<Counters> stripe = stripes.take()) {
      stripe.counters().nanos.record(Math.max(0, nanos));
      stripe.counters().mutations += mutations;
    }
  }

  /** Returns all that was counted so far. */
  WriteSummary summary() {
    Counters all = new Counters();
    stripes.visit(
        counters -> {
          all.nanos.add(counters.nanos);
          all.mutations += counters.mutations;
        });
    return new WriteSummary(all.mutations, all.nanos.micros());
  }
}
