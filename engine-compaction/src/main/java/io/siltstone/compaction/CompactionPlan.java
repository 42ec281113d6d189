package io.siltstone.compaction;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Descriptor;
import java.util.List;

/**
 * The jobs that the compaction strategy of a table would start now, with the reasons. Immutable.
 *
 * @param jobs jobs with no SSTable in common, the most urgent first; all of them may run at once
 * @param remarks sentences for the operator: which SSTables are left alone, and why
 * @param debtBytes the estimated bytes of data files to merge before no job is left; it counts
 *     neither running jobs nor jobs that only purge what has expired
 */
public record CompactionPlan(List<PlannedJob> jobs, List<String> remarks, long debtBytes) {

  /** Copies the lists. */
  public CompactionPlan {
    jobs = List.copyOf(jobs);
    remarks = List.copyOf(remarks);
  }

  /**
   * A job that the strategy would start.
   *
   * @param inputs the SSTables that it would replace
   * @param onDiskBytes the bytes of their data files
   * @param level the level of the outputs in leveled compaction, 0 in other strategies
   * @param reason why these SSTables, and why now, as a sentence
   */
  public record PlannedJob(List<Descriptor> inputs, long onDiskBytes, int level, String reason) {

    /** Copies the list. */
    public PlannedJob {
      inputs = List.copyOf(inputs);
    }
  }

  static CompactionPlan of(Plan plan) {
    return new CompactionPlan(
        plan.jobs().stream().map(CompactionPlan::describe).toList(),
        plan.remarks(),
        plan.debtBytes());
  }

  private static PlannedJob describe(Job job) {
    return new PlannedJob(
        job.inputs().stream().map(LiveTable::descriptor).toList(),
        job.onDiskBytes(),
        job.level(),
        job.reason());
  }
}
