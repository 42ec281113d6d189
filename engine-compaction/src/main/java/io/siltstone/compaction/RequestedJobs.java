package io.siltstone.compaction;

import io.siltstone.compaction.task.TaskReport;
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
 * One request: its jobs, which threads take one by one, and what becomes of them. Safe for all
 * threads.
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

  static CompactionCompleted completed(CompactionRecord done, TaskReport report) {
    return new CompactionCompleted(
        done.table(),
        done.job(),
        done.operation(),
        done.inputs(),
        report.outputs(),
        report.onDiskBytesRead(),
        report.onDiskBytesWritten(),
        report.partitionsWritten(),
        report.rowsWritten(),
        report.partitionsMerged(),
        done.duration());
  }

  static CompactionFailed failed(CompactionRecord done, Throwable failure) {
    return new CompactionFailed(done.table(), done.job(), done.operation(), done.inputs(), failure);
  }

  CompactionRequest request() {
    return request;
  }

  /** For who asked. */
  CompletableFuture<CompactionReport> report() {
    return report.copy();
  }

  // Who does what.

  /** Whether no thread has looked at it yet. */
  synchronized boolean isWaiting() {
    return stage == Stage.WAITING;
  }

  /** A thread begins to find the jobs. */
  synchronized void beginPlanning() {
    stage = Stage.PLANNING;
    threads++;
  }

  /** These are the jobs, unless it was given up meanwhile. */
  synchronized void planned(List<JobSpec> found) {
    if (stage == Stage.PLANNING) {
      stage = Stage.PLANNED;
      jobs.addAll(found);
    }
  }

  /**
   * A thread takes a job.
   *
   * @param most threads that may be at it at once
   * @return null if there is none for it now
   */
  synchronized @Nullable JobSpec take(int most) {
    if (threads >= most || jobs.isEmpty()) {
      return null;
    }
    threads++;
    return jobs.remove();
  }

  /** A thread has done what it had begun or taken. */
  synchronized void left() {
    threads--;
  }

  /** What no thread has begun is not done any more; if there is such, the request fails. */
  synchronized void giveUp(Throwable cause) {
    if (stage != Stage.PLANNED || !jobs.isEmpty()) {
      fail(cause);
    }
    stage = Stage.PLANNED;
    jobs.clear();
  }

  /** Whether nothing is left to do, and nobody at it. */
  synchronized boolean isOver() {
    return stage == Stage.PLANNED && jobs.isEmpty() && threads == 0;
  }

  // What becomes of it.

  synchronized void remarks(List<String> more) {
    remarks.addAll(more);
  }

  synchronized void ended(CompactionRecord done) {
    TaskReport what = done.report();
    if (what != null) {
      completed.add(completed(done, what));
      remarks.addAll(what.losses());
    } else {
      failed.add(failed(done, Objects.requireNonNull(done.failure())));
    }
  }

  /** Has the request fail when it is over, beside what else becomes of it. */
  synchronized void fail(Throwable cause) {
    failure = failure == null ? cause : failure;
  }

  /** Tells who asked; with no lock held, as that runs code of theirs. */
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
