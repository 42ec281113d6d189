package io.siltstone.compaction;

import io.siltstone.compaction.task.TaskReport;
import io.siltstone.event.EngineListener.CompactionCompleted;
import io.siltstone.event.EngineListener.CompactionFailed;
import io.siltstone.event.EngineListener.CompactionStarted;
import io.siltstone.spi.CompactionReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one request, which run side by side, and what becomes of them. Safe for all threads.
 */
final class AskedJobs {
  private final CompletableFuture<CompactionReport> report;
  private final Runnable whenEnded;
  private final List<Runnable> jobs = new ArrayList<>();

  private final List<CompactionCompleted> completed = new ArrayList<>();
  private final List<CompactionFailed> failed = new ArrayList<>();
  private final List<CompactionStarted> planned = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private int left;
  private @Nullable Throwable failure;

  /**
   * @param report completed when all jobs have ended
   * @param whenEnded called before
   */
  AskedJobs(CompletableFuture<CompactionReport> report, Runnable whenEnded) {
    this.report = report;
    this.whenEnded = whenEnded;
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

  void add(Runnable job) {
    jobs.add(job);
  }

  void planned(CompactionStarted job) {
    planned.add(job);
  }

  synchronized void remarks(List<String> more) {
    remarks.addAll(more);
  }

  synchronized void remark(String more) {
    remarks.add(more);
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

  /** Hands the jobs over; the last to end completes the report. */
  void start(CompactionService service) {
    left = jobs.size();
    if (jobs.isEmpty()) {
      complete();
      return;
    }
    for (Runnable job : jobs) {
      service.execute(() -> run(job));
    }
  }

  private void run(Runnable job) {
    try {
      job.run();
    } catch (RuntimeException | Error e) {
      // An Error too: whoever waits for the report must hear of it.
      synchronized (this) {
        failure = failure == null ? e : failure;
      }
    }
    boolean isLast;
    synchronized (this) {
      isLast = --left == 0;
    }
    if (isLast) {
      complete();
    }
  }

  void fail(Throwable cause) {
    failure = cause;
    complete();
  }

  private void complete() {
    whenEnded.run();
    Throwable cause;
    CompactionReport result;
    synchronized (this) {
      cause = failure;
      result = new CompactionReport(completed, failed, planned, remarks);
    }
    if (cause != null) {
      report.completeExceptionally(cause);
    } else {
      report.complete(result);
    }
  }
}
