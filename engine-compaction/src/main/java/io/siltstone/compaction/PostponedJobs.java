package io.siltstone.compaction;

import io.siltstone.sstable.format.Descriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Inputs of jobs that have failed, for want of room or for a reason that may pass: jobs that take
 * them all are not tried again for a while, twice as long each time, so that the others are done.
 * Not safe for threads.
 */
final class PostponedJobs {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_DOUBLINGS = 6;

  private final List<Entry> entries = new ArrayList<>();

  private record Entry(Set<Descriptor> inputs, int times, long untilNanos) {}

  /** How long something waits that has failed so many times before. */
  static long pauseNanos(int times) {
    return FIRST_NANOS << Math.min(times, MOST_DOUBLINGS);
  }

  /** A job with these inputs has failed. */
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

  /** Whether a job with these inputs is to wait. */
  boolean has(Set<Descriptor> inputs, long nowNanos) {
    return entries.stream()
        .anyMatch(entry -> nowNanos - entry.untilNanos() < 0 && inputs.containsAll(entry.inputs()));
  }

  /** Forgets what cannot be tried again. */
  void retain(Collection<Descriptor> live) {
    entries.removeIf(entry -> !live.containsAll(entry.inputs()));
  }
}
