package io.siltstone.compaction;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.event.EngineListener.CompactionCompleted;
import io.siltstone.event.EngineListener.CompactionFailed;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The state of one requested compaction: its jobs, which threads take one by one, and their
 * results. Safe for all threads.
 */
final class RequestedJobs {
  private enum Stage {
    WAITING,
    PLANNING,
    PLANNED
  }

  private final CompactionRequest request;
  private final CompletableFuture<CompactionReport> report = new CompletableFuture<>();
  private final Deque<JobSpec> jobs = new ArrayDeque<>();
  private final List<CompactionCompleted> completed = new ArrayList<>();
  private final List<CompactionFailed> failed = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private Stage stage = Stage.WAITING;
  private int threads;
  private @Nullable Throwable failure;

  RequestedJobs(CompactionRequest request) {
    this.request = request;
  }

  static CompactionCompleted completed(CompactionRecord done, JobReport report) {
    return new CompactionCompleted(
        done.table(),
        done.job(),
        done.operation(),
        done.inputs(),
        report.outputs(),
        new CompactionCompleted.Totals(
            report.read().onDiskBytes(),
            report.written().onDiskBytes(),
            report.written().partitions(),
            report.written().rows(),
            report.partitionsMerged()),
        done.duration());
  }

  static CompactionFailed failed(CompactionRecord done, Throwable failure) {
    return new CompactionFailed(done.table(), done.job(), done.operation(), done.inputs(), failure);
  }

  CompactionRequest request() {
    return request;
  }

  /** Returns a copy of the future report for the caller. */
  CompletableFuture<CompactionReport> report() {
    return report.copy();
  }

  // The assignment of jobs to threads.

  /** Returns whether no thread has begun to plan it. */
  synchronized boolean isWaiting() {
    return stage == Stage.WAITING;
  }

  /** Notes that a thread begins to plan the jobs. */
  synchronized void beginPlanning() {
    stage = Stage.PLANNING;
    threads++;
  }

  /** Adds the planned jobs, unless the request was cancelled meanwhile. */
  synchronized void planned(List<JobSpec> found) {
    if (stage == Stage.PLANNING) {
      stage = Stage.PLANNED;
      jobs.addAll(found);
    }
  }

  /**
   * Takes a job for a thread.
   *
   * @param most the greatest number of threads that may work on the request at once
   * @return null if there is no job for the thread now
   */
  synchronized @Nullable JobSpec take(int most) {
    if (threads >= most || jobs.isEmpty()) {
      return null;
    }
    threads++;
    return jobs.remove();
  }

  /** Notes that a thread has finished planning or a job. */
  synchronized void leave() {
    threads--;
  }

  /** Cancels the jobs that no thread has begun. If there are any, the request fails. */
  synchronized void giveUp(Throwable cause) {
    if (stage != Stage.PLANNED || !jobs.isEmpty()) {
      fail(cause);
    }
    stage = Stage.PLANNED;
    jobs.clear();
  }

  /** Returns whether no job is left, and no thread works on the request. */
  synchronized boolean isOver() {
    return stage == Stage.PLANNED && jobs.isEmpty() && threads == 0;
  }

  // The results.

  synchronized void remarks(List<String> more) {
    remarks.addAll(more);
  }

  synchronized void ended(CompactionRecord done) {
    JobReport what = done.report();
    if (what != null) {
      completed.add(completed(done, what));
      remarks.addAll(what.losses());
    } else {
      failed.add(failed(done, Objects.requireNonNull(done.failure())));
    }
  }

  /** Makes the request fail when it is over; jobs that succeeded stay done. */
  synchronized void fail(Throwable cause) {
    failure = failure == null ? cause : failure;
  }

  /** Completes the report. No lock is held, as this runs code of the caller. */
  void complete() {
    Throwable cause;
    CompactionReport result;
    synchronized (this) {
      cause = failure;
      result = new CompactionReport(completed, failed, List.of(), remarks);
    }
    if (cause != null) {
      report.completeExceptionally(cause);
    } else {
      report.complete(result);
    }
  }
}
