package io.siltstone.bench.jmh;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.commitlog.segment.CommitLogListener;
import io.siltstone.commitlog.segment.CommitLogReplay;
import io.siltstone.commitlog.segment.CommitLogServices;
import io.siltstone.commitlog.segment.LogRecord;
import io.siltstone.commitlog.segment.LogTable;
import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.commitlog.segment.ReplayOptions;
import io.siltstone.files.WriteGuard;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.threads.ThreadWorker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmarks appending records of 800 bytes to the commit log, by one thread, each as durable as
 * the sync mode promises. Segments are deleted as soon as they are complete.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CommitLogBenchmark {
  private static final int RECORD_BYTES = 800;
  private static final UUID TABLE = new UUID(1, 1);
  private static final int DISCARD_EVERY = 10_000;

  /** Sync mode of the log. */
  @Param({"PERIODIC", "BATCH"})
  public SyncMode mode;

  private ScratchDirectory scratch;
  private MemoryBudget budget;
  private CommitLog log;
  private LogTable table;
  private final LogRecord record = new LogRecord();
  private final byte[] bytes = new byte[RECORD_BYTES];
  private int appended;

  /** Opens an empty log. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    scratch = ScratchDirectory.make();
    budget = PooledMemory.unlimited();
    log =
        CommitLog.open(
            scratch.files(),
            CommitLogOptions.builder().syncMode(mode).build(),
            new CommitLogServices(
                new UUID(2, 2),
                budget,
                ThreadWorker.factory(Thread::new),
                InstantSource.system(),
                Runnable::run,
                Runnable::run,
                new Failing(),
                WriteGuard.NONE),
            CommitLogReplay.replay(
                scratch.files(),
                ReplayOptions.DEFAULT,
                (id, header) -> {
                  throw new IOException("the log of a new directory has a table");
                }),
            -1);
    table = log.table(TABLE, "ks.t", "header".getBytes(StandardCharsets.UTF_8));
  }

  /** Removes the log. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    log.close();
    budget.close();
    scratch.close();
  }

  /** Appends one record. */
  @Benchmark
  public long append() throws IOException {
    long position =
        log.append(record.begin(RecordType.MUTATION).add(table, bytes, 0, RECORD_BYTES));
    if (mode == SyncMode.BATCH) {
      log.awaitSynced(position);
    }
    if (++appended % DISCARD_EVERY == 0) {
      log.discard(TABLE, log.position());
    }
    return position;
  }

  private static final class Failing implements CommitLogListener {
    @Override
    public void failing(CommitLogFailedException failure) {}

    @Override
    public void failed(CommitLogFailedException failure) {
      throw new IllegalStateException(failure);
    }

    @Override
    public void spaceExceeded(long diskBytes) {
      throw new IllegalStateException("the log has " + diskBytes + " bytes");
    }

    @Override
    public void archivingFailed(IOException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
