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
 * The compaction of one table: what its strategy wants, one job at a time per thread, and what is
 * asked for, before which the strategy's jobs give way.
 *
 * <p>Safe for all threads. No lock is held while the host, a listener or a task is called, but for
 * {@link CompactionHost#isCompactedUnasked}, which calls nobody back.
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
  private int unaskedThreads;
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

  /** Ends everything, for good: what no thread has begun now, what runs soon. */
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
      owner.forget(this);
    }
  }

  /** Returns when no thread is here any more; also if interrupted: the interrupt is kept. */
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
   * Does one thing, if there is one and nothing stands against it: plans the first request, does a
   * job of it, or a job that the strategy wants.
   */
  void step() {
    int mostAsked = service.mostAsked();
    @Nullable RequestedJobs asked;
    @Nullable JobSpec spec = null;
    lock.lock();
    try {
      if (isClosed()) {
        return;
      }
      asked = requests.peek();
      if (asked == null) {
        if (!host.isCompactedUnasked() || service.isPaused() || failedInputs.isInPause()) {
          return;
        }
        unaskedThreads++;
      } else if (asked.isWaiting()) {
        if (unaskedThreads > 0) {
          return;
        }
        asked.beginPlanning();
      } else {
        spec = asked.take(mostAsked);
        if (spec == null) {
          return;
        }
      }
      threads++;
    } finally {
      lock.unlock();
    }
    try {
      if (asked == null) {
        doWanted();
      } else if (spec == null) {
        plan(asked);
      } else {
        // Another thread, if there is one, can do another.
        service.consider(this);
        doAsked(asked, spec);
      }
    } finally {
      leave(asked);
    }
  }

  private void leave(@Nullable RequestedJobs asked) {
    @Nullable RequestedJobs over = null;
    boolean isAwaited;
    lock.lock();
    try {
      if (asked == null) {
        unaskedThreads--;
      } else {
        asked.left();
        if (asked.isOver()) {
          over = asked;
          requests.remove(asked);
        }
      }
      isAwaited = asked != null || !requests.isEmpty();
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
      // One that may yet work must be known when the table is dropped or the compactor closed,
      // which wait for it: one that is forgotten does not, though threads are to look at it.
      isClosed |= isOver;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    if (isOver) {
      owner.forget(this);
    }
  }

  /** Also if it was made when its owner was being closed, who then does not know of it. */
  private boolean isClosed() {
    return isClosed || owner.isClosed();
  }

  // What the strategy wants.

  private void doWanted() {
    try {
      doFirstJob();
    } catch (RuntimeException | Error e) {
      if (!owner.has(id)) {
        LOG.debug("{} is gone", id, e);
      } else {
        LOG.error("the compaction of {} has failed, and is tried again later", id, e);
        failedInputs.planFailed();
      }
    }
  }

  /**
   * Finds how far behind the table is, whatever stands against doing something about it: writers
   * are slowed by that.
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
      // Whoever is to carry the plan out meets the same, and reports it.
      LOG.debug("how far behind {} is was not found", id, e);
    } finally {
      leave();
    }
  }

  private void doFirstJob() {
    Strategy strategy = planner.strategy();
    if (strategy == null) {
      return;
    }
    LiveTables live = host.live(id);
    Plan plan = planner.plan(strategy, live);
    for (Job job : failedInputs.fitting(plan, live)) {
      JobSpec spec = new JobSpec(job, TaskOptions.Kind.MERGE, strategy.name());
      Optional<Claim> claim = host.claim(id, new HashSet<>(spec.inputs()));
      if (claim.isEmpty()) {
        continue;
      }
      if (plan.jobs().size() > 1) {
        // Another thread, if there is one, can do another.
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

  /** What a strategy would do with the table as it is. */
  Plan explain(Strategy strategy) {
    return planner.plan(strategy, host.live(id));
  }

  // What is asked for.

  CompletableFuture<CompactionReport> run(CompactionRequest request) {
    if (request.isDryRun()) {
      return dryRun(request);
    }
    RequestedJobs asked = new RequestedJobs(request);
    lock.lock();
    try {
      if (isClosed()) {
        return CompletableFuture.failedFuture(DatabaseCompactor.closed(id));
      }
      // One after the other: each finds what the one before has left.
      requests.add(asked);
    } finally {
      lock.unlock();
    }
    cancel(job -> !job.isAsked());
    service.consider(this);
    return asked.report();
  }

  private CompletableFuture<CompactionReport> dryRun(CompactionRequest request) {
    try {
      return CompletableFuture.completedFuture(planner.dryRun(request));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(owner.orCancelled(id, e));
    }
  }

  /** Finds the jobs of a request. */
  private void plan(RequestedJobs asked) {
    try {
      RequestPlanner.Planned planned = planner.plan(asked.request());
      asked.remarks(planned.remarks());
      asked.planned(planned.jobs());
    } catch (RuntimeException | Error e) {
      // An Error too: whoever waits for the report must hear of it.
      asked.giveUp(owner.orCancelled(id, e));
    }
  }

  private void doAsked(RequestedJobs asked, JobSpec spec) {
    try {
      Optional<Claim> claim = host.claim(id, new HashSet<>(spec.inputs()));
      if (claim.isEmpty()) {
        host.requireChangeable(id);
        asked.remarks(
            List.of(spec.inputs() + " were left alone: they are not live any more, or taken"));
      } else {
        asked.ended(execute(claim.get(), spec, true));
      }
    } catch (IOException | RuntimeException | Error e) {
      asked.fail(owner.orCancelled(id, e));
    }
  }

  // One job.

  private CompactionRecord execute(Claim claim, JobSpec spec, boolean isAsked) {
    ActiveJob job =
        new ActiveJob(
            id,
            UUID.randomUUID(),
            spec,
            spec.inputs(),
            Instant.ofEpochMilli(owner.clock().millis()),
            System.nanoTime(),
            isAsked,
            new TaskProgress());
    begin(job);
    CompactionRecord done;
    try {
      done = runner.run(claim, job);
    } finally {
      end(job);
    }
    if (runner.conclude(done, claim, isAsked)) {
      service.consider(this);
    }
    return done;
  }

  private void begin(ActiveJob job) {
    lock.lock();
    try {
      active.add(job);
      if (isClosed || (!requests.isEmpty() && !job.isAsked())) {
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
