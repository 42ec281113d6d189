package io.siltstone.compaction;

import io.siltstone.Compaction;
import io.siltstone.annotation.Expert;
import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compaction.task.DiskReservations;
import io.siltstone.compaction.task.TaskResources;
import io.siltstone.compaction.throttle.RateLimiter;
import io.siltstone.schema.TableId;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.Compactor;
import io.siltstone.threads.Ticker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts the tables of one or several databases, which share its threads and its limit of
 * throughput. Also shows operators what is running, and lets them pause, cancel and throttle it.
 *
 * <pre>
 *   CompactionService compaction = new CompactionService(CompactionOptions.builder().build());
 *   Database db = Database.open(path, DatabaseOptions.builder().compaction(compaction).build());
 *   compaction.running();          // what is being compacted now
 *   compaction.history();          // what was compacted before
 *   compaction.bytesPerSecond(0);  // no limit of throughput from now on
 * </pre>
 *
 * <p>Safe for use by any number of threads. There is nothing to close: closing a database ends its
 * compactions, and the threads, which are daemons, end when they have been idle for ten seconds.
 */
public final class CompactionService implements Compaction {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionService.class);
  private static final long IDLE_SECONDS = 10;
  private static final long CHECK_SECONDS = 60;

  private final CompactionOptions options;
  private final RateLimiter throttle;
  private final CompactionThreads threads = new CompactionThreads();
  private final TaskResources resources;
  private final List<ThreadPoolExecutor> pools = new ArrayList<>();
  private final RecentCompactions recentCompactions;
  private final Set<DatabaseCompactor> hosts = ConcurrentHashMap.newKeySet();
  private final CompactionQueue work;
  // On a thread of its own, since all others may be busy with jobs for hours.
  private final CompactionQueue assessments;
  // Guarded by hosts.
  private @Nullable Ticker checks;
  // Held while all jobs are paused or resumed, so that the last of several calls decides for all
  // jobs.
  private final ReentrantLock pauses = new ReentrantLock();
  private volatile boolean isPaused;

  /**
   * Makes a service with the default options. {@link java.util.ServiceLoader} uses this
   * constructor.
   */
  public CompactionService() {
    this(CompactionOptions.builder().build());
  }

  /** Makes a service with the given options. */
  public CompactionService(CompactionOptions options) {
    this.options = options;
    this.throttle = RateLimiter.ofBytesPerSecond(options.bytesPerSecond());
    this.work = new CompactionQueue(pool("compaction", options.compactors()), TableCompactor::step);
    PipelineExecutors executors =
        new PipelineExecutors(
            options.pipelineThreads() == 0
                ? null
                : pool("compaction-pipeline", options.pipelineThreads()),
            pool("compaction-sync", options.compactors()));
    this.resources =
        new TaskResources(
            options.subCompactions(),
            executors,
            options.outputVerification(),
            options.readAheadBytes(),
            throttle,
            new DiskReservations());
    this.assessments =
        new CompactionQueue(pool("compaction-assessment", 1), TableCompactor::assess);
    this.recentCompactions = new RecentCompactions(options.historySize());
  }

  private Executor pool(String purpose, int most) {
    ThreadPoolExecutor pool = threads.pool(purpose, most, IDLE_SECONDS);
    pools.add(pool);
    return pool;
  }

  @Expert
  @SuppressWarnings("exports")
  @Override
  public Compactor create(CompactionHost host) {
    DatabaseCompactor compactor = new DatabaseCompactor(this, host);
    synchronized (hosts) {
      try {
        hosts.add(compactor);
        if (checks == null) {
          checks = startChecks();
        }
      } catch (Throwable e) {
        closed(compactor);
        throw e;
      }
    }
    return compactor;
  }

  private Ticker startChecks() {
    pools.forEach(pool -> pool.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS));
    // Time alone can make work: windows end, data expires, failed jobs may be retried.
    return threads.ticker(
        "compaction-timer",
        CHECK_SECONDS,
        this::considerAll,
        e ->
            LOG.warn("tables could not be queued for compaction, which is retried in a minute", e));
  }

  void closed(DatabaseCompactor compactor) {
    synchronized (hosts) {
      hosts.remove(compactor);
      if (!hosts.isEmpty()) {
        return;
      }
      if (checks != null) {
        checks.end();
        checks = null;
      }
      // No database is left. Programs that make one service after another would otherwise
      // accumulate idle threads.
      pools.forEach(pool -> pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS));
    }
  }

  private void considerAll() {
    hosts.forEach(DatabaseCompactor::considerAll);
  }

  // Monitoring and control by operators.

  /**
   * Returns the limit of throughput: how many bytes per second all jobs together may read; 0 for no
   * limit.
   */
  public long bytesPerSecond() {
    return throttle.bytesPerSecond();
  }

  /**
   * Changes the limit of throughput. It applies at once, to running jobs too.
   *
   * @param value in bytes per second: 0 for no limit, or at least 65,536 (64 KiB)
   * @throws IllegalArgumentException if the value is out of this range
   */
  public void bytesPerSecond(long value) {
    throttle.setBytesPerSecond(value);
  }

  /** Returns the jobs that are running now, in the order in which they began. */
  public List<RunningCompaction> running() {
    return active().stream()
        .map(ActiveJob::describe)
        .sorted(Comparator.comparing(RunningCompaction::startedAt))
        .toList();
  }

  private List<ActiveJob> active() {
    List<ActiveJob> active = new ArrayList<>();
    hosts.forEach(host -> active.addAll(host.active()));
    return active;
  }

  /**
   * Returns the jobs that ended last, oldest first, including failed and cancelled ones. {@link
   * CompactionOptions#historySize()} is how many are kept.
   */
  public List<CompactionRecord> history() {
    return recentCompactions.records();
  }

  /**
   * Asks a table's compaction strategy what it would do now, and why. Nothing is compacted.
   *
   * @throws IllegalArgumentException if no database of this service has the table, or if several
   *     have a table with this id, as a database and its checkpoint do. In that case use one
   *     service for each
   */
  public CompactionPlan explain(TableId table) {
    return CompactionPlan.of(hostOf(table).explain(table, null));
  }

  /**
   * Asks what another strategy would do with a table as it is now. Nothing is compacted.
   *
   * @param compaction the strategy's options as in a table's {@code compaction} option, including
   *     its {@code class}
   * @throws IllegalArgumentException as {@link #explain(TableId)}; also if an option is wrong,
   *     which the message names
   */
  public CompactionPlan explain(TableId table, Map<String, String> compaction) {
    return CompactionPlan.of(hostOf(table).explain(table, compaction));
  }

  private DatabaseCompactor hostOf(TableId table) {
    List<DatabaseCompactor> having = hosts.stream().filter(host -> host.has(table)).toList();
    if (having.isEmpty()) {
      throw new IllegalArgumentException("no database here has " + table);
    }
    if (having.size() > 1) {
      throw new IllegalArgumentException(
          having.stream().map(host -> host.host().toString()).sorted().toList()
              + " all have "
              + table
              + ", so it is not known which one is meant; use a service for each");
    }
    return having.get(0);
  }

  /**
   * Pauses compaction until {@link #resume()}. Running jobs stop where they are, and strategies
   * begin no new ones. A requested compaction is accepted and listed as running, but waits before
   * it reads anything; its report is complete only after compaction is resumed or the job is
   * cancelled.
   */
  public void pause() {
    pauses.lock();
    try {
      isPaused = true;
      active().forEach(job -> job.progress().pause());
    } finally {
      pauses.unlock();
    }
  }

  /** Resumes compaction after {@link #pause()}. */
  public void resume() {
    pauses.lock();
    try {
      isPaused = false;
      active().forEach(job -> job.progress().resume());
    } finally {
      pauses.unlock();
    }
    considerAll();
  }

  /** Returns whether compaction is paused. */
  public boolean isPaused() {
    return isPaused;
  }

  /**
   * Cancels a running job. Its inputs stay as they were. If the job was the strategy's, the
   * strategy may begin the same job again.
   *
   * @param job the id of the job, as in {@link RunningCompaction}
   * @return false if no such job is running
   */
  public boolean cancel(UUID job) {
    for (ActiveJob active : active()) {
      if (active.id().equals(job)) {
        active.progress().cancel();
        return true;
      }
    }
    return false;
  }

  // Called by the compactors of databases.

  /**
   * Returns the options that the service was made with. {@link #bytesPerSecond()} may have been
   * changed since.
   */
  public CompactionOptions options() {
    return options;
  }

  CompactionThreads threads() {
    return threads;
  }

  TaskResources resources() {
    return resources;
  }

  void ended(CompactionRecord ended) {
    recentCompactions.add(ended);
  }

  /**
   * Queues a table, to see whether there is something to compact, and updates its compaction debt.
   */
  void consider(TableCompactor table) {
    work.add(table);
    assess(table);
  }

  /** Queues a table for an update of its compaction debt only. */
  void assess(TableCompactor table) {
    assessments.add(table);
  }

  /** Removes a table that is closed or dropped from the queues. */
  void remove(TableCompactor table) {
    work.remove(table);
    assessments.remove(table);
  }

  /**
   * Returns how many jobs of one request may run at the same time. One thread is left to other
   * tables, if there are any.
   */
  int maxRequestedJobs() {
    int tables = hosts.stream().mapToInt(DatabaseCompactor::tableCount).sum();
    return tables > 1 ? Math.max(1, options.compactors() - 1) : options.compactors();
  }
}
