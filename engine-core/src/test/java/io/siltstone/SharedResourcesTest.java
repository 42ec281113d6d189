package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.MemoryKind;
import io.siltstone.model.Contents;
import io.siltstone.rows.LiveRows;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.threads.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several databases that share memory and threads. */
class SharedResourcesTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 61);
  private static final long MIB = 1 << 20;
  private static final String TABLE = "CREATE TABLE IF NOT EXISTS w.t (k int PRIMARY KEY, v blob)";
  private static final CommitLogOptions SMALL_LOG =
      CommitLogOptions.builder().bufferBytes(64 << 10).build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static SharedResources.Builder small() {
    return SharedResources.builder()
        .memoryBytes(32 * MIB)
        .memtableBytes(4 * MIB)
        .chunkCacheBytes(MIB)
        .compaction(Compaction.none());
  }

  private static DatabaseOptions options(SharedResources shared) {
    return DatabaseOptions.builder().sharedResources(shared).commitLog(SMALL_LOG).build();
  }

  private static void write(Database database, int from, int to, int bytes) throws IOException {
    Table table = database.createTable(TABLE);
    for (int i = from; i < to; i++) {
      table.write(table.mutation(i).insert().set("v", ByteBuffer.allocate(bytes)).build());
    }
  }

  private static Directory disk(String name) throws IOException {
    return new MemoryDirectory().directory(name);
  }

  private static int rows(Database database) throws IOException {
    return Contents.of(database.table("w", "t")).size();
  }

  private static long threads(String part) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(part))
        .count();
  }

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void databasesUnderLoadHaveOneLimitAndOneSetOfThreads(SyncMode mode) throws Exception {
    int count = 4;
    int rows = 500 * SCALE;
    List<Directory> disks = new ArrayList<>();
    try (SharedResources shared = small().build()) {
      DatabaseOptions options =
          options(shared).toBuilder()
              .commitLog(CommitLogOptions.builder().bufferBytes(64 << 10).syncMode(mode).build())
              .build();
      List<Database> databases = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Directory disk = disk("shared-database-" + i);
        disks.add(disk);
        databases.add(Database.open(disk, options));
      }
      inParallel(
          databases,
          (database, index) -> write(database, 0, mode == SyncMode.GROUP ? 20 : rows, 1000));
      assertThat(threads("shared-database-")).isZero();
      assertThat(shared.databases()).hasSize(count);
      assertThat(shared.memoryInUse().get(MemoryKind.MEMTABLE)).isLessThanOrEqualTo(5 * MIB);
      // A flush that ends between the two looks would make them differ.
      for (Database database : databases) {
        database.flush();
        Table table = database.table("w", "t");
        table.write(table.mutation(0).insert().set("v", ByteBuffer.allocate(1)).build());
      }
      long sum = 0;
      for (Database database : databases) {
        sum += database.statistics().offHeap().bytesByKind().getOrDefault(MemoryKind.MEMTABLE, 0L);
      }
      assertThat(shared.memoryInUse().get(MemoryKind.MEMTABLE)).isEqualTo(sum).isPositive();
      for (Database database : databases) {
        assertThat(rows(database)).isEqualTo(mode == SyncMode.GROUP ? 20 : rows);
      }
      Collections.shuffle(databases, new Random(SEED));
      for (Database database : databases) {
        database.close();
      }
      assertThat(shared.memoryInUse().values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(shared.memoryInUse().get(MemoryKind.CHUNK_CACHE));
    }
    for (Directory disk : disks) {
      try (Database database =
          Database.open(disk, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
        assertThat(rows(database)).isPositive();
      }
    }
  }

  private interface Work {
    void run(Database database, int index) throws IOException;
  }

  private static void inParallel(List<Database> databases, Work work) throws Exception {
    ExecutorService users = Executors.newCachedThreadPool();
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (Database database : databases) {
        tasks.add(
            () -> {
              work.run(database, databases.indexOf(database));
              return null;
            });
      }
      for (Future<Void> task : users.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      users.shutdown();
    }
  }

  @Test
  void resourcesAreClosedAfterTheirDatabases() throws IOException {
    SharedResources shared = small().build();
    Database first = Database.open(disk("first"), options(shared));
    Database second = Database.open(disk("second"), options(shared));
    assertThatThrownBy(shared::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("memory:/first, memory:/second");
    first.close();
    write(second, 0, 10, 10);
    assertThatThrownBy(shared::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("/second");
    second.close();
    shared.close();
    shared.close();
    assertThatThrownBy(() -> Database.open(disk("third"), options(shared)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("third")
        .hasMessageContaining("closed");
  }

  @Test
  void aDatabaseThatCannotBeOpenedDoesNotUseThem() throws IOException {
    try (SharedResources shared = small().build()) {
      MemoryDirectory strange = new MemoryDirectory();
      strange.directory("something");
      assertThatThrownBy(() -> Database.open(strange, options(shared)))
          .isInstanceOf(IOException.class);
      MemoryDirectory disk = new MemoryDirectory();
      FaultyDirectory broken =
          new FaultyDirectory(
              disk, SEED, Fault.on(Operation.CREATE).files("*.log").fails("no more files"));
      assertThatThrownBy(() -> Database.open(broken, options(shared)))
          .isInstanceOf(IOException.class);
      assertThat(shared.databases()).isEmpty();
      Database.open(disk, options(shared)).close();
    }
  }

  @Test
  void offlineTablesShareTheMemory() throws IOException {
    Directory disk = disk("db");
    try (Database database =
        Database.open(disk, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      write(database, 0, 500, 100);
      database.flush();
    }
    Directory keyspace = disk.directory("data").directory("w");
    Directory files = keyspace.directory(keyspace.directories().get(0));
    SharedResources shared = small().build();
    DatabaseOptions reading =
        DatabaseOptions.builder().readOnly(true).sharedResources(shared).build();
    long threads = Thread.getAllStackTraces().size();
    List<OfflineTable> open = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      OfflineTable table = OfflineTable.open(files, null, null, reading);
      open.add(table);
      try (LiveRows rows = table.read(table.query().build())) {
        assertThat(rows.stream().count()).isEqualTo(500);
      }
      assertThat(shared.databases()).hasSize(i);
    }
    assertThat(Thread.getAllStackTraces()).hasSizeLessThanOrEqualTo((int) threads + 1);
    long three = shared.memoryInUse().values().stream().mapToLong(Long::longValue).sum();
    assertThat(three).isPositive();
    assertThatThrownBy(shared::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(files.path());
    open.remove(0).close();
    assertThat(shared.memoryInUse().values().stream().mapToLong(Long::longValue).sum())
        .isLessThan(three);
    assertThatThrownBy(() -> OfflineTable.open(disk, null, null, reading))
        .isInstanceOf(IOException.class);
    Directory broken =
        new FaultyDirectory(
            files, SEED, Fault.on(Operation.OPEN).files("*-Data.db").fails("it is away"));
    assertThatThrownBy(() -> OfflineTable.open(broken, null, null, reading))
        .isInstanceOf(IOException.class);
    assertThat(shared.databases()).hasSize(2);
    for (OfflineTable each : open) {
      each.close();
    }
    assertThat(shared.databases()).isEmpty();
    shared.close();
    assertThatThrownBy(() -> OfflineTable.open(files, null, null, reading))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the shared resources of its options are closed");
  }

  @Test
  void optionsThatTheResourcesHaveAreRefusedBesideThem() throws IOException {
    try (SharedResources shared = small().flushThreads(3).build()) {
      assertThatThrownBy(
              () ->
                  DatabaseOptions.builder()
                      .sharedResources(shared)
                      .memoryBytes(64 * MIB)
                      .flushThreads(1)
                      .build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("memoryBytes 67108864, allowed only without sharedResources")
          .hasMessageContaining("flushThreads 1");
      assertThat(options(shared).flushThreads()).isEqualTo(3);
      assertThat(options(shared).memtableBytes()).isEqualTo(4 * MIB);
      assertThat(options(shared).toBuilder().build().sharedResources()).isSameAs(shared);
    }
    assertThatThrownBy(() -> SharedResources.builder().memtableBytes(1).flushThreads(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memtableBytes 1")
        .hasMessageContaining("flushThreads 0");
  }

  @Test
  void aGreedyDatabaseIsFlushedAndTheOthersGoOn() throws Exception {
    try (SharedResources shared = small().build();
        Database greedy = Database.open(disk("greedy"), options(shared));
        Database modest = Database.open(disk("modest"), options(shared))) {
      AtomicBoolean isOver = new AtomicBoolean();
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = 0; !isOver.get(); i += 100) {
                    write(greedy, i, i + 100, 4000);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      write(modest, 0, 1000, 50);
      isOver.set(true);
      load.get(1, TimeUnit.MINUTES);
      // The modest database never has the largest memtable, so it has not been flushed.
      assertThat(modest.table("w", "t").statistics().sstables().count()).isZero();
      assertThat(modest.table("w", "t").statistics().memtable().partitions()).isEqualTo(1000);
    }
  }

  @Test
  void aDatabaseWhoseFlushesFailTakesNoOtherDown() throws IOException {
    Fault fault = Fault.on(Operation.CREATE).files("*-Data.db*").fails("the disk is broken");
    Directory disk = disk("broken");
    try (SharedResources shared = small().build()) {
      Database good = Database.open(disk("good"), options(shared));
      Database broken = Database.open(new FaultyDirectory(disk, SEED, fault), options(shared));
      assertThatThrownBy(() -> write(broken, 0, 10_000, 1000)).isInstanceOf(IOException.class);
      // Several times what memtables may have.
      write(good, 0, 8_000, 1000);
      assertThat(rows(good)).isEqualTo(8_000);
      assertThat(good.state()).isEqualTo(DatabaseState.OPEN);
      assertThatThrownBy(broken::close).isInstanceOf(IOException.class);
      write(good, 8_000, 9_000, 1000);
      good.close();
    }
    // Nothing is lost: the rows are in the log.
    try (Database database =
        Database.open(disk, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      assertThat(rows(database)).isPositive();
    }
  }

  @Test
  void aFailedLogEndsOneDatabaseOnly() throws IOException {
    try (SharedResources shared = small().build();
        Database good = Database.open(disk("good"), options(shared))) {
      // The first sync is that of the opening.
      Fault fault = Fault.on(Operation.SYNC).files("*.log").fromCall(2).fails("the disk is broken");
      Database broken =
          Database.open(new FaultyDirectory(new MemoryDirectory(), SEED, fault), options(shared));
      assertThatThrownBy(
              () -> {
                write(broken, 0, 1, 1);
                broken.sync();
              })
          .isInstanceOf(IOException.class);
      assertThat(broken.state()).isEqualTo(DatabaseState.STOPPED);
      write(good, 0, 1000, 100);
      good.sync();
      good.flush();
      assertThat(good.state()).isEqualTo(DatabaseState.OPEN);
      assertThatThrownBy(broken::close).isInstanceOf(IOException.class);
    }
  }

  /** Returns options by which writes are synced when that is asked for. */
  private static DatabaseOptions late(SharedResources shared) {
    return options(shared).toBuilder()
        .commitLog(
            CommitLogOptions.builder()
                .bufferBytes(64 << 10)
                .syncMode(SyncMode.GROUP)
                .groupWindow(Duration.ofMinutes(10))
                .build())
        .build();
  }

  @Test
  void aWaitingCallbackHoldsUpNoOtherDatabase() throws Exception {
    try (SharedResources shared = small().build();
        Database first = Database.open(disk("a"), late(shared));
        Database second = Database.open(disk("b"), late(shared))) {
      Table one = first.createTable(TABLE);
      Table other = second.createTable(TABLE);
      CountDownLatch released = new CountDownLatch(1);
      CompletableFuture<Void> waiting =
          one.writeAsync(one.mutation(1).insert().build())
              .thenRun(() -> Uninterruptibles.await(released))
              .toCompletableFuture();
      CompletableFuture<Void> free =
          other
              .writeAsync(other.mutation(1).insert().build())
              .thenRun(released::countDown)
              .toCompletableFuture();
      first.sync();
      second.sync();
      free.get(1, TimeUnit.MINUTES);
      waiting.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void readersAndWritersOfOneDatabaseShareThemToo() throws IOException {
    Directory disk = disk("one");
    try (SharedResources shared = small().build()) {
      DatabaseOptions options = options(shared);
      try (Database writer = Database.open(disk, options)) {
        write(writer, 0, 100, 100);
        try (Database reader = Database.open(disk, options.toBuilder().readOnly(true).build())) {
          assertThat(rows(reader)).isEqualTo(100);
        }
        write(writer, 100, 200, 100);
        assertThat(rows(writer)).isEqualTo(200);
      }
    }
  }
}
