package io.siltstone.compaction.strategy;

import java.util.List;

/**
 * A compaction plan: the jobs that a strategy would start now.
 *
 * @param jobs jobs with no SSTable in common, the most urgent first; all of them may run at once
 * @param remarks sentences for the operator: which SSTables are left alone, and why
 * @param debtBytes the estimated bytes of data files to merge before no job is left; it counts
 *     neither running jobs nor jobs that only purge what has expired
 */
public record Plan(List<Job> jobs, List<String> remarks, long debtBytes) {
  /** Copies the lists. */
  public Plan {
    jobs = List.copyOf(jobs);
    remarks = List.copyOf(remarks);
  }
}
