package io.siltstone.commitlog.segment;

import static io.siltstone.commitlog.segment.LogBench.FIRST;
import static io.siltstone.commitlog.segment.LogBench.record;
import static io.siltstone.commitlog.segment.LogBench.replay;
import static io.siltstone.commitlog.segment.LogBench.small;
import static io.siltstone.commitlog.segment.LogBench.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Writes that ask for no sync do not wait for one, however long it takes, but within bounds. */
@Timeout(60)
class WritersBesideSyncsTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory memory = new MemoryDirectory();
  private final LogBench bench = new LogBench(leaks.memory());
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final ExecutorService others = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    release.countDown();
    others.shutdownNow();
  }

  private void hold() {
    held.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A log whose syncs, but those of its opening, are not done until they are released. */
  private CommitLog open(CommitLogOptions options, Fault... more) throws IOException {
    List<Fault> faults = new ArrayList<>(List.of(more));
    faults.add(Fault.on(Operation.SYNC).fromCall(2).runs("waits", this::hold));
    faults.add(Fault.on(Operation.SYNC_DIRECTORY).fromCall(2).runs("waits", this::hold));
    return bench.openThreaded(
        leaks.watch(new FaultyDirectory(memory, 1, faults.toArray(Fault[]::new))), options);
  }

  @Test
  void writersGetThroughSegmentChangesWhileASyncTakesItsTime() throws Exception {
    List<String> expected = new ArrayList<>();
    try (CommitLog log = open(small(SyncMode.PERIODIC).build())) {
      LogTable first = table(log, FIRST);
      log.append(record(first, "before"));
      expected.add("1:before");
      Future<?> sync = others.submit(() -> synced(log));
      held.await();
      while (log.segmentCount() < SegmentWriter.MAX_OPEN_SEGMENTS - 1) {
        String text = "change " + expected.size();
        log.append(record(first, text));
        expected.add("1:" + text);
        assertThat(replay(memory).texts).isEqualTo(expected);
      }
      assertThat(sync).isNotDone();
      release.countDown();
      sync.get();
      log.sync();
    }
    assertThat(replay(memory).texts).isEqualTo(expected);
  }

  private static void synced(CommitLog log) {
    try {
      log.sync();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aWriteThatAsksForASyncGetsItWhenTheOneBeforeIsDone() throws Exception {
    try (CommitLog log = open(small(SyncMode.BATCH).build())) {
      LogTable first = table(log, FIRST);
      log.append(record(first, "before"));
      Future<?> sync = others.submit(() -> synced(log));
      held.await();
      long position = log.append(record(first, "after"));
      var done = log.synced(position).toCompletableFuture();
      assertThat(done).isNotDone();
      release.countDown();
      sync.get();
      done.join();
      assertThat(log.unsyncedBytes()).isZero();
    }
  }

  @Test
  void segmentsThatWaitForTheirSyncAreBounded() throws Exception {
    try (CommitLog log = open(small(SyncMode.PERIODIC).build())) {
      Thread writer = new Thread(() -> appendUntilFailure(log, 50));
      writer.start();
      awaitWaiting(writer);
      assertThat(memory.files()).hasSize(SegmentWriter.MAX_OPEN_SEGMENTS);
      release.countDown();
      writer.join();
      assertThat(log.segmentCount()).isGreaterThanOrEqualTo(50);
    }
  }

  @Test
  void writersThatWaitForRoomAreToldWhenTheSyncFails() throws Exception {
    Fault bad =
        Fault.on(Operation.SYNC)
            .fromCall(2)
            .runs(
                "fails",
                () -> {
                  hold();
                  throw new IllegalStateException("bad disk");
                });
    try (CommitLog log = open(small(SyncMode.PERIODIC).build(), bad)) {
      Thread writer = new Thread(() -> failures.add(appendUntilFailure(log, Integer.MAX_VALUE)));
      writer.start();
      awaitWaiting(writer);
      release.countDown();
      writer.join();
      assertThat(failures.get(0)).hasRootCauseMessage("bad disk");
      assertThatThrownBy(() -> log.append(record(table(log, FIRST), "x")))
          .isInstanceOf(CommitLogFailedException.class);
    }
  }

  private final List<Throwable> failures = new ArrayList<>();

  private static Throwable appendUntilFailure(CommitLog log, int segments) {
    LogTable first = table(log, FIRST);
    try {
      while (log.segmentCount() < segments) {
        log.append(record(first, "some change"));
      }
      return new AssertionError("no failure");
    } catch (IOException e) {
      return e;
    }
  }

  private void awaitWaiting(Thread writer) throws IOException {
    while (memory.files().size() < SegmentWriter.MAX_OPEN_SEGMENTS
        || writer.getState() != Thread.State.WAITING) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void whoeverAppendsIsNotToldSuccessIfTheWriteFails() throws Exception {
    Fault full = Fault.on(Operation.WRITE).noSpaceAfter(700);
    List<String> acknowledged = new ArrayList<>();
    try (CommitLog log =
        bench.openThreaded(
            leaks.watch(new FaultyDirectory(memory, 1, full)), small(SyncMode.PERIODIC).build())) {
      LogTable first = table(log, FIRST);
      assertThatThrownBy(
              () -> {
                while (true) {
                  String text = "change " + acknowledged.size();
                  log.append(record(first, text));
                  acknowledged.add("1:" + text);
                }
              })
          .isInstanceOf(CommitLogFailedException.class)
          .hasMessageContaining(Fault.NO_SPACE)
          .hasMessageContaining("CommitLog-1000.log");
      assertThat(acknowledged).hasSizeGreaterThan(10);
    }
    assertThat(replay(memory).texts).isEqualTo(acknowledged);
    assertThat(bench.failures).hasSize(1);
  }
}
