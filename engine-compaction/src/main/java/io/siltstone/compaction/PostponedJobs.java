package io.siltstone.compaction;

import io.siltstone.sstable.format.Descriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Jobs that failed for lack of disk space or for another reason that may pass. Jobs that take the
 * same inputs are not retried for a while, twice as long after each failure, so that other jobs
 * come first. Not safe for use by several threads.
 */
final class PostponedJobs {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_DOUBLINGS = 6;

  private final List<Entry> entries = new ArrayList<>();

  private record Entry(Set<Descriptor> inputs, int times, long untilNanos) {}

  /** Returns how long something waits that has failed this many times before. */
  static long pauseNanos(int times) {
    return FIRST_NANOS << Math.min(times, MOST_DOUBLINGS);
  }

  /** Postpones jobs that take these inputs after a failure. */
  void add(Set<Descriptor> inputs, long nowNanos) {
    int times = 0;
    for (Entry entry : entries) {
      if (inputs.containsAll(entry.inputs())) {
        times = Math.max(times, entry.times() + 1);
      }
    }
    entries.removeIf(entry -> inputs.containsAll(entry.inputs()));
    entries.add(new Entry(Set.copyOf(inputs), times, nowNanos + pauseNanos(times)));
  }

  /** Returns whether a job with these inputs is postponed. */
  boolean has(Set<Descriptor> inputs, long nowNanos) {
    return entries.stream()
        .anyMatch(entry -> nowNanos - entry.untilNanos() < 0 && inputs.containsAll(entry.inputs()));
  }

  /** Removes entries whose inputs are no longer live. */
  void retain(Collection<Descriptor> live) {
    entries.removeIf(entry -> !live.containsAll(entry.inputs()));
  }
}
