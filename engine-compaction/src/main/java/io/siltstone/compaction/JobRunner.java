package io.siltstone.compaction;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.task.CompactionTask;
import io.siltstone.compaction.task.NotEnoughSpaceException;
import io.siltstone.compaction.task.TaskOptions;
import io.siltstone.event.EngineListener;
import io.siltstone.schema.TableId;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the compaction jobs of one table, notifies listeners, and records failures that postpone a
 * retry. Safe for all threads.
 */
final class JobRunner {
  private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);

  private final CompactionService service;
  private final DatabaseCompactor owner;
  private final CompactionHost host;
  private final TableId id;
  private final FailedInputs failedInputs;

  JobRunner(
      CompactionService service, DatabaseCompactor owner, TableId id, FailedInputs failedInputs) {
    this.service = service;
    this.owner = owner;
    this.host = owner.host();
    this.id = id;
    this.failedInputs = failedInputs;
  }

  /** Runs a job and returns its record. Closes the claim. */
  CompactionRecord run(Claim claim, ActiveJob job) {
    @Nullable JobReport report = null;
    @Nullable Throwable failure = null;
    try {
      report = merge(claim, job);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    return new CompactionRecord(
        id,
        job.id(),
        job.spec().operation(),
        job.spec().job().reason(),
        job.inputs(),
        job.startedAt(),
        job.elapsed(),
        report,
        failure);
  }

  private JobReport merge(Claim claim, ActiveJob job) throws IOException {
    JobReport report;
    try {
      host.listener().compactionStarted(job.spec().started(id, job.id()));
      // The time that decides what is purged is taken when the job begins; it may have been planned
      // long ago.
      job.progress().check();
      report = new CompactionTask(claim, options(job.spec()), job.progress()).run();
    } catch (IOException | RuntimeException | Error e) {
      try (claim) {
        if (owner.orCancelled(id, e) instanceof CancellationException gone) {
          throw gone;
        }
        throw e;
      }
    }
    try {
      claim.close();
    } catch (IOException e) {
      // The commit is done, whatever it left on disk.
      LOG.warn("{}: files were left that are deleted when the table is opened again", id, e);
    }
    return report;
  }

  private TaskOptions options(JobSpec spec) {
    return TaskOptions.builder(host.schema(id), owner.clock().millis() / 1000)
        .kind(spec.kind())
        .level(spec.job().level())
        .split(spec.job().split())
        .ignoresOverlaps(spec.job().ignoresOverlaps())
        .damaged(failedInputs.damaged())
        .resources(service.resources())
        .build();
  }

  /**
   * Records a job that has ended, and notifies listeners.
   *
   * @param claim the claim of the job, closed
   * @param isRequested whether the job was requested, so that its report has the failure
   * @return whether SSTables were found damaged or unreadable, without which there may be other
   *     jobs
   */
  boolean conclude(CompactionRecord done, Claim claim, boolean isRequested) {
    service.ended(done);
    JobReport report = done.report();
    if (report == null) {
      return failed(done, Objects.requireNonNull(done.failure()), claim, isRequested);
    }
    failedInputs.succeeded(done.inputs());
    if (!report.belowFloor().isEmpty()) {
      host.listener()
          .retentionDropped(new EngineListener.RetentionDropped(id, report.belowFloor()));
    }
    host.listener().compactionCompleted(RequestedJobs.completed(done, report));
    return false;
  }

  private boolean failed(
      CompactionRecord done, Throwable failure, Claim claim, boolean isRequested) {
    host.listener().compactionFailed(RequestedJobs.failed(done, failure));
    if (failure instanceof CancellationException) {
      LOG.info("{} of {} was cancelled", done.operation(), id);
      return false;
    }
    BlamedSSTables blamedSSTables =
        BlamedSSTables.of(failure, claim.inputs().get(0).directory(), done.inputs(), host.live(id));
    logFailure(done, failure, blamedSSTables, isRequested);
    if (blamedSSTables.tables().isEmpty()) {
      if (!isRequested) {
        failedInputs.postpone(done.inputs());
      }
      return false;
    }
    if (blamedSSTables.mayPass()) {
      failedInputs.foundUnreadable(blamedSSTables.tables());
      return true;
    }
    failedInputs.foundDamaged(blamedSSTables.tables());
    if (blamedSSTables.path() != null) {
      host.listener()
          .corruptionFound(new EngineListener.CorruptionFound(id, blamedSSTables.path(), failure));
    }
    return true;
  }

  private void logFailure(
      CompactionRecord done,
      Throwable failure,
      BlamedSSTables blamedSSTables,
      boolean isRequested) {
    if (isRequested) {
      // The report has the failure, and the job is not retried.
      LOG.info("{} of {}, which was requested, failed", done.operation(), id, failure);
    } else if (blamedSSTables.mayPass() && !blamedSSTables.tables().isEmpty()) {
      LOG.error(
          "{} of {} failed; {} is not compacted for a while",
          done.operation(),
          id,
          blamedSSTables.tables(),
          failure);
    } else if (!blamedSSTables.tables().isEmpty()) {
      LOG.error(
          "{} of {} failed; {} is not compacted until the table is scrubbed or opened again",
          done.operation(),
          id,
          blamedSSTables.tables(),
          failure);
    } else if (failure instanceof NotEnoughSpaceException) {
      LOG.error("{} of {} will be retried: {}", done.operation(), id, failure.getMessage());
    } else {
      LOG.error("{} of {} failed, and will be retried", done.operation(), id, failure);
    }
  }
}
