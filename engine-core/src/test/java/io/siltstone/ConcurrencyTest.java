package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Condition;
import io.siltstone.mutation.Mutation;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many threads read, write and flush one database. Each write to a partition puts its number into
 * two rows and a static column, which must agree in every read; and every read gives at least what
 * was acknowledged before it began. Enlarged with {@code -Dsiltstone.scale=N}.
 */
class ConcurrencyTest {
  private static final int WRITERS = 3;
  private static final int READERS = 3;
  private static final int WRITES = 100 * Integer.getInteger("siltstone.scale", 1);
  private static final int PARTITIONS_OF_A_WRITER = 5;
  private static final int PARTITIONS = WRITERS * PARTITIONS_OF_A_WRITER;
  private static final int FIRST = 1;
  private static final int LAST = 1000;

  private static DatabaseOptions options(SyncMode mode) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .memtableBytes(4 << 20)
        .chunkCacheBytes(1 << 20)
        .memoryBytes(256 << 20)
        .commitLog(
            CommitLogOptions.builder()
                .syncMode(mode)
                .groupWindow(Duration.ofNanos(1))
                .segmentBytes(64 << 10)
                .totalSpaceBytes(256 << 10)
                .bufferBytes(64 << 10)
                .build())
        .build();
  }

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void partitionsAreAtomicAndNothingAcknowledgedIsMissing(SyncMode mode) throws Exception {
    SimulatedDisk disk = new SimulatedDisk();
    AtomicIntegerArray acknowledged = new AtomicIntegerArray(PARTITIONS);
    SimulatedDisk found;
    Database database = Database.open(disk, options(mode));
    try {
      Table table =
          database.createTable(
              "CREATE TABLE ks.t (k int, c int, s int static, v int, pad text,"
                  + " PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)");
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        AtomicBoolean written = new AtomicBoolean();
        List<Future<?>> others = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          int reader = i;
          others.add(threads.submit(looped(written, () -> read(table, acknowledged, reader))));
        }
        others.add(threads.submit(looped(written, () -> scan(table, acknowledged))));
        others.add(threads.submit(looped(written, table::flush)));
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int writer = i;
          writers.add(threads.submit(() -> write(database, table, acknowledged, writer)));
        }
        try {
          for (Future<?> writer : writers) {
            writer.get();
          }
        } finally {
          written.set(true);
        }
        for (Future<?> other : others) {
          other.get();
        }
      } finally {
        threads.shutdownNow();
      }
      scan(table, acknowledged);
      if (mode == SyncMode.PERIODIC) {
        database.sync();
      }
    } finally {
      found = disk.powerLoss(mode.name().length());
      closeWithoutDisk(database);
    }
    try (Database reopened = Database.open(found, options(mode))) {
      scan(reopened.table("ks", "t"), acknowledged);
    }
  }

  private static void closeWithoutDisk(Database database) {
    try {
      database.close();
    } catch (IOException e) {
      assertThat(e.getSuppressed()).allMatch(IOException.class::isInstance);
    }
  }

  /** Something that is done once and again until the writers have ended. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private static Callable<Integer> looped(AtomicBoolean end, Work work) {
    return () -> {
      int rounds = 0;
      while (!end.get()) {
        work.run();
        rounds++;
      }
      return rounds;
    };
  }

  /** Each partition has one writer, so that it knows what it wrote last. */
  private static Integer write(
      Database database, Table table, AtomicIntegerArray acknowledged, int writer)
      throws IOException {
    SplittableRandom random = new SplittableRandom(writer);
    String pad = "x".repeat(200);
    for (int i = 1; i <= WRITES; i++) {
      int key = writer * PARTITIONS_OF_A_WRITER + random.nextInt(PARTITIONS_OF_A_WRITER);
      int number = acknowledged.get(key) + 1;
      Mutation mutation =
          table
              .mutation(key)
              .set("s", number)
              .insert(FIRST)
              .set("v", number)
              .set("pad", pad)
              .insert(LAST)
              .set("v", number)
              .build();
      switch (random.nextInt(4)) {
        case 0 -> {
          CompletableFuture<Void> synced = table.writeAsync(mutation).toCompletableFuture();
          synced.join();
        }
        case 1 -> database.write(Batch.of(mutation));
        case 2 -> {
          Condition condition =
              number == 1 ? Condition.notExists() : Condition.equal("v", number - 1);
          assertThat(table.writeIf(mutation, List.of(LAST), condition))
              .as("write %d of %d is conditional on the one before", number, key)
              .isTrue();
        }
        default -> table.write(mutation);
      }
      acknowledged.set(key, number);
    }
    return WRITES;
  }

  private static void read(Table table, AtomicIntegerArray acknowledged, int reader)
      throws IOException {
    SplittableRandom random = new SplittableRandom(reader);
    for (int i = 0; i < PARTITIONS; i++) {
      int key = random.nextInt(PARTITIONS);
      int least = acknowledged.get(key);
      Query.Builder query = table.query().partition(key);
      if (random.nextBoolean()) {
        query.reversed();
      }
      if (random.nextBoolean()) {
        query.rows(ClusteringRange.of(FIRST), ClusteringRange.of(LAST));
      }
      try (LiveRows rows = table.read(query.build())) {
        check(key, rows, least);
      }
    }
  }

  private static void check(int key, LiveRows rows, int least) {
    int number = 0;
    int count = 0;
    while (rows.hasNext()) {
      Row row = rows.next();
      number = count++ == 0 ? row.getInt("s") : number;
      assertThat(List.of(row.getInt("s"), row.getInt("v")))
          .as("partition %d", key)
          .containsOnly(number);
    }
    assertThat(count).as("rows of partition %d", key).isEqualTo(number == 0 ? 0 : 2);
    assertThat(number).as("partition %d", key).isGreaterThanOrEqualTo(least);
  }

  private static void scan(Table table, AtomicIntegerArray acknowledged) throws IOException {
    int[] least = new int[PARTITIONS];
    for (int key = 0; key < PARTITIONS; key++) {
      least[key] = acknowledged.get(key);
    }
    int[] found = new int[PARTITIONS];
    int[] counts = new int[PARTITIONS];
    try (LiveRows rows = table.read(table.query().build())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        int key = row.getInt("k");
        found[key] = counts[key]++ == 0 ? row.getInt("s") : found[key];
        assertThat(List.of(row.getInt("s"), row.getInt("v")))
            .as("partition %d", key)
            .containsOnly(found[key]);
      }
    }
    for (int key = 0; key < PARTITIONS; key++) {
      assertThat(counts[key]).as("rows of partition %d", key).isEqualTo(found[key] == 0 ? 0 : 2);
      assertThat(found[key]).as("partition %d", key).isGreaterThanOrEqualTo(least[key]);
    }
  }
}
