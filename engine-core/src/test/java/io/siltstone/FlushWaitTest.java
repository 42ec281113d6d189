package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for a flush does nothing else meanwhile. */
@Timeout(20)
class FlushWaitTest {
  private final AtomicReference<Thread> waiting = new AtomicReference<>();
  private final Queue<String> done = new ConcurrentLinkedQueue<>();

  /** Holds the flush up until the one who asked for it waits, or has gone on. */
  private final EngineListener holdingUp =
      new EngineListener() {
        @Override
        public void flushStarted(FlushStarted event) {
          Thread thread = waiting.get();
          while (thread != null
              && thread.getState() != Thread.State.WAITING
              && !done.contains("other task")) {
            Thread.onSpinWait();
          }
        }
      };

  @Test
  void aThreadOfTheCommonPoolRunsNoOtherTaskWhileItWaits() throws Exception {
    int workers = ForkJoinPool.getCommonPoolParallelism();
    assertThat(workers).as("workers, which the build sets").isGreaterThan(1);
    DatabaseOptions options =
        DatabaseOptions.builder().compaction(Compaction.none()).listener(holdingUp).build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY)");
      table.write(table.mutation(1).insert().build());
      CountDownLatch busy = new CountDownLatch(workers - 1);
      CountDownLatch release = new CountDownLatch(1);
      for (int i = 1; i < workers; i++) {
        var unused = CompletableFuture.runAsync(() -> occupy(busy, release));
      }
      busy.await();
      CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(database));
      try {
        // Not a task of the pool itself: get() of this thread may not help it.
        while (!done.contains("flush")) {
          Thread.onSpinWait();
        }
      } finally {
        release.countDown();
      }
      flush.get();
    }
    assertThat(done.poll()).isEqualTo("flush");
  }

  private static void occupy(CountDownLatch busy, CountDownLatch release) {
    busy.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void flush(Database database) {
    // Nobody else takes it, as the others are busy.
    var unused = CompletableFuture.runAsync(() -> done.add("other task"));
    waiting.set(Thread.currentThread());
    try {
      database.flush();
      done.add("flush");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
