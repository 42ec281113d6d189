package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Compactor;
import io.siltstone.spi.LiveSetChange;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteSlowdownTest {
  private final AtomicLong debt = new AtomicLong();
  private final BlockingQueue<EngineListener.WritesSlowed> events = new LinkedBlockingQueue<>();

  /** Has the debt that the test wants. */
  private final class Indebted implements Compactor {
    @Override
    public void check(TableSchema schema) {}

    @Override
    public void onChange(TableId table, LiveSetChange change) {}

    @Override
    public CompletionStage<CompactionReport> run(TableId table, CompactionRequest request) {
      return CompletableFuture.failedStage(new UnsupportedOperationException());
    }

    @Override
    public CompactionState state(TableId table) {
      return new CompactionState(0, 0, table.name().equals("done") ? 0 : debt.get());
    }

    @Override
    public void close() {}
  }

  private DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .compaction(host -> new Indebted())
        .listener(
            new EngineListener() {
              @Override
              public void writesSlowed(WritesSlowed event) {
                events.add(event);
              }
            });
  }

  @Test
  void writersAreSlowedWhileCompactionIsFarBehind() throws Exception {
    try (Database db =
        Database.open(new MemoryDirectory(), options().compactionDebtBytes(1000, 2000).build())) {
      Table table = db.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v blob)");
      debt.set(5000);
      EngineListener.WritesSlowed slowed = events.poll(30, TimeUnit.SECONDS);
      assertThat(slowed).isNotNull();
      assertThat(slowed.debtBytes()).isEqualTo(5000);
      assertThat(slowed.bytesPerSecond()).isEqualTo(1 << 20);
      long start = System.nanoTime();
      for (int key = 0; key < 3; key++) {
        table.write(table.mutation(key).insert().set("v", new byte[100_000]).build());
      }
      // Each but the first waits for those before: 100 KB at 1 MiB/s.
      assertThat(System.nanoTime() - start).isGreaterThan(2 * 90_000_000L);
      debt.set(0);
      EngineListener.WritesSlowed ended = events.poll(30, TimeUnit.SECONDS);
      assertThat(ended).isNotNull();
      assertThat(ended.bytesPerSecond()).isZero();
    }
  }

  @Test
  void aBatchIsSlowedForEachOfItsTables() throws Exception {
    try (Database db =
        Database.open(new MemoryDirectory(), options().compactionDebtBytes(1000, 2000).build())) {
      // Locks are taken, and tables asked, in the order of their ids.
      String id = " WITH id = 5a1c395e-b41f-11e5-9f22-ba0be0483c1";
      Table done = db.createTable("CREATE TABLE ks.done (k int PRIMARY KEY, v blob)" + id + 1);
      Table behind = db.createTable("CREATE TABLE ks.behind (k int PRIMARY KEY, v blob)" + id + 2);
      debt.set(5000);
      EngineListener.WritesSlowed slowed = events.poll(30, TimeUnit.SECONDS);
      assertThat(slowed).isNotNull();
      assertThat(slowed.table()).isEqualTo(behind.id());
      long start = System.nanoTime();
      for (int key = 0; key < 3; key++) {
        db.write(
            Batch.of(
                done.mutation(key).insert().build(),
                behind.mutation(key).insert().set("v", new byte[100_000]).build()));
      }
      assertThat(System.nanoTime() - start).isGreaterThan(2 * 90_000_000L);
    }
  }

  /** A writer that has to wait for more than the test may take. */
  private static Thread slowed(Table table, Queue<Throwable> failures) throws IOException {
    table.write(table.mutation(0).insert().set("v", new byte[60 << 20]).build());
    Thread writer =
        new Thread(
            () -> {
              try {
                table.write(table.mutation(1).insert().build());
              } catch (IOException | RuntimeException e) {
                failures.add(e);
              }
            });
    writer.start();
    while (writer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return writer;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void nobodyIsSlowedWhenTheTableEnds(boolean isDropped) throws Exception {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    MemoryDirectory root = new MemoryDirectory();
    DatabaseOptions options =
        options()
            .compactionDebtBytes(1000, 2000)
            .commitLog(CommitLogOptions.builder().segmentBytes(128 << 20).build())
            .build();
    Thread writer;
    try (Database db = Database.open(root, options)) {
      Table table = db.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v blob)");
      debt.set(5000);
      assertThat(events.poll(30, TimeUnit.SECONDS)).isNotNull();
      writer = slowed(table, failures);
      if (isDropped) {
        db.dropTable("ks", "t");
        writer.join();
      }
    }
    writer.join();
    if (isDropped) {
      assertThat(failures)
          .singleElement()
          .satisfies(failure -> assertThat(failure).hasMessageContaining("dropped"));
    } else {
      assertThat(failures).isEmpty();
      try (Database db = Database.open(root, options)) {
        assertThat(Contents.count(db.table("ks", "t"))).isEqualTo(2);
      }
    }
  }

  @Test
  void limitsMustGrow() {
    assertThatThrownBy(() -> options().compactionDebtBytes(5, 5).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("compactionDebtBytes 5 and 5");
  }
}
