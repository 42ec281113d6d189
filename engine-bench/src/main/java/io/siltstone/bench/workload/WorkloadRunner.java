package io.siltstone.bench.workload;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.schema.TableOptions;
import io.siltstone.threads.Uninterruptibles;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workload profile against a table: first {@link #populate} if all rows are to exist, then
 * {@link #run}. Both return when they are done. Nothing else should write to the table. If it has
 * older rows, or if its rows expire, versions are not known, and {@link WorkloadOptions#isChecked}
 * must be off.
 *
 * <p>Confined to one thread; {@link #stop} may be called by any thread.
 */
public final class WorkloadRunner {
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;

  /** The number of values that represent the waits of any number of missed operations. */
  private static final long MOST_WAITS = 10_000;

  /** The greatest number of items of a profile whose reads can be checked. */
  public static final long MOST_CHECKED_ITEMS = ItemVersions.MOST_ITEMS;

  private final Profile profile;
  private final Database database;
  private final Table table;
  private final WorkloadOptions options;
  private final boolean isKnown;
  private final VersionSource versions;
  private final long epochMicros;
  private volatile @Nullable OperationSchedule schedule;
  private volatile boolean isStopped;

  /** Creates a runner for the table of a profile in an open database. */
  public WorkloadRunner(Profile profile, Database database, Table table, WorkloadOptions options) {
    this.profile = profile;
    this.database = database;
    this.table = table;
    this.options = options;
    isKnown = remembersVersions(options, table.schema().options());
    versions =
        isKnown
            ? new ItemVersions(profile.items())
            : VersionSource.unknown(profile.versionsToPopulate());
    epochMicros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
  }

  /**
   * Returns whether the versions of items are checked, for up to {@link #MOST_CHECKED_ITEMS} items.
   * They cannot be checked in a table whose rows expire.
   */
  public static boolean remembersVersions(WorkloadOptions options, TableOptions table) {
    return options.isChecked() && table.defaultTimeToLive() == 0;
  }

  /**
   * Makes {@link #populate} or {@link #run} end soon, with the result so far, and later calls at
   * once.
   */
  public void stop() {
    isStopped = true;
    OperationSchedule running = schedule;
    if (running != null) {
      running.stop();
    }
  }

  /**
   * Writes every row of the profile once, as fast as possible.
   *
   * @param listener receives each sample, in the calling thread
   */
  public WorkloadResult populate(Consumer<WorkloadSample> listener) throws IOException {
    AtomicLong next = new AtomicLong();
    return execute(
        new OperationSchedule(System::nanoTime, 0, Long.MAX_VALUE, Long.MAX_VALUE / 2),
        worker -> populate(worker, next),
        listener);
  }

  /**
   * Writes and reads as the options say.
   *
   * @param listener receives each sample, in the calling thread
   */
  public WorkloadResult run(Consumer<WorkloadSample> listener) throws IOException {
    KeyChooser chooser = options.distribution().over(profile.items());
    return execute(
        new OperationSchedule(
            System::nanoTime,
            options.opsPerSecond(),
            options.operations(),
            options.duration().toNanos()),
        worker -> operate(worker, chooser),
        listener);
  }

  /** The objects of one thread. */
  private record Worker(
      Operations operations,
      SplittableRandom random,
      LatencyRecorder meter,
      WorkloadFailures problems,
      OperationSchedule schedule) {}

  private void populate(Worker worker, AtomicLong next) {
    while (!worker.schedule().isStopped()) {
      long item = next.getAndIncrement();
      if (item >= profile.items()) {
        return;
      }
      for (int i = 1; i <= profile.versionsToPopulate() && !worker.schedule().isStopped(); i++) {
        long start = System.nanoTime();
        if (write(worker, item, isKnown ? versions.begin(item) : i)) {
          worker.meter().wrote(System.nanoTime() - start);
        }
      }
    }
  }

  private void operate(Worker worker, KeyChooser chooser) {
    while (true) {
      // Chosen before the operation is timed.
      boolean isRead = worker.random().nextDouble() < options.readRate();
      long item = chooser.next(worker.random());
      long due = worker.schedule().next();
      if (due == OperationSchedule.END) {
        return;
      }
      if (isRead) {
        read(worker, item, due);
      } else if (write(worker, item, versions.begin(item))) {
        worker.meter().wrote(System.nanoTime() - due);
      }
    }
  }

  private boolean write(Worker worker, long item, long version) {
    try {
      worker.operations().write(item, version);
    } catch (IOException | RuntimeException e) {
      failed(worker, "write", item, e);
      return false;
    }
    versions.end(item);
    return true;
  }

  private void read(Worker worker, long item, long due) {
    long completed = versions.completed(item);
    try {
      int rows = worker.operations().read(item, worker.random());
      worker.meter().read(System.nanoTime() - due, rows);
      String wrong = worker.operations().wrong(completed, versions.begun(item));
      if (wrong != null) {
        worker.problems().wrong(wrong);
      }
    } catch (IOException | RuntimeException e) {
      failed(worker, "read", item, e);
    }
  }

  private static void failed(Worker worker, String what, long item, Exception e) {
    worker.problems().failed(what + " of item " + item, e);
    if (e instanceof ReadOnlyException) {
      // All following writes would fail too.
      worker.schedule().stop();
    }
  }

  private WorkloadResult execute(
      OperationSchedule running, Consumer<Worker> work, Consumer<WorkloadSample> listener)
      throws IOException {
    schedule = running;
    if (isStopped) {
      running.stop();
    }
    WorkloadFailures problems = new WorkloadFailures();
    AtomicLong allocated = new AtomicLong();
    CountDownLatch left = new CountDownLatch(options.threads());
    List<LatencyRecorder> meters = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(options.seed());
    for (int i = 0; i < options.threads(); i++) {
      LatencyRecorder meter = new LatencyRecorder();
      meters.add(meter);
      Worker worker =
          new Worker(
              profile.operations(table, epochMicros), seeds.split(), meter, problems, running);
      Thread thread = new Thread(() -> work(worker, work, allocated, left), "load-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    ProcessUsage before = ProcessUsage.now();
    Sampler sampler = new Sampler(meters, problems, running.start());
    threads.forEach(Thread::start);
    try {
      while (!left.await(options.interval().toNanos(), TimeUnit.NANOSECONDS)) {
        listener.accept(sampler.next());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running.stop();
      threads.forEach(Uninterruptibles::join);
    }
    listener.accept(sampler.next());
    return sampler.result(running, allocated.get(), ProcessUsage.now().since(before));
  }

  private static void work(
      Worker worker, Consumer<Worker> work, AtomicLong allocated, CountDownLatch left) {
    try {
      work.accept(worker);
    } catch (Error e) {
      // Fewer threads would measure something else.
      worker.problems().failed("a thread ended", e);
      worker.schedule().stop();
      throw e;
    } finally {
      if (ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads) {
        allocated.addAndGet(
            Math.max(0, threads.getThreadAllocatedBytes(Thread.currentThread().getId())));
      }
      left.countDown();
    }
  }

  /** Combines what the threads have recorded. */
  private final class Sampler {
    private final List<LatencyRecorder> meters;
    private final WorkloadFailures problems;
    private final long start;
    private final Histogram reads = new Histogram(DIGITS);
    private final Histogram writes = new Histogram(DIGITS);
    private final List<WorkloadSample> samples = new ArrayList<>();
    private double seconds;

    Sampler(List<LatencyRecorder> meters, WorkloadFailures problems, long start) {
      this.meters = meters;
      this.problems = problems;
      this.start = start;
    }

    WorkloadSample next() throws IOException {
      Histogram newReads = new Histogram(DIGITS);
      Histogram newWrites = new Histogram(DIGITS);
      meters.forEach(meter -> meter.collect(newReads, newWrites));
      reads.add(newReads);
      writes.add(newWrites);
      double now = (System.nanoTime() - start) / NANOS;
      WorkloadSample sample =
          new WorkloadSample(
              now,
              now - seconds,
              Latency.of(newReads),
              Latency.of(newWrites),
              problems.errors(),
              problems.wrongReads(),
              Gauges.of(database, table));
      seconds = now;
      samples.add(sample);
      return sample;
    }

    WorkloadResult result(OperationSchedule schedule, long allocatedBytes, ProcessUsage usage) {
      long missed = schedule.missed();
      long missedReads = readsOf(missed);
      addWaits(schedule, missed);
      return new WorkloadResult(
          seconds,
          new WorkloadResult.Latencies(reads, missedReads),
          new WorkloadResult.Latencies(writes, missed - missedReads),
          meters.stream().mapToLong(LatencyRecorder::rows).sum(),
          new WorkloadResult.Failures(problems.errors(), problems.wrongReads(), problems.first()),
          allocatedBytes,
          usage,
          samples);
    }

    /** Returns the expected number of reads among operations that were not chosen yet. */
    private long readsOf(long operations) {
      return Math.round(operations * options.readRate());
    }

    /**
     * Adds the waits of missed operations; otherwise a slower engine would have fewer of its waits
     * counted.
     */
    private void addWaits(OperationSchedule schedule, long missed) {
      long values = Math.min(missed, MOST_WAITS);
      for (long i = 0; i < values; i++) {
        long from = missed * i / values;
        long to = missed * (i + 1) / values;
        long waited = schedule.waited(from);
        long ofReads = readsOf(to) - readsOf(from);
        if (ofReads > 0) {
          reads.recordValueWithCount(waited, ofReads);
        }
        if (to - from > ofReads) {
          writes.recordValueWithCount(waited, to - from - ofReads);
        }
      }
    }
  }
}
