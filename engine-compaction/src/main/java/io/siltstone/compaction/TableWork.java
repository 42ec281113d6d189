package io.siltstone.compaction;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.compaction.strategy.Strategies;
import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.task.CompactionTask;
import io.siltstone.compaction.task.NotEnoughSpaceException;
import io.siltstone.compaction.task.TaskOptions;
import io.siltstone.compaction.task.TaskProgress;
import io.siltstone.compaction.task.TaskReport;
import io.siltstone.event.EngineListener;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.CompactionReport;
import io.siltstone.spi.CompactionRequest;
import io.siltstone.spi.CompactionState;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compaction of one table: what its strategy wants, one job at a time per thread, and what is
 * asked for, before which the strategy's jobs give way.
 *
 * <p>Safe for all threads. No lock is held while the host, a listener or a task is called.
 */
final class TableWork {
  private static final Logger LOG = LoggerFactory.getLogger(TableWork.class);

  private final CompactionService service;
  private final HostCompactor owner;
  private final CompactionHost host;
  private final TableId id;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  // Guarded by the lock.
  private final Set<ActiveJob> active = new HashSet<>();
  private final Set<Descriptor> damaged = new HashSet<>();
  private final Postponed postponed = new Postponed();
  private final Deque<AskedJobs> requests = new ArrayDeque<>();
  private int threads;
  private int unaskedThreads;
  private boolean isClosed;
  private int failures;
  private long pausedUntilNanos;

  private volatile CompactionState planned = CompactionState.IDLE;
  private volatile @Nullable Chosen chosen;

  /** The strategy of a schema; without one, what is wrong with its options. */
  private record Chosen(TableSchema schema, @Nullable Strategy strategy, String problem) {}

  TableWork(CompactionService service, HostCompactor owner, TableId id) {
    this.service = service;
    this.owner = owner;
    this.host = owner.host();
    this.id = id;
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
    List<AskedJobs> over = new ArrayList<>();
    boolean isIdle;
    lock.lock();
    try {
      isClosed = true;
      for (AskedJobs request : requests) {
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
    over.forEach(AskedJobs::complete);
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
    @Nullable AskedJobs asked;
    @Nullable JobSpec spec = null;
    lock.lock();
    try {
      if (isClosed()) {
        return;
      }
      asked = requests.peek();
      if (asked == null) {
        if (service.isPaused() || isInPause()) {
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

  private void leave(@Nullable AskedJobs asked) {
    @Nullable AskedJobs over = null;
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
    boolean isIdle;
    boolean isEnded;
    lock.lock();
    try {
      threads--;
      isIdle = threads == 0 && requests.isEmpty();
      isEnded = isClosed;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    // One that works, or may yet, must be known when the compactor is closed, which waits for it.
    if (isIdle && (isEnded || !owner.has(id))) {
      owner.forget(this);
    }
  }

  /** Also if it was made when its owner was being closed, who then does not know of it. */
  private boolean isClosed() {
    return isClosed || owner.isClosed();
  }

  private boolean isInPause() {
    return failures > 0 && System.nanoTime() - pausedUntilNanos < 0;
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
        pause();
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
      Strategy strategy = strategy(host.schema(id)).strategy();
      if (strategy == null) {
        planned = CompactionState.IDLE;
      } else {
        Plan plan = plan(strategy, host.live(id));
        planned = new CompactionState(plan.jobs().size(), 0, plan.debtBytes());
      }
    } catch (RuntimeException e) {
      // Whoever is to carry the plan out meets the same, and reports it.
      LOG.debug("how far behind {} is was not found", id, e);
    } finally {
      leave();
    }
  }

  private Plan plan(Strategy strategy, LiveTables live) {
    return strategy.plan(withoutDamaged(live), service.options().clock().millis());
  }

  private void doFirstJob() {
    Strategy strategy = strategy(host.schema(id)).strategy();
    if (strategy == null) {
      return;
    }
    LiveTables live = host.live(id);
    Plan plan = plan(strategy, live);
    for (Job job : fitting(plan, live)) {
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
      if (!isPostponed(job)) {
        return;
      }
    }
  }

  private boolean isPostponed(Job job) {
    lock.lock();
    try {
      return postponed.has(inputs(job), System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** The jobs without those that have failed not long ago. */
  private List<Job> fitting(Plan plan, LiveTables live) {
    long now = System.nanoTime();
    lock.lock();
    try {
      postponed.retain(
          live.tables().stream().map(LiveTable::descriptor).collect(Collectors.toSet()));
      return plan.jobs().stream().filter(job -> !postponed.has(inputs(job), now)).toList();
    } finally {
      lock.unlock();
    }
  }

  private static Set<Descriptor> inputs(Job job) {
    return job.inputs().stream().map(LiveTable::descriptor).collect(Collectors.toSet());
  }

  private Chosen strategy(TableSchema schema) {
    Chosen present = chosen;
    if (present == null || !present.schema().equals(schema)) {
      try {
        present = new Chosen(schema, Strategies.of(schema), "");
      } catch (IllegalArgumentException e) {
        present = new Chosen(schema, null, String.valueOf(e.getMessage()));
        LOG.error("{} is not compacted: {}", id, e.getMessage());
      }
      chosen = present;
    }
    return present;
  }

  /** Damaged tables are not chosen, but are in their place. */
  LiveTables withoutDamaged(LiveTables live) {
    Set<Descriptor> known = knownDamaged();
    if (known.isEmpty()) {
      return live;
    }
    return live.with(
        live.tables().stream()
            .map(table -> known.contains(table.descriptor()) ? table.damaged() : table)
            .toList());
  }

  private Set<Descriptor> knownDamaged() {
    lock.lock();
    try {
      return Set.copyOf(damaged);
    } finally {
      lock.unlock();
    }
  }

  // What is asked for.

  CompletableFuture<CompactionReport> run(CompactionRequest request) {
    if (request.isDryRun()) {
      return dryRun(request);
    }
    AskedJobs asked = new AskedJobs(request);
    lock.lock();
    try {
      if (isClosed()) {
        return CompletableFuture.failedFuture(HostCompactor.closed(id));
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
      TableSchema schema = host.schema(id);
      LiveTables live = host.live(id);
      RequestPlanner.Planned planned = plan(request, schema, live);
      PurgeForecast forecast = new PurgeForecast(schema, live, service.options().clock().millis());
      List<EngineListener.CompactionStarted> jobs = new ArrayList<>();
      List<String> remarks = new ArrayList<>(planned.remarks());
      for (JobSpec spec : planned.jobs()) {
        jobs.add(started(UUID.randomUUID(), spec));
        remarks.addAll(forecast.of(spec));
      }
      return CompletableFuture.completedFuture(
          new CompactionReport(List.of(), List.of(), jobs, remarks));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Finds the jobs of a request. */
  private void plan(AskedJobs asked) {
    try {
      RequestPlanner.Planned planned = plan(asked.request(), host.schema(id), host.live(id));
      asked.remarks(planned.remarks());
      asked.planned(planned.jobs());
    } catch (RuntimeException | Error e) {
      // An Error too: whoever waits for the report must hear of it.
      asked.giveUp(e);
    }
  }

  private RequestPlanner.Planned plan(
      CompactionRequest request, TableSchema schema, LiveTables live) {
    // What is damaged can be salvaged, and only that.
    boolean isScrub = request.operation() == CompactionRequest.Operation.SCRUB;
    return new RequestPlanner(
            schema,
            () -> required(strategy(schema)),
            host.version(),
            service.options().clock().millis())
        .plan(request, isScrub ? live : withoutDamaged(live));
  }

  private Strategy required(Chosen present) {
    if (present.strategy() == null) {
      throw new IllegalArgumentException(id + ": " + present.problem());
    }
    return present.strategy();
  }

  private void doAsked(AskedJobs asked, JobSpec spec) {
    try {
      Optional<Claim> claim = host.claim(id, new HashSet<>(spec.inputs()));
      if (claim.isEmpty()) {
        asked.remarks(
            List.of(spec.inputs() + " were left alone: they are not live any more, or taken"));
      } else {
        asked.ended(execute(claim.get(), spec, true));
      }
    } catch (RuntimeException | Error e) {
      asked.fail(e);
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
            Instant.ofEpochMilli(service.options().clock().millis()),
            System.nanoTime(),
            isAsked,
            new TaskProgress());
    begin(job);
    @Nullable TaskReport report = null;
    @Nullable Throwable failure = null;
    try {
      report = run(claim, job);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      end(job);
    }
    CompactionRecord done =
        new CompactionRecord(
            id,
            job.id(),
            spec.operation(),
            spec.job().reason(),
            job.inputs(),
            job.startedAt(),
            job.elapsed(),
            report,
            failure);
    service.ended(done);
    if (report != null) {
      succeeded(done, report);
    } else if (failure != null) {
      failed(done, failure, claim, isAsked);
    }
    return done;
  }

  private TaskReport run(Claim claim, ActiveJob job) throws IOException {
    TaskReport report;
    try {
      host.listener().compactionStarted(started(job.id(), job.spec()));
      // What it may forget is decided when it begins, not when it was planned, long ago perhaps.
      job.progress().check();
      report = new CompactionTask(claim, options(job.spec()), job.progress()).run();
    } catch (IOException | RuntimeException | Error e) {
      try (claim) {
        if (!owner.has(id) && e instanceof Exception) {
          throw gone(e);
        }
        throw e;
      }
    }
    try {
      claim.close();
    } catch (IOException e) {
      // What was committed is done, whatever it has left behind.
      LOG.warn("{} has left something that goes when the table is opened again", id, e);
    }
    return report;
  }

  private TaskOptions options(JobSpec spec) {
    return TaskOptions.builder(host.schema(id), service.options().clock().millis() / 1000)
        .kind(spec.kind())
        .level(spec.job().level())
        .split(spec.job().split())
        .ignoresOverlaps(spec.job().ignoresOverlaps())
        .damaged(knownDamaged())
        .subCompactions(service.options().subCompactions())
        .readAheadBytes(service.options().readAheadBytes())
        .throttle(service.throttle())
        .executor(service.pipeline())
        .space(service.space())
        .build();
  }

  /** What fails for a table that was dropped or closed meanwhile was as good as cancelled. */
  private CancellationException gone(Throwable failure) {
    CancellationException cancelled = new CancellationException(id + " was closed or dropped");
    cancelled.initCause(failure);
    return cancelled;
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

  private EngineListener.CompactionStarted started(UUID job, JobSpec spec) {
    return new EngineListener.CompactionStarted(
        id, job, spec.operation(), spec.inputs(), spec.job().onDiskBytes());
  }

  private void succeeded(CompactionRecord done, TaskReport report) {
    lock.lock();
    try {
      failures = 0;
      damaged.removeAll(done.inputs());
    } finally {
      lock.unlock();
    }
    host.listener().compactionCompleted(AskedJobs.completed(done, report));
  }

  private void failed(CompactionRecord done, Throwable failure, Claim claim, boolean isAsked) {
    host.listener().compactionFailed(AskedJobs.failed(done, failure));
    if (failure instanceof CancellationException) {
      LOG.info("{} of {} was cancelled", done.operation(), id);
      return;
    }
    Blame blame =
        Blame.of(failure, claim.inputs().get(0).directory(), done.inputs(), host.live(id));
    if (isAsked) {
      // The report tells who asked; nobody tries it again.
      LOG.info("{} of {}, which was asked for, failed", done.operation(), id, failure);
    } else if (blame.tables().isEmpty()) {
      postpone(done, failure);
    } else {
      LOG.error(
          "{} of {} failed; {} is set aside until the table is scrubbed or opened again",
          done.operation(),
          id,
          blame.tables(),
          failure);
    }
    if (!blame.tables().isEmpty()) {
      foundDamaged(blame, failure);
    }
  }

  /** Has the strategy's other jobs go before one that nothing is known to be damaged for. */
  private void postpone(CompactionRecord done, Throwable failure) {
    if (failure instanceof NotEnoughSpaceException) {
      LOG.error("{} of {} is tried again later: {}", done.operation(), id, failure.getMessage());
    } else {
      LOG.error("{} of {} failed, and is tried again later", done.operation(), id, failure);
    }
    lock.lock();
    try {
      postponed.add(Set.copyOf(done.inputs()), System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  private void foundDamaged(Blame blame, Throwable failure) {
    lock.lock();
    try {
      damaged.addAll(blame.tables());
    } finally {
      lock.unlock();
    }
    if (blame.path() != null) {
      host.listener()
          .corruptionFound(new EngineListener.CorruptionFound(id, blame.path(), failure));
    }
    service.consider(this);
  }

  /** Keeps plans that fail from being tried again at once. */
  private void pause() {
    lock.lock();
    try {
      pausedUntilNanos = System.nanoTime() + Postponed.pauseNanos(failures);
      failures++;
    } finally {
      lock.unlock();
    }
  }
}
