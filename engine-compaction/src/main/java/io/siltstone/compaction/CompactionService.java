package io.siltstone.compaction;

import io.siltstone.chunk.Helpers;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.compaction.task.SpaceAccount;
import io.siltstone.compaction.throttle.RateLimiter;
import io.siltstone.io.ReadThrottle;
import io.siltstone.schema.TableId;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.CompactorFactory;
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
 * Compacts the tables of one or several databases, on threads that they share and within one limit
 * of throughput; and what an operator sees and steers of that.
 *
 * <pre>
 *   CompactionService compaction = new CompactionService(CompactionOptions.builder().build());
 *   Database db = Database.open(path, DatabaseOptions.builder().compaction(compaction).build());
 *   compaction.running(); compaction.history(); compaction.bytesPerSecond(0);
 * </pre>
 *
 * <p>Safe for all threads. Needs no closing: its threads are daemons, and end when they have been
 * idle; what it does for a database ends when that is closed.
 */
public final class CompactionService implements CompactorFactory {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionService.class);
  private static final long IDLE_SECONDS = 10;
  private static final long CHECK_SECONDS = 60;

  private final CompactionOptions options;
  private final RateLimiter throttle;
  private final SpaceAccount space = new SpaceAccount();
  private final CompactionThreads threads = new CompactionThreads();
  private final @Nullable Helpers pipeline;
  private final List<ThreadPoolExecutor> pools = new ArrayList<>();
  private final History history;
  private final Set<HostCompactor> hosts = ConcurrentHashMap.newKeySet();
  private final Agenda work;
  // On a thread of its own: the others may be at jobs for hours.
  private final Agenda assessments;
  // Guarded by the hosts.
  private @Nullable Ticker checks;
  // Held while jobs are told of it: what was said last holds for all of them.
  private final ReentrantLock pauses = new ReentrantLock();
  private volatile boolean isPaused;

  /** With the defaults; what {@link java.util.ServiceLoader} makes. */
  public CompactionService() {
    this(CompactionOptions.builder().build());
  }

  /** With the given options. */
  public CompactionService(CompactionOptions options) {
    this.options = options;
    this.throttle = RateLimiter.ofBytesPerSecond(options.bytesPerSecond());
    this.work = new Agenda(pool("compaction", options.compactors()), TableWork::step);
    this.pipeline =
        options.pipelineThreads() == 0
            ? null
            : new Helpers(
                pool("compaction-pipeline", options.pipelineThreads()),
                pool("compaction-sync", options.compactors()));
    this.assessments = new Agenda(pool("compaction-assessment", 1), TableWork::assess);
    this.history = new History(options.historySize());
  }

  private Executor pool(String purpose, int most) {
    ThreadPoolExecutor pool = threads.pool(purpose, most, IDLE_SECONDS);
    pools.add(pool);
    return pool;
  }

  @Override
  public Compactor create(CompactionHost host) {
    HostCompactor compactor = new HostCompactor(this, host);
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
    // Time alone makes work: windows end, data expires, failed jobs may be tried again.
    return threads.ticker(
        "compaction-timer",
        CHECK_SECONDS,
        this::considerAll,
        e -> LOG.warn("tables could not be looked at, and are the next time", e));
  }

  void closed(HostCompactor compactor) {
    synchronized (hosts) {
      hosts.remove(compactor);
      if (!hosts.isEmpty()) {
        return;
      }
      if (checks != null) {
        checks.end();
        checks = null;
      }
      // Nobody is there to work for: many services may be made and left, one after the other.
      pools.forEach(pool -> pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS));
    }
  }

  private void considerAll() {
    hosts.forEach(HostCompactor::considerAll);
  }

  // What an operator sees and steers.

  /** Bytes a second that all jobs together may read; 0 for no limit. */
  public long bytesPerSecond() {
    return throttle.bytesPerSecond();
  }

  /**
   * Changes the limit, also for jobs that run.
   *
   * @param value 0 for no limit, or {@link RateLimiter#MIN_BYTES_PER_SECOND} and more
   */
  public void bytesPerSecond(long value) {
    throttle.setBytesPerSecond(value);
  }

  /** The jobs that run now, those that began first first. */
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

  /** The jobs that have ended, the oldest first; failed and cancelled ones too. */
  public List<CompactionRecord> history() {
    return history.records();
  }

  /**
   * What the strategy of a table would do now, and why; nothing is done.
   *
   * @throws IllegalArgumentException if no database of this service has the table, or several have
   *     one of that id, as a checkpoint and its origin do: each needs a service of its own then
   */
  public Plan explain(TableId table) {
    return hostOf(table).explain(table, null);
  }

  /**
   * What another strategy would do with a table as it is now.
   *
   * @param compaction the option map, with its class
   * @throws IllegalArgumentException likewise; or if an option is wrong, naming it
   */
  public Plan explain(TableId table, Map<String, String> compaction) {
    return hostOf(table).explain(table, compaction);
  }

  private HostCompactor hostOf(TableId table) {
    List<HostCompactor> having = hosts.stream().filter(host -> host.has(table)).toList();
    if (having.isEmpty()) {
      throw new IllegalArgumentException("no database here has " + table);
    }
    if (having.size() > 1) {
      throw new IllegalArgumentException(
          having.stream().map(host -> host.host().toString()).sorted().toList()
              + " all have "
              + table
              + ": which is meant is not known, unless each has a service of its own");
    }
    return having.get(0);
  }

  /**
   * Has all jobs wait where they are, and begins none that nobody asked for, until {@link
   * #resume()}. What is asked for is taken up, is among the jobs that run, and waits before it
   * reads anything: who waits for its report waits until then, or until it is cancelled.
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

  /** Goes on. */
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

  /** Whether it was told to pause. */
  public boolean isPaused() {
    return isPaused;
  }

  /**
   * Ends a job; its inputs stay. The strategy may want the same again.
   *
   * @return false if there is no such job, or not any more
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

  // What the compactors need.

  /** How it works. */
  public CompactionOptions options() {
    return options;
  }

  CompactionThreads threads() {
    return threads;
  }

  @Nullable Helpers pipeline() {
    return pipeline;
  }

  ReadThrottle throttle() {
    return throttle;
  }

  SpaceAccount space() {
    return space;
  }

  void ended(CompactionRecord ended) {
    history.add(ended);
  }

  /** Has a thread look whether there is something to do for a table. */
  void consider(TableWork table) {
    work.add(table);
    assess(table);
  }

  /** Has a thread find how far behind a table is. */
  void assess(TableWork table) {
    assessments.add(table);
  }

  /** Nobody looks at a table any more that is closed or dropped. */
  void over(TableWork table) {
    work.remove(table);
    assessments.remove(table);
  }

  /** Jobs of one request that may run at once: a thread is left to other tables, if there are. */
  int mostAsked() {
    int tables = hosts.stream().mapToInt(HostCompactor::tableCount).sum();
    return tables > 1 ? Math.max(1, options.compactors() - 1) : options.compactors();
  }
}
