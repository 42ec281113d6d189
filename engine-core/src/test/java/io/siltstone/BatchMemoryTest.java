package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.memtable.Memtable;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.rows.LiveRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of which the parts go to several shards, where memory is short. */
@Timeout(120)
class BatchMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int MEMORY = 5 * MIB;
  private static final int MEMTABLES = 2 * MIB;
  private static final int LOG_BUFFER = 64 << 10;

  /** What memtables can have at most: all but the log's buffer and what flushes need. */
  private static final int MOST = MEMORY - LOG_BUFFER - MIB;

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .memoryBytes(MEMORY)
        .memtableBytes(MEMTABLES)
        .chunkCacheBytes(0)
        .keyCacheBytes(0)
        .compaction(Compaction.none())
        .commitLog(
            CommitLogOptions.builder().bufferBytes(LOG_BUFFER).segmentBytes(64 * MIB).build());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 15, 16, 17, 33})
  void aBatchOfAnyNumberOfPartsIsWrittenOrRefusedAtEachLimit(int parts) throws IOException {
    // What is refused because of what readers may give back takes a while; the middle has none.
    int[] sizes = {
      MEMTABLES / 2 - 100,
      MEMTABLES / 2 + 100,
      MEMTABLES - 1000,
      MEMTABLES,
      MEMTABLES + 1000,
      MOST - MIB,
      MOST - (128 << 10),
      MOST + 1,
      MOST + MIB,
      2 * MOST
    };
    try (Database database = Database.open(new MemoryDirectory(), options().build())) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v blob)");
      for (int size : sizes) {
        Batch batch = batch(table, parts, size);
        if (size > MOST) {
          assertThatThrownBy(() -> database.write(batch))
              .as("%d parts, %d bytes", parts, size)
              .isInstanceOf(OutOfBudgetException.class)
              .hasMessageContaining("at once")
              .hasMessageContaining("at most " + MOST);
        } else {
          database.write(batch);
        }
        // Nothing of it is left that keeps others from writing.
        table.write(table.mutation(-1).insert().set("v", new byte[size % 1000]).build());
        assertThat(count(table)).isEqualTo(size > MOST ? 1 : parts + 1);
        table.truncate();
      }
    }
  }

  /** Refused for good only if what other users of memory give back would not be enough, either. */
  @Test
  void whatOthersKeepIsWaitedForAndThenTold() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), options().build())) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v blob)");
      table.write(table.mutation(-1).insert().set("v", new byte[MIB]).build());
      Batch batch = batch(table, 4, MOST - MIB / 2);
      try (LiveRows rows = table.read(table.query().build())) {
        // Its snapshot has the memtable.
        assertThat(rows.next()).isNotNull();
        assertThatThrownBy(() -> database.write(batch))
            .isInstanceOf(OutOfBudgetException.class)
            .hasMessageContaining("memtables");
      }
      database.write(batch);
      assertThat(count(table)).isEqualTo(5);
    }
  }

  @Test
  void aBatchOfTwoTablesIsWrittenAfterFlushesOfBoth() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), options().build())) {
      Table one = database.createTable("CREATE TABLE w.one (k int PRIMARY KEY, v blob)");
      Table two = database.createTable("CREATE TABLE w.two (k int PRIMARY KEY, v blob)");
      one.write(one.mutation(-1).insert().set("v", new byte[MEMTABLES / 2 - 5000]).build());
      two.write(two.mutation(-1).insert().set("v", new byte[MEMTABLES / 2 - 5000]).build());
      List<Mutation> mutations = new ArrayList<>(batch(one, 3, MOST / 2 - 100_000).mutations());
      mutations.addAll(batch(two, 3, MOST / 2 - 100_000).mutations());
      database.write(new Batch(mutations));
      assertThat(count(one)).isEqualTo(4);
      assertThat(count(two)).isEqualTo(4);
    }
  }

  /** By default, where a segment of the log has 32 MiB. */
  @Test
  void aBatchLargerThanASegmentIsOneRecord() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(512L * MIB)
            .memtableBytes(128L * MIB)
            .compaction(Compaction.none())
            .build();
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v blob)");
      table.write(table.mutation(-1).insert().set("v", new byte[10]).build());
      database.write(batch(table, 200, 62 * MIB));
      table.write(table.mutation(-2).insert().set("v", new byte[10]).build());
      // Reads what the log has, as the next process would after a crash.
      DatabaseOptions reading = options.toBuilder().readOnly(true).build();
      try (Database replayed = Database.open(disk, reading)) {
        assertThat(count(replayed.table("w", "t"))).isEqualTo(202);
      }
      database.flush();
      assertThat(count(table)).isEqualTo(202);
    }
  }

  @Test
  void manySmallMutationsInLittleMemoryAreRefusedOrWritten() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), options().build())) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      int written = 0;
      for (int parts = 4_000; parts <= 64_000; parts *= 2) {
        List<Mutation> mutations = new ArrayList<>(parts);
        for (int i = 0; i < parts; i++) {
          mutations.add(table.mutation(i).insert().set("v", i).build());
        }
        try {
          database.write(new Batch(mutations));
          written = parts;
        } catch (OutOfBudgetException e) {
          assertThat(e).hasMessageContaining("at once");
        }
        assertThat(count(table)).isEqualTo(written);
      }
      assertThat(written).isBetween(4_000, 32_000);
    }
  }

  @Test
  void batchesEndBesideOtherWritersAndWhileTheDatabaseIsClosed() throws Exception {
    Database database = Database.open(new MemoryDirectory(), options().build());
    Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v blob)");
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger small = new AtomicInteger();
    AtomicInteger large = new AtomicInteger();
    CountDownLatch some = new CountDownLatch(6);
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int w = 0; w < 3; w++) {
      int first = 1000 * (w + 1);
      writers.add(
          running(
              () -> {
                for (int i = 0; !isOver.get(); i++) {
                  table.write(
                      table.mutation(first + i % 50).insert().set("v", new byte[20_000]).build());
                  small.incrementAndGet();
                }
              }));
    }
    writers.add(
        running(
            () -> {
              while (!isOver.get()) {
                database.write(batch(table, 7, MOST - 600_000));
                large.incrementAndGet();
                some.countDown();
                assertThatThrownBy(() -> database.write(batch(table, 7, MOST + 10)))
                    .isInstanceOfAny(OutOfBudgetException.class, IllegalStateException.class);
              }
            }));
    some.await();
    database.close();
    isOver.set(true);
    for (CompletableFuture<Void> writer : writers) {
      try {
        writer.get();
      } catch (ExecutionException e) {
        assertThat(e.getCause()).hasMessageContaining("closed");
      }
    }
    assertThat(large.get()).isGreaterThanOrEqualTo(6);
    assertThat(small.get()).isPositive();
  }

  private interface Action {
    void run() throws IOException;
  }

  private static CompletableFuture<Void> running(Action action) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                action.run();
                end.complete(null);
              } catch (Throwable e) {
                end.completeExceptionally(e);
              }
            })
        .start();
    return end;
  }

  /** A batch that takes so many bytes of empty memtables, about, in as many shards as there are. */
  private static Batch batch(Table table, int parts, int bytes) {
    List<Mutation> mutations = new ArrayList<>();
    int key = 0;
    for (int part = 0; part < parts; part++) {
      // Each in another shard, as long as there are some left.
      Mutation mutation;
      do {
        mutation = table.mutation(key++).insert().build();
      } while (Memtable.shardOf(MutationFactory.keyOf(mutation), 16) != part % 16);
      int share = bytes / parts - 200;
      mutations.add(table.mutation(key - 1).insert().set("v", new byte[share]).build());
    }
    return new Batch(mutations);
  }

  private static int count(Table table) throws IOException {
    int count = 0;
    try (LiveRows rows = table.read(table.query().build())) {
      while (rows.hasNext()) {
        rows.next();
        count++;
      }
    }
    return count;
  }
}
