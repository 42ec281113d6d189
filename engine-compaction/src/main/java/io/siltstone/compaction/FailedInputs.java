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
 * What has failed of the compaction of one table, and is not tried again: at all, where SSTables
 * are damaged; for a while, where they could not be read, or a job or a plan has failed for another
 * reason. Safe for all threads.
 */
final class FailedInputs {
  // Guarded by this.
  private final Set<Descriptor> damaged = new HashSet<>();
  private final PostponedJobs postponedJobs = new PostponedJobs();
  private int plans;
  private long pausedUntilNanos;

  /** The SSTables that are known to be damaged. */
  synchronized Set<Descriptor> damaged() {
    return Set.copyOf(damaged);
  }

  /** These are not chosen until a job that was asked for has had them, as a scrub. */
  synchronized void foundDamaged(Collection<Descriptor> tables) {
    damaged.addAll(tables);
  }

  /** These are not chosen for a while. */
  synchronized void foundUnreadable(Collection<Descriptor> tables) {
    tables.forEach(table -> postponedJobs.add(Set.of(table), System.nanoTime()));
  }

  /** The SSTables with the damaged ones marked: these are not chosen, but are in their place. */
  LiveTables markDamaged(LiveTables live) {
    return mark(live, damaged());
  }

  /** The same, and with those that could not be read a while ago. */
  LiveTables mark(LiveTables live) {
    return mark(live, setAside(live));
  }

  private synchronized Set<Descriptor> setAside(LiveTables live) {
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

  /** Has the strategy's other jobs go before those that take all of these. */
  synchronized void postpone(Collection<Descriptor> inputs) {
    postponedJobs.add(Set.copyOf(inputs), System.nanoTime());
  }

  /** The jobs of a plan that need not wait. */
  synchronized List<Job> fitting(Plan plan, LiveTables live) {
    postponedJobs.retain(
        live.tables().stream().map(LiveTable::descriptor).collect(Collectors.toSet()));
    return plan.jobs().stream().filter(job -> !isPostponed(job)).toList();
  }

  /** Whether a job has to wait. */
  synchronized boolean isPostponed(Job job) {
    Set<Descriptor> inputs =
        job.inputs().stream().map(LiveTable::descriptor).collect(Collectors.toSet());
    return postponedJobs.has(inputs, System.nanoTime());
  }

  /** No plan could be made: none is tried for a while. */
  synchronized void planFailed() {
    pausedUntilNanos = System.nanoTime() + PostponedJobs.pauseNanos(plans);
    plans++;
  }

  /** Whether no plan is to be tried. */
  synchronized boolean isInPause() {
    return plans > 0 && System.nanoTime() - pausedUntilNanos < 0;
  }

  /** A job with these inputs was done: all is well. */
  synchronized void succeeded(Collection<Descriptor> inputs) {
    plans = 0;
    damaged.removeAll(inputs);
  }
}
