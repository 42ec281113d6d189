package io.siltstone.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts failures of a workload, and keeps descriptions of the first ones. Safe for use by all
 * threads.
 */
final class WorkloadFailures {
  private static final int KEPT = 20;

  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final List<String> first = new ArrayList<>();

  /** Adds an operation that failed. */
  void failed(String what, Throwable e) {
    errors.incrementAndGet();
    keep(what + ": " + e);
  }

  /** Adds a read that returned wrong data. */
  void wrong(String what) {
    wrong.incrementAndGet();
    keep(what);
  }

  private synchronized void keep(String what) {
    if (first.size() < KEPT) {
      first.add(what);
    }
  }

  long errors() {
    return errors.get();
  }

  long wrongReads() {
    return wrong.get();
  }

  synchronized List<String> first() {
    return List.copyOf(first);
  }
}
