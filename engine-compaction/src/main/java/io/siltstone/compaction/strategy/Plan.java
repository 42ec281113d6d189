package io.siltstone.compaction.strategy;

import java.util.List;

/**
 * What a strategy would do now.
 *
 * @param jobs with no SSTable in common, the most urgent first; all of them may run at once
 * @param remarks for the operator, one sentence each: which tables are left alone, and why
 * @param debtBytes of data files that are to be merged before there is nothing left to do, as far
 *     as can be told; neither running jobs are counted, nor those that only forget what has expired
 */
public record Plan(List<Job> jobs, List<String> remarks, long debtBytes) {
  /** Copies the lists. */
  public Plan {
    jobs = List.copyOf(jobs);
    remarks = List.copyOf(remarks);
  }
}
