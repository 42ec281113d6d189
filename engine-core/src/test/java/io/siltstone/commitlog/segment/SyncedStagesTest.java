package io.siltstone.commitlog.segment;

import static io.siltstone.commitlog.segment.LogBench.FIRST;
import static io.siltstone.commitlog.segment.LogBench.record;
import static io.siltstone.commitlog.segment.LogBench.replay;
import static io.siltstone.commitlog.segment.LogBench.small;
import static io.siltstone.commitlog.segment.LogBench.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What depends on a write that nobody waits for is done, once, and never by the log's thread. */
@Timeout(20)
class SyncedStagesTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = new MemoryDirectory();
  private final CommitLogOptions options = small(SyncMode.BATCH).build();
  private final LogBench bench = new LogBench(leaks.memory());
  private final ExecutorService pool =
      Executors.newSingleThreadExecutor(work -> new Thread(work, "callbacks"));
  private final Queue<String> ran = new ConcurrentLinkedQueue<>();
  private final CountDownLatch syncing = new CountDownLatch(1);
  private final Semaphore refused = new Semaphore(0);
  private volatile boolean isRefusing = true;

  @AfterEach
  void end() {
    pool.shutdownNow();
  }

  /** As a pool for which the operating system has no thread. */
  private void execute(Runnable task) {
    if (isRefusing) {
      refused.release();
      throw new RejectedExecutionException("no thread");
    }
    pool.execute(task);
  }

  /** What is appended is not synced before something depends on it. */
  private CommitLog open() throws IOException {
    Fault holdsUp = Fault.on(Operation.SYNC).call(2).runs("waits", this::awaitDependent);
    bench.setExecutors(this::execute, Runnable::run);
    return bench.openThreaded(leaks.watch(new FaultyDirectory(disk, 1, holdsUp)), options);
  }

  private void awaitDependent() {
    try {
      syncing.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void noteThread() {
    ran.add(Thread.currentThread().getName());
  }

  @Test
  void aStageForWhichThereIsNoThreadWaitsForOne() throws Exception {
    try (CommitLog log = open()) {
      CompletableFuture<Void> done =
          log.synced(log.append(record(table(log, FIRST), "a")))
              .thenRun(this::noteThread)
              .toCompletableFuture();
      syncing.countDown();
      refused.acquire(2);
      log.sync();
      assertThat(done).isNotDone();
      isRefusing = false;
      done.join();
    }
    assertThat(ran).containsExactly("callbacks");
    assertThat(replay(disk).texts).containsExactly("1:a");
  }

  @Test
  void aStageForWhichThereNeverIsAThreadIsDoneByWhoClosesTheLog() throws Exception {
    CompletableFuture<Void> done;
    try (CommitLog log = open()) {
      done =
          log.synced(log.append(record(table(log, FIRST), "a")))
              .thenRun(this::noteThread)
              .toCompletableFuture();
      syncing.countDown();
      refused.acquire(1);
    }
    assertThat(done).isCompleted();
    assertThat(ran).containsExactly(Thread.currentThread().getName());
  }

  @Test
  void whoeverCannotBeToldOfAFailureAtOnceIsToldLater() throws Exception {
    Fault bad =
        Fault.on(Operation.SYNC)
            .call(2)
            .runs(
                "fails",
                () -> {
                  awaitDependent();
                  throw new IllegalStateException("bad disk");
                });
    bench.setExecutors(this::execute, this::execute);
    try (CommitLog log =
        bench.openThreaded(leaks.watch(new FaultyDirectory(disk, 1, bad)), options)) {
      CompletableFuture<Void> done =
          log.synced(log.append(record(table(log, FIRST), "a")))
              .whenComplete((nothing, failure) -> noteThread())
              .toCompletableFuture();
      syncing.countDown();
      refused.acquire(3);
      assertThat(done).isNotDone();
      assertThat(bench.failures).isEmpty();
      isRefusing = false;
      assertThatThrownBy(done::join)
          .isInstanceOf(CompletionException.class)
          .hasRootCauseMessage("bad disk");
    }
    pool.shutdown();
    assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(ran).containsExactly("callbacks");
    assertThat(bench.failures).hasSize(1);
  }
}
