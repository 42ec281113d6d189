package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.threads.ThreadWorker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Opens and replays logs for tests, and keeps what a listener is told. Safe for all threads. */
final class LogBench implements CommitLogListener {
  static final UUID HOST = new UUID(7, 7);
  static final UUID FIRST = new UUID(1, 1);
  static final UUID SECOND = new UUID(2, 2);

  private final MemoryBudget memory;
  private final AtomicLong clock = new AtomicLong(1000);
  private Executor callbacks = Runnable::run;
  private Executor events = Runnable::run;
  final List<CommitLogFailedException> failing = new ArrayList<>();
  final List<CommitLogFailedException> failures = new ArrayList<>();
  final List<IOException> archiveFailures = new ArrayList<>();
  final List<Long> exceeded = new ArrayList<>();

  LogBench(MemoryBudget memory) {
    this.memory = memory;
  }

  /** Small segments and a small buffer, so that a few records show everything. */
  static CommitLogOptions.Builder small(SyncMode mode) {
    return CommitLogOptions.builder()
        .syncMode(mode)
        .segmentBytes(1024)
        .bufferBytes(256)
        .totalSpaceBytes(1 << 20);
  }

  void setClock(long millis) {
    clock.set(millis);
  }

  /** What logs that are opened from now on leave to others. */
  void setExecutors(Executor ofCallbacks, Executor ofEvents) {
    callbacks = ofCallbacks;
    events = ofEvents;
  }

  /** Without a thread: I/O in the threads that ask for it. */
  CommitLog open(Directory directory, CommitLogOptions options) throws IOException {
    return open(directory, options, null);
  }

  /** With a thread. */
  CommitLog openThreaded(Directory directory, CommitLogOptions options) throws IOException {
    return open(
        directory,
        options,
        work -> {
          Thread thread = new Thread(work, "commit log");
          thread.setDaemon(true);
          return thread;
        });
  }

  private CommitLog open(
      Directory directory, CommitLogOptions options, @Nullable ThreadFactory threads)
      throws IOException {
    ReplayedLog replayed =
        CommitLogReplay.replay(directory, ReplayOptions.DEFAULT.of(HOST), new Found());
    return open(directory, options, threads, replayed);
  }

  CommitLog open(
      Directory directory,
      CommitLogOptions options,
      @Nullable ThreadFactory threads,
      ReplayedLog replayed)
      throws IOException {
    InstantSource millis = () -> java.time.Instant.ofEpochMilli(clock.get());
    return CommitLog.open(
        directory,
        options,
        new CommitLogServices(
            HOST,
            memory,
            threads == null ? null : ThreadWorker.factory(threads),
            millis,
            callbacks,
            events,
            this,
            WriteGuard.NONE),
        replayed,
        -1);
  }

  @Override
  public synchronized void failing(CommitLogFailedException failure) {
    failing.add(failure);
  }

  @Override
  public synchronized void failed(CommitLogFailedException failure) {
    failures.add(failure);
  }

  @Override
  public synchronized void spaceExceeded(long diskBytes) {
    exceeded.add(diskBytes);
  }

  @Override
  public synchronized void archivingFailed(IOException failure) {
    archiveFailures.add(failure);
  }

  static LogTable table(CommitLog log, UUID id) {
    return log.table(id, "ks.t" + id.getLeastSignificantBits(), header(id));
  }

  static byte[] header(UUID id) {
    return ("header of " + id).getBytes(StandardCharsets.UTF_8);
  }

  static LogRecord record(LogTable table, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new LogRecord().begin(RecordType.MUTATION).add(table, bytes, 0, bytes.length);
  }

  static Found replay(Directory directory) throws IOException {
    return replay(directory, ReplayOptions.DEFAULT);
  }

  static Found replay(Directory directory, ReplayOptions options) throws IOException {
    Found found = new Found();
    found.log = CommitLogReplay.replay(directory, options, found);
    return found;
  }

  /** What a replay gave: the texts of all parts, each with the digit of its table. */
  static final class Found implements ReplayVisitor {
    final List<String> texts = new ArrayList<>();
    final List<io.siltstone.sstable.metadata.CommitLogPosition> positions = new ArrayList<>();
    @Nullable ReplayedLog log;

    @Override
    public TableReplay table(UUID table, byte[] header) {
      if (!new String(header, StandardCharsets.UTF_8).equals("header of " + table)) {
        throw new AssertionError("header of another table than " + table);
      }
      return (type, position, bytes, offset, length) -> {
        texts.add(
            table.getMostSignificantBits()
                + (type == RecordType.MUTATION ? ":" : "!")
                + new String(bytes, offset, length, StandardCharsets.UTF_8));
        positions.add(position);
      };
    }

    ReplayedLog log() {
      return java.util.Objects.requireNonNull(log);
    }
  }
}
