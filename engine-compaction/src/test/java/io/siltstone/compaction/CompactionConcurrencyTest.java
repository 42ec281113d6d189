package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.model.Contents;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads write, delete, read, flush, alter, truncate, drop and compact one database, pause,
 * resume and cancel its compaction, and it is closed meanwhile. A partition has one row, whose
 * clustering is the number of its last write: that write also deletes the row of the write before,
 * which is purged soon after. Enlarged with {@code -Dsiltstone.scale=N}.
 */
class CompactionConcurrencyTest {
  private static final int WRITERS = 2;
  private static final int PARTITIONS_OF_A_WRITER = 6;
  private static final int PARTITIONS = WRITERS * PARTITIONS_OF_A_WRITER;
  private static final int MOST_SSTABLES = 32;
  private static final int WRITES = 1500 * Integer.getInteger("siltstone.scale", 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());
  private volatile boolean isClosing;
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(PARTITIONS);

  private static CompactionService service(int compactors) {
    return new CompactionService(
        CompactionOptions.builder()
            .bytesPerSecond(0)
            .compactors(compactors)
            .pipelineThreads(compactors - 1)
            .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
            .build());
  }

  private static DatabaseOptions options(CompactionService service) {
    return DatabaseOptions.builder()
        .compaction(service)
        .memtableBytes(1 << 20)
        .chunkCacheBytes(1 << 20)
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void allAtOnceIsAsOneAfterTheOther(int compactors) throws Exception {
    CompactionService service = service(compactors);
    AtomicBoolean isOver = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> others = new ArrayList<>();
      try (Database database = Database.open(disk, options(service))) {
        Table table =
            database.createTable(
                "CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c))"
                    + " WITH gc_grace_seconds = 0");
        Table other = database.createTable("CREATE TABLE ks.o (k int PRIMARY KEY, v text)");
        others.add(threads.submit(looped(isOver, random -> read(table))));
        others.add(threads.submit(looped(isOver, random -> flush(table))));
        others.add(threads.submit(looped(isOver, random -> alter(database, random))));
        others.add(threads.submit(looped(isOver, random -> ask(table, random))));
        others.add(threads.submit(looped(isOver, random -> comeAndGo(database, other, random))));
        for (int i = 0; i < 2; i++) {
          others.add(threads.submit(looped(isOver, random -> steer(service, random))));
        }
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int writer = i;
          writers.add(threads.submit(() -> write(table, writer)));
        }
        try {
          for (Future<?> writer : writers) {
            writer.get(5, TimeUnit.MINUTES);
          }
          awaitAJob(service, others);
          requireAll(table);
          // The database is closed while the others go on, and they get an exception.
        } finally {
          isClosing = true;
        }
      } finally {
        isOver.set(true);
      }
      for (Future<?> each : others) {
        each.get(1, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(service.running()).isEmpty();
    for (CompactionRecord job : service.history()) {
      assertThat(job.failure() == null || job.failure() instanceof CancellationException)
          .as("%s", job)
          .isTrue();
    }
    assertThat(service.history()).filteredOn(CompactionRecord::isDone).isNotEmpty();
    leaks.requireNothingOpen();
    try (Database database = Database.open(disk, options(service(1)))) {
      requireAll(database.table("ks", "t"));
    }
  }

  /** Writers may be done before any job is; the others go on until one is, or one of them fails. */
  private static void awaitAJob(CompactionService service, List<Future<?>> others)
      throws InterruptedException {
    while (service.history().stream().noneMatch(CompactionRecord::isDone)
        && others.stream().noneMatch(Future::isDone)) {
      Thread.sleep(1);
    }
  }

  /** An action that a thread repeats until the database is closed. */
  @FunctionalInterface
  private interface Work {
    void run(Random random) throws Exception;
  }

  private Callable<Integer> looped(AtomicBoolean isOver, Work work) {
    return () -> {
      Random random = new Random(1);
      int rounds = 0;
      while (!isOver.get()) {
        try {
          work.run(random);
        } catch (Exception e) {
          if (!isClosing) {
            throw e;
          }
        }
        rounds++;
      }
      return rounds;
    };
  }

  private Integer write(Table table, int writer) throws IOException {
    Random random = new Random(writer);
    for (int i = 0; i < WRITES; i++) {
      int key = writer * PARTITIONS_OF_A_WRITER + random.nextInt(PARTITIONS_OF_A_WRITER);
      int number = acknowledged.get(key) + 1;
      table.write(
          table
              .mutation(key)
              .deleteRow(number - 1)
              .insert(number)
              .set("v", "x".repeat(random.nextInt(300)))
              .build());
      acknowledged.set(key, number);
    }
    return WRITES;
  }

  private void requireAll(Table table) throws IOException {
    read(table);
    assertThat(Contents.count(table))
        .isEqualTo(IntStream.range(0, PARTITIONS).filter(key -> acknowledged.get(key) > 0).count());
  }

  private void read(Table table) throws IOException {
    int[] least = new int[PARTITIONS];
    for (int key = 0; key < PARTITIONS; key++) {
      least[key] = acknowledged.get(key);
    }
    int[] found = new int[PARTITIONS];
    try (LiveRows rows = table.read(table.query().build())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        int key = row.getInt("k");
        assertThat(found[key]).as("another row of partition %d", key).isZero();
        found[key] = row.getInt("c");
      }
    }
    for (int key = 0; key < PARTITIONS; key++) {
      assertThat(found[key]).as("partition %d", key).isGreaterThanOrEqualTo(least[key]);
    }
  }

  /**
   * Flushes, unless compaction is far behind. On a slow machine SSTables would otherwise come
   * faster than jobs end, each job would take longer than the one before, and none might ever be
   * done.
   */
  private static void flush(Table table) throws Exception {
    if (table.statistics().sstables().count() < MOST_SSTABLES) {
      table.flush();
    } else {
      Thread.sleep(1);
    }
  }

  private static void alter(Database database, Random random) throws Exception {
    database.alterTable("ks", "t", "ALTER TABLE ks.t WITH " + RandomStrategies.draw(random));
    Thread.sleep(random.nextInt(20));
  }

  private static void ask(Table table, Random random) throws Exception {
    Operation[] all = {
      Operation.MAJOR, Operation.SCRUB, Operation.GARBAGE_COLLECT, Operation.SPLIT
    };
    var report =
        table.compact(
            CompactionRequest.of(all[random.nextInt(all.length)])
                .withOutputBytes(1 + random.nextInt(10_000)));
    if (random.nextBoolean()) {
      report.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }
    Thread.sleep(random.nextInt(20));
  }

  /**
   * Pauses, resumes and cancels. Every fourth job can be cancelled and no other one: if any job
   * could be, none might ever be done on a slow machine, and SSTables would pile up.
   */
  private static void steer(CompactionService service, Random random) throws Exception {
    switch (random.nextInt(4)) {
      case 0 -> service.pause();
      case 1 ->
          service.running().stream()
              .map(RunningCompaction::job)
              .filter(job -> job.hashCode() % 4 == 0)
              .limit(1)
              .forEach(service::cancel);
      default -> service.resume();
    }
    Thread.sleep(random.nextInt(10));
  }

  /**
   * Rows of another table, which is truncated, and of a third that is dropped while it is
   * compacted.
   */
  private static void comeAndGo(Database database, Table other, Random random) throws Exception {
    Table third = database.createTable("CREATE TABLE ks.third (k int PRIMARY KEY, v text)");
    for (int i = 0; i < 4; i++) {
      for (Table table : List.of(other, third)) {
        table.write(table.mutation(i).insert().set("v", "x").build());
        table.flush();
      }
    }
    var unused = other.compact(CompactionRequest.of(Operation.MAJOR));
    unused = third.compact(CompactionRequest.of(Operation.MAJOR));
    if (random.nextBoolean()) {
      Thread.sleep(random.nextInt(10));
    }
    other.truncate();
    assertThat(Contents.of(other)).isEmpty();
    database.dropTable("ks", "third");
  }
}
