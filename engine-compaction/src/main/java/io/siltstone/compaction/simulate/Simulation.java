package io.siltstone.compaction.simulate;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the compaction of an invented table with a strategy of the engine, at any scale and
 * without files. Flushes come in, the jobs that the strategy plans run in parallel and take time,
 * and write, space and read amplification are measured.
 *
 * <p>An even sample of all rows is followed, each row exactly: in which SSTables it is, which
 * version is the newest, when it expires, and which tombstones can be purged. Sizes and counts are
 * those of the rows that the sample stands for. So merging, overwriting and purging are not
 * estimated; only details smaller than a sampled row are inexact, such as where an SSTable ends.
 *
 * <p>Nothing is repaired: with {@code only_purge_repaired_tombstones} no tombstone is purged. Data
 * that SSTables outside of a job delete stays in it, whatever {@code
 * provide_overlapping_tombstones} is.
 *
 * <p>The same schema, workload and seed give the same result. Confined to one thread.
 */
public final class Simulation {
  /** When a simulation begins, in milliseconds since 1970: midnight of 1 January 2027. */
  public static final long BEGIN_MILLIS = 1_798_761_600_000L;

  // A flush of fewer sampled rows says too little about where its keys lie.
  private static final int LEAST_ROWS_PER_FLUSH = 16;
  private static final int LEAST_ROWS = 1 << 18;
  private static final int MANY_TABLES = 5000;
  private static final double TOMBSTONE_BYTES = 32;

  private final Strategy strategy;
  private final Workload workload;
  private final int points;
  private final SplittableRandom random;
  private final SampledKeys sampledKeys;
  private final SampledTable.Scale scale;
  private final LiveSample live;
  private final Measurements measurements;
  private final List<Measure> measures = new ArrayList<>();
  private final List<Running> running = new ArrayList<>();
  private final Deque<Job> queue = new ArrayDeque<>();
  private final long keyLimit;

  private double seconds;
  private double rowsDue;
  private long ingestedBytes;
  private long writtenBytes;
  private long jobs;
  private boolean hasChanged;
  private boolean hasFlushed;
  private boolean hasEnded;
  private long debtBytes;
  private int maxTables;
  private long maxOnDiskBytes;
  private long maxDebtBytes;

  /** A running job: when it began, and how many bytes it has still to read. */
  private static final class Running {
    final Job job;
    final long begunMillis;
    double bytesLeft;

    Running(Job job, long begunMillis, double bytesLeft) {
      this.job = job;
      this.begunMillis = begunMillis;
      this.bytesLeft = bytesLeft;
    }
  }

  /**
   * Prepares a simulation.
   *
   * @param schema its compaction options and {@code gc_grace_seconds} are used
   * @param points how many measurements to take, evenly over the ingested bytes; at least 1
   * @throws IllegalArgumentException as {@link StrategyRegistry#of}
   */
  public Simulation(TableSchema schema, Workload workload, int points, long seed) {
    this.strategy = StrategyRegistry.of(schema);
    this.workload = workload;
    this.points = points;
    this.random = new SplittableRandom(seed);
    this.sampledKeys = new SampledKeys(random);
    long flushes = workload.ingestBytes() / workload.flushBytes();
    double sample = Math.max(LEAST_ROWS, (double) flushes * LEAST_ROWS_PER_FLUSH);
    double rows = (double) workload.ingestBytes() / workload.rowBytes();
    double rowsPerSample = Math.max(1, rows / sample);
    this.scale =
        new SampledTable.Scale(
            rowsPerSample,
            rowsPerSample * (double) workload.rowBytes(),
            rowsPerSample * Math.min(TOMBSTONE_BYTES, (double) workload.rowBytes()),
            workload.times());
    this.live =
        new LiveSample(
            scale,
            schema.options().gcGraceSeconds(),
            !schema.options().purgesOnlyRepaired(),
            workload.flushBytes());
    this.measurements = new Measurements(scale, seed);
    this.keyLimit =
        workload.keys() == 0
            ? Long.MAX_VALUE
            : Math.max(1, (long) ((double) workload.keys() / rowsPerSample));
  }

  /** Runs until all has been ingested, and then until no job is left. */
  public SimulationResult run() {
    long flushes = (workload.ingestBytes() - 1) / workload.flushBytes() + 1;
    for (long flush = 1; flush <= flushes; flush++) {
      long bytes = Math.min(workload.flushBytes(), workload.ingestBytes() - ingestedBytes);
      runUntil((double) (ingestedBytes + bytes) / workload.ingestBytesPerSecond());
      flush(bytes);
      startJobs();
      if (flush * points / flushes > (flush - 1) * points / flushes) {
        measures.add(measure());
      }
    }
    hasEnded = true;
    runUntil(Double.POSITIVE_INFINITY);
    return new SimulationResult(
        strategy.name(), measures, measure(), maxTables, maxOnDiskBytes, maxDebtBytes);
  }

  private long nowMillis() {
    return BEGIN_MILLIS + (long) (1000 * seconds);
  }

  private void flush(long bytes) {
    rowsDue += (double) bytes / scale.liveBytes();
    int count = (int) rowsDue;
    rowsDue -= count;
    SampledRows rows = new SampledRows(count);
    long rate = workload.ingestBytesPerSecond();
    // Bytes times a million would overflow a long in a flush of 9 TB.
    long flushMicros = 1_000_000 * (bytes / rate) + 1_000_000 * (bytes % rate) / rate;
    long begin = Math.max(BEGIN_MILLIS * 1000, nowMillis() * 1000 - flushMicros);
    for (int i = 0; i < count; i++) {
      long micros = begin + (long) ((double) flushMicros * i / count);
      double dice = random.nextDouble();
      if (sampledKeys.size() > 0 && dice < workload.deleteShare()) {
        rows.add(sampledKeys.removeAny(), micros, SampledRows.DELETED);
      } else if (sampledKeys.size() > 0
          && (dice < workload.deleteShare() + workload.overwriteShare()
              || sampledKeys.size() >= keyLimit)) {
        rows.add(sampledKeys.random(), micros, SampledRows.LIVE);
      } else {
        rows.add(sampledKeys.add(), micros, SampledRows.LIVE);
      }
    }
    ingestedBytes += bytes;
    if (count > 0) {
      writtenBytes += live.add(rows.sorted(), 0, nowMillis()).live().onDiskBytes();
      hasFlushed = true;
      changed();
    }
  }

  private void changed() {
    hasChanged = true;
    maxTables = Math.max(maxTables, live.size());
    noteSpace();
  }

  /** The output of a job may become as large as its inputs, which stay until the end of the job. */
  private void noteSpace() {
    long written = running.stream().mapToLong(each -> each.job.onDiskBytes()).sum();
    maxOnDiskBytes = Math.max(maxOnDiskBytes, live.onDiskBytes() + written);
  }

  /** Lets jobs run until a time, and starts others as they end. */
  private void runUntil(double end) {
    startJobs();
    while (!running.isEmpty()) {
      double left = Double.POSITIVE_INFINITY;
      for (Running job : running) {
        left = Math.min(left, job.bytesLeft);
      }
      // All jobs together read at the given rate.
      double rate = (double) workload.compaction().bytesPerSecond() / running.size();
      double step = left / rate;
      if (seconds + step > end) {
        double read = (end - seconds) * rate;
        running.forEach(job -> job.bytesLeft -= read);
        break;
      }
      seconds += step;
      double read = left;
      running.forEach(job -> job.bytesLeft -= read);
      completeJobs();
      startJobs();
    }
    if (end < Double.POSITIVE_INFINITY) {
      seconds = end;
    }
  }

  private void completeJobs() {
    List<Running> completed = running.stream().filter(job -> job.bytesLeft < 0.5).toList();
    running.removeAll(completed);
    for (Running done : completed) {
      Job job = done.job;
      writtenBytes +=
          live.merge(
              job.inputs(),
              job.level(),
              job.split(),
              job.ignoresOverlaps(),
              done.begunMillis,
              nowMillis());
      jobs++;
      changed();
    }
  }

  private void startJobs() {
    while (running.size() < workload.compaction().compactors()) {
      Job job = next();
      if (job == null) {
        return;
      }
      long bytes = live.readBytes(job.inputs(), job.ignoresOverlaps(), nowMillis());
      live.claim(job.inputs());
      running.add(
          new Running(job, nowMillis(), workload.compaction().bytesPerSecond() == 0 ? 0 : bytes));
      noteSpace();
      if (workload.compaction().bytesPerSecond() == 0) {
        completeJobs();
      }
    }
  }

  /**
   * Returns a job that may start, or null. As in the engine, it is of a plan for the present
   * SSTables.
   */
  private @Nullable Job next() {
    if (isWorthPlanning()) {
      Plan plan = strategy.plan(described(), nowMillis());
      hasChanged = false;
      hasFlushed = false;
      debtBytes = plan.debtBytes();
      maxDebtBytes = Math.max(maxDebtBytes, debtBytes);
      queue.clear();
      queue.addAll(plan.jobs());
    }
    return free();
  }

  /**
   * A plan for thousands of SSTables takes long, so the effects of its jobs are planned with the
   * next flush.
   */
  private boolean isWorthPlanning() {
    return hasFlushed
        || (hasChanged
            && (live.size() < MANY_TABLES || (hasEnded && running.isEmpty() && queue.isEmpty())));
  }

  private @Nullable Job free() {
    while (!queue.isEmpty()) {
      Job job = queue.remove();
      if (live.areFree(job.inputs())) {
        return job;
      }
    }
    return null;
  }

  private LiveTables described() {
    long memtableSeconds = workload.flushBytes() / workload.ingestBytesPerSecond();
    return live.described(1000 * nowMillis() - 1_000_000 * memtableSeconds);
  }

  private Measure measure() {
    LiveTables described = described();
    debtBytes = strategy.plan(described, nowMillis()).debtBytes();
    maxDebtBytes = Math.max(maxDebtBytes, debtBytes);
    Measurements.Reads reads = measurements.read(live.tables(), nowMillis());
    return new Measure(
        (long) seconds,
        new Measure.Bytes(
            ingestedBytes,
            writtenBytes,
            live.onDiskBytes(),
            reads.liveBytes(),
            debtBytes,
            (long) running.stream().mapToDouble(job -> job.bytesLeft).sum()),
        jobs,
        live.size(),
        reads.cost(),
        Measurements.groups(strategy, described));
  }
}
