package io.siltstone.compaction;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.task.TaskOptions;
import io.siltstone.compaction.task.TaskProgress;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableId;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.LiveTables;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts one table: runs the jobs that its strategy plans, and requested jobs, which cancel and
 * precede those of the strategy. Each call of {@link #step} lets a thread do one of these.
 *
 * <p>Safe for all threads. No lock is held while the host, a listener or a task is called, except
 * for {@link CompactionHost#isAutoCompactionEnabled}, which calls nothing back.
 */
final class TableCompactor {
  private static final Logger LOG = LoggerFactory.getLogger(TableCompactor.class);

  private final CompactionService service;
  private final DatabaseCompactor owner;
  private final CompactionHost host;
  private final TableId id;
  private final FailedInputs failedInputs = new FailedInputs();
  private final TablePlanner planner;
  private final JobRunner runner;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  // Guarded by the lock.
  private final Set<ActiveJob> active = new HashSet<>();
  private final Deque<RequestedJobs> requests = new ArrayDeque<>();
  private int threads;
  private int strategyThreads;
  private boolean isClosed;

  private volatile CompactionState planned = CompactionState.IDLE;

  TableCompactor(CompactionService service, DatabaseCompactor owner, TableId id) {
    this.service = service;
    this.owner = owner;
    this.host = owner.host();
    this.id = id;
    this.planner = new TablePlanner(host, id, owner.clock(), failedInputs);
    this.runner = new JobRunner(service, owner, id, failedInputs);
  }

  TableId id() {
    return id;
  }

  /** Returns the compactor of its database. */
  DatabaseCompactor owner() {
    return owner;
  }

  CompactionState state() {
    lock.lock();
    try {
      return new CompactionState(planned.pendingJobs(), active.size(), planned.debtBytes());
    } finally {
      lock.unlock();
    }
  }

  List<ActiveJob> active() {
    lock.lock();
    try {
      return List.copyOf(active);
    } finally {
      lock.unlock();
    }
  }

  void cancel(Predicate<ActiveJob> which) {
    active().stream().filter(which).forEach(job -> job.progress().cancel());
  }

  /**
   * Ends all compaction of the table for good: jobs that have not begun end now, running ones soon.
   */
  void end(CancellationException why) {
    List<RequestedJobs> over = new ArrayList<>();
    boolean isIdle;
    lock.lock();
    try {
      isClosed = true;
      for (RequestedJobs request : requests) {
        request.giveUp(why);
        if (request.isOver()) {
          over.add(request);
        }
      }
      requests.removeAll(over);
      isIdle = threads == 0;
    } finally {
      lock.unlock();
    }
    cancel(job -> true);
    over.forEach(RequestedJobs::complete);
    if (isIdle) {
      owner.remove(this);
    }
  }

  /** Returns when no thread works on the table. An interrupt does not end the wait, and is kept. */
  void awaitEnd() {
    lock.lock();
    try {
      while (threads > 0) {
        ended.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  // One turn of a thread.

  /**
   * Does one thing, if there is one and nothing prevents it: plans the first request, runs a job of
   * it, or runs a job of the strategy.
   */
  void step() {
    int maxJobs = service.maxRequestedJobs();
    @Nullable RequestedJobs request;
    @Nullable JobSpec spec = null;
    lock.lock();
    try {
      if (isClosed()) {
        return;
      }
      request = requests.peek();
      if (request == null) {
        if (!host.isAutoCompactionEnabled()
            || service.isPaused()
            || failedInputs.isPlanningSuspended()) {
          return;
        }
        strategyThreads++;
      } else if (request.isWaiting()) {
        if (strategyThreads > 0) {
          return;
        }
        request.beginPlanning();
      } else {
        spec = request.take(maxJobs);
        if (spec == null) {
          return;
        }
      }
      threads++;
    } finally {
      lock.unlock();
    }
    try {
      if (request == null) {
        runStrategy();
      } else if (spec == null) {
        plan(request);
      } else {
        // Another thread, if there is one, can take another job.
        service.consider(this);
        runRequested(request, spec);
      }
    } finally {
      leave(request);
    }
  }

  private void leave(@Nullable RequestedJobs request) {
    @Nullable RequestedJobs over = null;
    boolean isAwaited;
    lock.lock();
    try {
      if (request == null) {
        strategyThreads--;
      } else {
        request.leave();
        if (request.isOver()) {
          over = request;
          requests.remove(request);
        }
      }
      isAwaited = request != null || !requests.isEmpty();
    } finally {
      lock.unlock();
    }
    leave();
    if (over != null) {
      over.complete();
    }
    if (isAwaited) {
      service.consider(this);
    }
  }

  private void leave() {
    boolean isGone = !owner.has(id);
    boolean isOver;
    lock.lock();
    try {
      threads--;
      isOver = threads == 0 && requests.isEmpty() && (isClosed || isGone);
      // One that may still work must be known to a drop or close, which wait for it. Once it is
      // removed they do not wait, so no thread may start on it any more.
      isClosed |= isOver;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    if (isOver) {
      owner.remove(this);
    }
  }

  /** Also closed if it was made while its owner was closing, which then does not know of it. */
  private boolean isClosed() {
    return isClosed || owner.isClosed();
  }

  // Jobs of the strategy.

  private void runStrategy() {
    try {
      runFirstJob();
    } catch (RuntimeException | Error e) {
      if (!owner.has(id)) {
        LOG.debug("{} was dropped or closed", id, e);
      } else {
        LOG.error("the compaction of {} failed, and will be retried", id, e);
        failedInputs.planFailed();
      }
    }
  }

  /**
   * Computes the compaction debt, even if compaction is disabled or paused: it slows writers down.
   */
  void assess() {
    lock.lock();
    try {
      if (isClosed()) {
        return;
      }
      threads++;
    } finally {
      lock.unlock();
    }
    try {
      Strategy strategy = planner.strategy();
      if (strategy == null) {
        planned = CompactionState.IDLE;
      } else {
        Plan plan = planner.plan(strategy, host.live(id));
        planned = new CompactionState(plan.jobs().size(), 0, plan.debtBytes());
      }
    } catch (RuntimeException e) {
      // The thread that runs the plan will hit and report the same error.
      LOG.debug("the compaction debt of {} could not be computed", id, e);
    } finally {
      leave();
    }
  }

  private void runFirstJob() {
    Strategy strategy = planner.strategy();
    if (strategy == null) {
      return;
    }
    LiveTables live = host.live(id);
    Plan plan = planner.plan(strategy, live);
    for (Job job : failedInputs.notPostponed(plan, live)) {
      JobSpec spec = new JobSpec(job, TaskOptions.Kind.MERGE, strategy.name());
      Optional<Claim> claim = host.claim(id, new HashSet<>(spec.inputs()));
      if (claim.isEmpty()) {
        continue;
      }
      if (plan.jobs().size() > 1) {
        // Another thread, if there is one, can take another job.
        service.consider(this);
      }
      CompactionRecord done = execute(claim.get(), spec, false);
      if (done.isDone()) {
        service.consider(this);
      }
      if (!failedInputs.isPostponed(job)) {
        return;
      }
    }
  }

  /** Returns what a strategy would do with the table as it is. */
  Plan explain(Strategy strategy) {
    return planner.plan(strategy, host.live(id));
  }

  // Requested jobs.

  CompletableFuture<CompactionReport> run(CompactionRequest request) {
    if (request.isDryRun()) {
      return dryRun(request);
    }
    RequestedJobs requested = new RequestedJobs(request);
    lock.lock();
    try {
      if (isClosed()) {
        return CompletableFuture.failedFuture(DatabaseCompactor.closed(id));
      }
      // One after the other: each plans with what the previous one has left.
      requests.add(requested);
    } finally {
      lock.unlock();
    }
    cancel(job -> !job.isRequested());
    service.consider(this);
    return requested.report();
  }

  private CompletableFuture<CompactionReport> dryRun(CompactionRequest request) {
    try {
      return CompletableFuture.completedFuture(planner.dryRun(request));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(owner.orCancelled(id, e));
    }
  }

  /** Plans the jobs of a request. */
  private void plan(RequestedJobs request) {
    try {
      RequestPlanner.Planned planned = planner.plan(request.request());
      request.remarks(planned.remarks());
      request.planned(planned.jobs());
    } catch (IOException | RuntimeException | Error e) {
      // Also an Error: the caller that waits for the report must receive it.
      request.giveUp(owner.orCancelled(id, e));
    }
  }

  private void runRequested(RequestedJobs request, JobSpec spec) {
    try {
      Optional<Claim> claim = host.claim(id, new HashSet<>(spec.inputs()));
      if (claim.isEmpty()) {
        host.requireChangeable(id);
        request.remarks(
            List.of(
                spec.inputs()
                    + " were left alone: they are no longer live, or another job has them"));
      } else {
        request.ended(execute(claim.get(), spec, true));
      }
    } catch (IOException | RuntimeException | Error e) {
      request.fail(owner.orCancelled(id, e));
    }
  }

  // One job.

  private CompactionRecord execute(Claim claim, JobSpec spec, boolean isRequested) {
    ActiveJob job =
        new ActiveJob(
            id,
            UUID.randomUUID(),
            spec,
            spec.inputs(),
            Instant.ofEpochMilli(owner.clock().millis()),
            System.nanoTime(),
            isRequested,
            new TaskProgress());
    begin(job);
    CompactionRecord done;
    try {
      done = runner.run(claim, job);
    } finally {
      end(job);
    }
    if (runner.conclude(done, claim, isRequested)) {
      service.consider(this);
    }
    return done;
  }

  private void begin(ActiveJob job) {
    lock.lock();
    try {
      active.add(job);
      if (isClosed || (!requests.isEmpty() && !job.isRequested())) {
        job.progress().cancel();
      }
      if (service.isPaused()) {
        job.progress().pause();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end(ActiveJob job) {
    lock.lock();
    try {
      active.remove(job);
    } finally {
      lock.unlock();
    }
    service.assess(this);
  }
}
