package io.siltstone.compaction;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The SSTables and jobs of one table that failed to compact, and when they may be retried: damaged
 * SSTables not until they are scrubbed; unreadable ones, and jobs or plans that failed for another
 * reason, after a while. Safe for all threads.
 */
final class FailedInputs {
  // Guarded by this.
  private final Set<Descriptor> damaged = new HashSet<>();
  private final PostponedJobs postponedJobs = new PostponedJobs();
  private int failedPlans;
  private long suspendedUntilNanos;

  /** Returns the SSTables that are known to be damaged. */
  synchronized Set<Descriptor> damaged() {
    return Set.copyOf(damaged);
  }

  /**
   * Marks SSTables as damaged. Strategies do not choose them until a requested job, such as a
   * scrub, has succeeded with them.
   */
  synchronized void foundDamaged(Collection<Descriptor> tables) {
    damaged.addAll(tables);
  }

  /** Marks SSTables as unreadable, which are not chosen for a while. */
  synchronized void foundUnreadable(Collection<Descriptor> tables) {
    tables.forEach(table -> postponedJobs.add(Set.of(table), System.nanoTime()));
  }

  /** Marks the damaged SSTables: strategies do not choose them, but consider where they are. */
  LiveTables markDamaged(LiveTables live) {
    return mark(live, damaged());
  }

  /** Marks the damaged SSTables, and those that could not be read a while ago. */
  LiveTables mark(LiveTables live) {
    return mark(live, damagedOrUnreadable(live));
  }

  private synchronized Set<Descriptor> damagedOrUnreadable(LiveTables live) {
    Set<Descriptor> known = new HashSet<>(damaged);
    long now = System.nanoTime();
    for (LiveTable table : live.tables()) {
      if (postponedJobs.has(Set.of(table.descriptor()), now)) {
        known.add(table.descriptor());
      }
    }
    return known;
  }

  private static LiveTables mark(LiveTables live, Set<Descriptor> known) {
    if (known.isEmpty()) {
      return live;
    }
    return live.with(
        live.tables().stream()
            .map(table -> known.contains(table.descriptor()) ? table.damaged() : table)
            .toList());
  }

  /**
   * Postpones jobs that take all of these SSTables, so that other jobs of the strategy come first.
   */
  synchronized void postpone(Collection<Descriptor> inputs) {
    postponedJobs.add(Set.copyOf(inputs), System.nanoTime());
  }

  /** Returns the jobs of a plan that are not postponed. */
  synchronized List<Job> notPostponed(Plan plan, LiveTables live) {
    postponedJobs.retain(
        live.tables().stream().map(LiveTable::descriptor).collect(Collectors.toSet()));
    return plan.jobs().stream().filter(job -> !isPostponed(job)).toList();
  }

  /** Returns whether a job is postponed. */
  synchronized boolean isPostponed(Job job) {
    Set<Descriptor> inputs =
        job.inputs().stream().map(LiveTable::descriptor).collect(Collectors.toSet());
    return postponedJobs.has(inputs, System.nanoTime());
  }

  /** Notes that planning failed, which is retried after a while. */
  synchronized void planFailed() {
    suspendedUntilNanos = System.nanoTime() + PostponedJobs.pauseNanos(failedPlans);
    failedPlans++;
  }

  /** Returns whether planning is suspended after a failure. */
  synchronized boolean isPlanningSuspended() {
    return failedPlans > 0 && System.nanoTime() - suspendedUntilNanos < 0;
  }

  /** Notes that a job with these inputs succeeded. */
  synchronized void succeeded(Collection<Descriptor> inputs) {
    failedPlans = 0;
    damaged.removeAll(inputs);
  }
}
