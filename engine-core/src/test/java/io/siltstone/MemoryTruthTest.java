package io.siltstone;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.event.EngineListener;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.rows.LiveRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a database says of its memory is what the process holds, and its limits hold. */
class MemoryTruthTest {
  private static final long MIB = 1 << 20;
  private static final String TABLE = "CREATE TABLE w.t (k int PRIMARY KEY, v blob)";

  @TempDir private Path temporary;

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().compaction(Compaction.none());
  }

  private static void write(Table table, int k, int bytes) throws IOException {
    byte[] value = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      value[i] = (byte) (k * 31 + i * i);
    }
    table.write(table.mutation(k).insert().set("v", ByteBuffer.wrap(value)).build());
  }

  @Test
  void whatIsToldIsWhatTheProcessHolds() throws IOException {
    assumeTrue(jvmCountsOurs(), "this JVM does not count such buffers");
    long before = Leftovers.directBytes();
    DatabaseOptions options =
        options().memtableBytes(96 * MIB).chunkCacheBytes(24 * MIB).memoryBytes(160 * MIB).build();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 5000; k++) {
          write(table, round * 5000 + k, 2000);
        }
        requireTruth(database, before);
        table.flush();
      }
      // The cache, and what is open beside it.
      for (int k = 0; k < 15_000; k++) {
        assertThat(table.get(table.query().partition(k).build())).isPresent();
      }
      requireTruth(database, before);
      for (int k = 0; k < 10_000; k++) {
        write(table, k, 2000);
      }
      try (LiveRows rows = table.read(table.query().build())) {
        rows.next();
        requireTruth(database, before);
      }
      requireTruth(database, before);
    }
    // What the JVM itself keeps for the channels of a thread.
    assertThat(Leftovers.directBytes() - before).isCloseTo(0, within(MIB / 2));
  }

  private static boolean jvmCountsOurs() {
    long before = Leftovers.directBytes();
    try (MemoryBudget budget = PooledMemory.unlimited();
        OffHeapBuffer buffer = budget.allocate(MemoryKind.MEMTABLE, 1 << 20)) {
      return Leftovers.directBytes() - before >= buffer.capacity();
    }
  }

  private static void requireTruth(Database database, long before) throws IOException {
    long told = database.statistics().offHeap().bytes();
    long held = Leftovers.directBytes() - before;
    assertThat(told).isGreaterThan(12 * MIB);
    assertThat(held).isCloseTo(told, Percentage.withPercentage(5));
  }

  /** Notes the most that memtables had when a writer had to wait. */
  private static final class Stalls implements EngineListener {
    final AtomicLong count = new AtomicLong();

    @Override
    public void writeStalled(WriteStalled event) {
      count.incrementAndGet();
    }
  }

  /** What one of several writers does. */
  private interface Writing {
    void run(int writer) throws Exception;
  }

  /** Begins writers that note why they end. */
  private static List<Thread> start(int writers, Queue<Throwable> failures, Writing writing) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      int writer = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  writing.run(writer);
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    return threads;
  }

  /** The least that is allowed. */
  private DatabaseOptions leastMemory() {
    int buffer = 64 << 10;
    return options()
        .memtableBytes(MIB)
        .chunkCacheBytes(0)
        .memoryBytes(2 * MIB + buffer)
        .commitLog(CommitLogOptions.builder().bufferBytes(buffer).build())
        .build();
  }

  @Test
  void writersWaitBeforeTheLimitIsExceeded() throws Exception {
    int writers = 8;
    Stalls stalls = new Stalls();
    DatabaseOptions options =
        options()
            .memtableBytes(4 * MIB)
            .chunkCacheBytes(0)
            .memoryBytes(24 * MIB)
            .listener(stalls)
            .build();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicLong most = new AtomicLong();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      Table other = database.createTable("CREATE TABLE w.u (k int PRIMARY KEY, v blob)");
      List<Thread> threads =
          start(
              writers,
              failures,
              writer -> {
                for (int i = 0; i < 400; i++) {
                  write(i % 3 == 0 ? other : table, i * writers + writer, 5000);
                  long used = database.statistics().memtables().bytes();
                  most.accumulateAndGet(used, Math::max);
                }
              });
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(Contents.count(table) + Contents.count(other)).isEqualTo(400L * writers);
    }
    assertThat(stalls.count).hasPositiveValue();
    // Each may have found room for a slab of 256 KiB of either table at the same time.
    assertThat(most.get()).isLessThanOrEqualTo(4 * MIB + writers * MIB / 2);
  }

  @Test
  void whoIsToldOfPressureCanWaitForTheFlushAndWriteWithoutBeingToldWithinItself()
      throws IOException {
    AtomicReference<Table> other = new AtomicReference<>();
    CountDownLatch flushing = new CountDownLatch(1);
    List<String> told = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void flushStarted(FlushStarted event) {
            flushing.countDown();
          }

          @Override
          public void memtablePressure(MemtablePressure event) {
            told.add("begins");
            try {
              told.add(flushing.await(10, TimeUnit.SECONDS) ? "flushes" : "does not flush");
              if (told.size() < 10) {
                // More than is enough for another flush.
                for (int k = 0; k < 2000; k++) {
                  write(requireNonNull(other.get()), k, 2000);
                }
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            told.add("ends");
          }
        };
    DatabaseOptions options =
        options()
            .memtableBytes(2 * MIB)
            .chunkCacheBytes(0)
            .memoryBytes(16 * MIB)
            .listener(listener)
            .build();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      other.set(database.createTable("CREATE TABLE ks.other (k int PRIMARY KEY, v blob)"));
      for (int k = 0; told.isEmpty(); k++) {
        write(table, k, 2000);
      }
      assertThat(told).containsExactly("begins", "flushes", "ends");
      assertThat(Contents.count(requireNonNull(other.get()))).isEqualTo(2000);
    }
  }

  @Test
  void whoHoldsAllMemtablesIsToldSoHoweverManyWaitAndOthersGoOnAfterwards() throws Exception {
    int writers = 3;
    DatabaseOptions options =
        options().memtableBytes(2 * MIB).chunkCacheBytes(0).memoryBytes(16 * MIB).build();
    Queue<LiveRows> held = new ConcurrentLinkedQueue<>();
    AtomicBoolean released = new AtomicBoolean();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      List<Thread> threads =
          start(
              writers,
              failures,
              writer -> {
                int first = writer * 5000;
                for (int k = 0; k < 5000 && !released.get(); k++) {
                  write(table, first + k, 2000);
                  if (k % 50 == 0) {
                    held.add(table.read(table.query().build()));
                  }
                }
              });
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(30));
      }
      boolean areWaiting = threads.stream().anyMatch(Thread::isAlive);
      int open = database.statistics().openHandles();
      released.set(true);
      for (LiveRows rows : held) {
        rows.close();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(areWaiting).isFalse();
      assertThat(failures)
          .hasSize(writers)
          .allSatisfy(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(OutOfBudgetException.class)
                      .hasMessageContaining("snapshots"));
      assertThat(open).isEqualTo(held.size());
      assertThat(database.statistics().readOnlyReason()).isNull();
      for (int k = 0; k < 2000; k++) {
        write(table, k, 2000);
      }
      assertThat(Contents.count(table)).isGreaterThanOrEqualTo(2000);
    }
  }

  /** With less, a memtable would leave no room to the flush that alone can free it. */
  @Test
  void theLeastMemoryThatIsAllowedIsEnoughToWrite() throws IOException {
    DatabaseOptions options = leastMemory();
    assertThatThrownBy(() -> options.toBuilder().memoryBytes(options.memoryBytes() - 1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("flush");
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      for (int k = 0; k < 3000; k++) {
        write(table, k, 1000);
      }
    }
    try (Database database = Database.open(temporary, options().build())) {
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(3000);
    }
  }

  @Test
  void largeWritesAtOnceLeaveToAFlushWhatItNeeds() throws Exception {
    int writers = 6;
    DatabaseOptions options = leastMemory();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      List<Thread> threads =
          start(
              writers,
              failures,
              writer -> {
                int first = writer * 4;
                for (int k = first; k < first + 4; k++) {
                  write(table, k, 1_000_000);
                }
              });
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
    }
    try (Database database = Database.open(temporary, options().build())) {
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(writers * 4L);
    }
  }

  @Test
  void aWriteThatIsRefusedTakesNoMemory() throws IOException {
    DatabaseOptions options =
        options()
            .memtableBytes(2 * MIB)
            .chunkCacheBytes(0)
            .memoryBytes(64 * MIB)
            .commitLog(CommitLogOptions.builder().maxMutationBytes(3 << 20).build())
            .build();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      long before = database.statistics().memtables().bytes();
      Mutation large =
          table.mutation(1).insert().set("v", ByteBuffer.allocate((int) (4 * MIB))).build();
      Mutation small = table.mutation(2).insert().set("v", ByteBuffer.allocate(10)).build();
      for (ThrowingCallable refused :
          List.<ThrowingCallable>of(
              () -> table.write(large), () -> database.write(Batch.of(large, small)))) {
        assertThatThrownBy(refused)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("max_mutation_size");
        assertThat(database.statistics().memtables().bytes()).isEqualTo(before);
      }
      table.write(small);
      assertThat(Contents.count(table)).isEqualTo(1);
    }
  }

  @Test
  void aBatchThatIsRefusedTakesNoMemoryOfAnyShard() throws IOException {
    DatabaseOptions options =
        options().memtableBytes(2 * MIB).chunkCacheBytes(0).memoryBytes(8 * MIB).build();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      long before = database.statistics().memtables().bytes();
      List<Mutation> large = new ArrayList<>();
      for (int key = 0; key < 4; key++) {
        ByteBuffer value = ByteBuffer.allocate((int) (3 * MIB));
        large.add(table.mutation(key).insert().set("v", value).build());
      }
      Batch batch = Batch.of(large.toArray(Mutation[]::new));
      assertThatThrownBy(() -> database.write(batch)).isInstanceOf(OutOfBudgetException.class);
      assertThat(database.statistics().memtables().bytes()).isEqualTo(before);
      for (int i = 0; i < 3000; i++) {
        write(table, i, 2000);
      }
      assertThat(Contents.count(table)).isEqualTo(3000);
    }
  }

  /** Else it would wait for the flush that waits for it. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aListenerThatIsToldOfAFlushWritesUntilAllMemoryIsTaken() throws IOException {
    DatabaseOptions options =
        options()
            .memtableBytes(MIB)
            .chunkCacheBytes(0)
            .memoryBytes(12 * MIB)
            .flushThreads(1)
            .build();
    AtomicInteger written = new AtomicInteger();
    AtomicLong used = new AtomicLong();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      Table other = database.createTable("CREATE TABLE ks.other (k int PRIMARY KEY, v blob)");
      database.addListener(
          new EngineListener() {
            @Override
            public void flushCompleted(FlushCompleted event) {
              if (!event.table().equals(table.id())) {
                return;
              }
              try {
                written.set(fill(other));
                used.set(database.statistics().memtables().bytes());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          });
      write(table, 0, 100);
      table.flush();
      assertThat(used.get()).isGreaterThan(4 * MIB);
      assertThat(Contents.count(other)).isEqualTo(written.get());
      write(other, -1, 2000);
    }
  }

  /** Writes rows until there is no memory for one more, and returns how many. */
  private static int fill(Table table) throws IOException {
    for (int k = 0; ; k++) {
      try {
        write(table, k, 2000);
      } catch (OutOfBudgetException e) {
        return k;
      }
    }
  }

  /** Else they would wait as long as the scans are open. */
  @Test
  void aFlushThatIsShortOfMemoryIsNoHopeForWriters() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    EngineListener listener =
        new EngineListener() {
          @Override
          public void flushStarted(FlushStarted event) {
            if (event.table().name().equals("filled")) {
              awaitUninterruptibly(released);
            }
          }
        };
    DatabaseOptions options =
        options()
            .memtableBytes(2 * MIB)
            .chunkCacheBytes(0)
            .memoryBytes(8 * MIB)
            .listener(listener)
            .build();
    try (Database database = Database.open(temporary, options)) {
      Table scanned = database.createTable(TABLE);
      write(scanned, 0, 100);
      scanned.flush();
      Table full = database.createTable("CREATE TABLE ks.filled (k int PRIMARY KEY, v blob)");
      Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int k = 0; ; k++) {
                    write(full, k, 2000);
                  }
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      writer.start();
      while (database.statistics().memtables().bytes() < 2 * MIB) {
        assertThat(writer.isAlive()).as("the writer, with %s", failures).isTrue();
        Thread.sleep(1);
      }
      List<LiveRows> held = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                while (true) {
                  LiveRows rows = scanned.read(scanned.query().build());
                  held.add(rows);
                  rows.hasNext();
                }
              })
          .isInstanceOf(OutOfBudgetException.class);
      released.countDown();
      writer.join(TimeUnit.SECONDS.toMillis(60));
      boolean isWaiting = writer.isAlive();
      for (LiveRows rows : held) {
        rows.close();
      }
      database.table("ks", "filled").flush();
      assertThat(isWaiting).isFalse();
      assertThat(failures).singleElement().isInstanceOf(OutOfBudgetException.class);
      write(full, -1, 2000);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFlushThatReadersLeaveNoMemoryToIsTriedAgain() throws IOException {
    DatabaseOptions options =
        options().memtableBytes(2 * MIB).chunkCacheBytes(0).memoryBytes(8 * MIB).build();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      write(table, 0, 100);
      table.flush();
      List<LiveRows> held = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                while (true) {
                  LiveRows rows = table.read(table.query().build());
                  held.add(rows);
                  rows.hasNext();
                }
              })
          .isInstanceOf(OutOfBudgetException.class);
      AtomicLong written = new AtomicLong(1);
      assertThatThrownBy(
              () -> {
                while (true) {
                  write(table, (int) written.get(), 2000);
                  written.incrementAndGet();
                }
              })
          .isInstanceOf(OutOfBudgetException.class);
      assertThat(database.statistics().readOnlyReason()).isNull();
      for (LiveRows rows : held) {
        rows.close();
      }
      for (int i = 0; i < 2000; i++) {
        write(table, (int) written.getAndIncrement(), 2000);
      }
      assertThat(Contents.count(table)).isEqualTo(written.get());
    }
  }
}
