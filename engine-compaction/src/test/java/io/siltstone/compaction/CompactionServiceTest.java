package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.task.NotEnoughSpaceException;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.rows.LiveRows;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.statistics.Traffic;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CompactionServiceTest {
  private static final int ROUNDS = 1_000 * Integer.getInteger("siltstone.scale", 1);

  private static final String ROWS =
      "CREATE TABLE ks.rows (k int PRIMARY KEY, v text) WITH compaction = {'class':"
          + " 'SizeTieredCompactionStrategy'%s}";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());
  private final List<Object> events = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile boolean holds;
  private final CompactionService service =
      new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build());

  private final EngineListener listener =
      new EngineListener() {
        @Override
        public void compactionStarted(CompactionStarted event) {
          events.add(event);
          if (holds) {
            awaitUninterruptibly(held);
          }
        }

        @Override
        public void compactionCompleted(CompactionCompleted event) {
          events.add(event);
        }

        @Override
        public void compactionFailed(CompactionFailed event) {
          events.add(event);
        }

        @Override
        public void corruptionFound(CorruptionFound event) {
          events.add(event);
        }
      };

  private Database open() throws IOException {
    return open(service);
  }

  private Database open(CompactionService by) throws IOException {
    return Database.open(disk, DatabaseOptions.builder().compaction(by).listener(listener).build());
  }

  private static CompactionService oneThread() {
    return new CompactionService(
        CompactionOptions.builder().bytesPerSecond(0).compactors(1).build());
  }

  /** Makes a table with this many SSTables that is compacted only on request. */
  private static Table resting(Database db, String name, int sstables) throws IOException {
    Table table =
        db.createTable(
            "CREATE TABLE ks."
                + name
                + " (k int PRIMARY KEY, v text) WITH compaction = {'class':"
                + " 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
    for (int i = 0; i < sstables; i++) {
      flushRows(table, 10 * i, 10);
    }
    return table;
  }

  private static CompletableFuture<CompactionReport> begin(Table table, Operation operation) {
    return table.compact(CompactionRequest.of(operation)).toCompletableFuture();
  }

  private static void closeInTime(Database db) throws Exception {
    CompletableFuture.runAsync(
            () -> {
              try {
                db.close();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .get(30, TimeUnit.SECONDS);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody lets it go on");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it comes true in time").isLessThan(end);
      Thread.sleep(5);
    }
  }

  private static void flushRows(Table table, int from, int count) throws IOException {
    for (int key = from; key < from + count; key++) {
      table.write(table.mutation(key).insert().set("v", "value of " + key).build());
    }
    table.flush();
  }

  private static int sstables(Table table) {
    try {
      return table.statistics().sstables().count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static CompactionState state(Table table) {
    try {
      return table.statistics().compaction();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Integer> keys(Table table) throws IOException {
    List<Integer> keys = new ArrayList<>();
    try (LiveRows rows = table.read(table.query().build())) {
      while (rows.hasNext()) {
        keys.add((Integer) rows.next().get("k"));
      }
    }
    Collections.sort(keys);
    return keys;
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private static TableId id(Table table) {
    return new TableId(
        table.schema().keyspace(), table.schema().name(), table.schema().id().orElseThrow());
  }

  private static CompactionReport ask(Table table, CompactionRequest request) {
    return table.compact(request).toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  private <T> List<T> events(Class<T> type) {
    synchronized (events) {
      return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
  }

  private static String rows(String options) {
    return ROWS.formatted(options);
  }

  private static final String DISABLED = ", 'enabled': 'false'";

  @Test
  void mergesWhatTheStrategyWantsByItself() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(""));
      for (int i = 0; i < 4; i++) {
        flushRows(table, 10 * i, 10);
      }
      await(() -> sstables(table) == 1);
      assertThat(keys(table)).isEqualTo(range(0, 40));
      await(() -> service.running().isEmpty());
      await(() -> state(table).equals(CompactionState.IDLE));
      Traffic traffic = table.statistics().traffic();
      assertThat(traffic.flushes()).isEqualTo(4);
      assertThat(traffic.compactions()).isEqualTo(1);
      assertThat(traffic.compactionBytesRead()).isEqualTo(traffic.flushedBytes());
      assertThat(traffic.compactionBytesWritten())
          .isEqualTo(table.statistics().sstables().onDiskBytes());
      assertThat(traffic.writeAmplification()).isBetween(1.1, 2.1);
      CompactionRecord done = service.history().get(0);
      assertThat(done.isDone()).isTrue();
      assertThat(done.operation()).isEqualTo("SizeTieredCompactionStrategy");
      assertThat(done.inputs()).hasSize(4);
      assertThat(done.reason()).contains("4 SSTables");
      await(() -> events(EngineListener.CompactionCompleted.class).size() == 1);
    }
    try (Database db = open()) {
      assertThat(keys(db.table("ks", "rows"))).isEqualTo(range(0, 40));
    }
  }

  @Test
  void whatIsFoundWhenItIsOpenedIsMergedToo() throws Exception {
    try (Database db =
        Database.open(disk, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = db.createTable(rows(""));
      for (int i = 0; i < 5; i++) {
        flushRows(table, 10 * i, 10);
      }
    }
    try (Database db = open()) {
      Table table = db.table("ks", "rows");
      await(() -> sstables(table) == 1);
      assertThat(keys(table)).isEqualTo(range(0, 50));
    }
  }

  @Test
  void theModuleIsFoundIfNothingElseIsAskedFor() throws Exception {
    try (Database db = Database.open(disk, DatabaseOptions.DEFAULT)) {
      Table table = db.createTable(rows(""));
      for (int i = 0; i < 4; i++) {
        flushRows(table, 10 * i, 10);
      }
      await(() -> sstables(table) == 1);
    }
  }

  @Test
  void mergesAllOnRequest() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(DISABLED));
      flushRows(table, 0, 10);
      flushRows(table, 5, 10);
      CompactionReport planned = ask(table, CompactionRequest.of(Operation.MAJOR).dryRun());
      assertThat(planned.completed()).isEmpty();
      assertThat(planned.planned()).singleElement().matches(job -> job.inputs().size() == 2);
      assertThat(sstables(table)).isEqualTo(2);

      CompactionReport report = ask(table, CompactionRequest.of(Operation.MAJOR));
      assertThat(report.orThrow()).isSameAs(report);
      assertThat(report.completed())
          .singleElement()
          .matches(job -> job.operation().equals("major") && job.totals().rows() == 15);
      assertThat(sstables(table)).isEqualTo(1);
      assertThat(keys(table)).isEqualTo(range(0, 15));
    }
  }

  @Test
  void nothingObsoleteIsLeftWhenItIsClosed() throws Exception {
    for (int round = 0; round < 20; round++) {
      Directory own = new MemoryDirectory();
      try (Database db =
          Database.open(own, DatabaseOptions.builder().compaction(service).build())) {
        Table table = db.createTable(rows(DISABLED));
        for (int i = 0; i < 10; i++) {
          flushRows(table, 10 * i, 10);
        }
        ask(table, CompactionRequest.of(Operation.MAJOR));
      }
      Directory tables = own.directory("data").directory("ks");
      List<String> files = tables.directory(tables.directories().get(0)).files();
      assertThat(files.stream().filter(name -> name.endsWith("-Data.db"))).hasSize(1);
      assertThat(files).noneMatch(name -> name.contains("_txn_"));
    }
  }

  @Test
  void anOldWriteKeepsTheTombstoneOfItsOwnPartitionAlone() throws Exception {
    CompactionService later =
        new CompactionService(
            CompactionOptions.builder()
                .bytesPerSecond(0)
                .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
                .build());
    try (Database db = Database.open(disk, DatabaseOptions.builder().compaction(later).build())) {
      Table table = db.createTable(rows(DISABLED) + " AND gc_grace_seconds = 0");
      for (int key = 0; key < 10; key++) {
        table.write(table.mutation(key).timestamp(5000).deletePartition().build());
      }
      table.flush();
      table.write(table.mutation(3).timestamp(1).insert().set("v", "older").build());
      ask(table, CompactionRequest.of(Operation.MAJOR));
      JobReport report = Objects.requireNonNull(later.history().get(0).report());
      assertThat(report.read().partitions()).isEqualTo(10);
      assertThat(report.written().partitions()).isEqualTo(1);
      assertThat(keys(table)).isEmpty();
    }
  }

  @Test
  void mergesGivenTablesAlone() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(DISABLED));
      for (int i = 0; i < 3; i++) {
        flushRows(table, 10 * i, 10);
      }
      List<Descriptor> named =
          ask(table, CompactionRequest.of(Operation.MAJOR).dryRun())
              .planned()
              .get(0)
              .inputs()
              .subList(0, 2);
      CompactionReport report =
          ask(table, CompactionRequest.of(Operation.USER_DEFINED).withTables(Set.copyOf(named)));
      assertThat(report.completed()).hasSize(1);
      assertThat(sstables(table)).isEqualTo(2);
      assertThat(keys(table)).isEqualTo(range(0, 30));
      assertThatThrownBy(
              () ->
                  ask(
                      table,
                      CompactionRequest.of(Operation.USER_DEFINED).withTables(Set.copyOf(named))))
          .isInstanceOf(CompletionException.class)
          .hasRootCauseInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not live in ks.rows");
      assertThatThrownBy(() -> ask(table, CompactionRequest.of(Operation.USER_DEFINED)))
          .hasRootCauseInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must name its SSTables");
    }
  }

  @Test
  void splitsALargeTable() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(DISABLED));
      flushRows(table, 0, 5000);
      CompactionReport report =
          ask(table, CompactionRequest.of(Operation.SPLIT).withOutputBytes(20_000));
      assertThat(report.completed()).hasSize(1);
      assertThat(sstables(table)).isGreaterThan(2);
      assertThat(keys(table)).isEqualTo(range(0, 5000));
    }
  }

  @Test
  void givesLevelsAnew() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(DISABLED));
      for (int i = 0; i < 3; i++) {
        flushRows(table, 10 * i, 10);
      }
      assertThatThrownBy(() -> ask(table, CompactionRequest.of(Operation.RELEVEL)))
          .hasRootCauseInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("LeveledCompactionStrategy");
      Table leveled =
          db.alterTable(
              "ks",
              "rows",
              "ALTER TABLE ks.rows WITH compaction = {'class': 'LeveledCompactionStrategy',"
                  + " 'enabled': 'false'}");
      CompactionReport report = ask(leveled, CompactionRequest.of(Operation.RELEVEL));
      assertThat(report.failed()).isEmpty();
      assertThat(report.completed()).isNotEmpty().allMatch(job -> job.totals().rows() == 10);
      assertThat(keys(leveled)).isEqualTo(range(0, 30));
      assertThat(ask(leveled, CompactionRequest.of(Operation.RELEVEL)).completed()).isEmpty();
    }
  }

  @Test
  void rewritesWhatIsCompressedOtherwise() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(DISABLED));
      flushRows(table, 0, 3000);
      Table altered =
          db.alterTable(
              "ks",
              "rows",
              "ALTER TABLE ks.rows WITH compression = {'class': 'LZ4Compressor',"
                  + " 'chunk_length_in_kb': 4}");
      flushRows(altered, 3000, 10);
      CompactionReport report = ask(altered, CompactionRequest.of(Operation.RECOMPRESS));
      assertThat(report.completed()).singleElement().matches(job -> job.totals().rows() == 3000);
      assertThat(report.remarks())
          .containsExactly("1 SSTable is compressed as the table is already");
      assertThat(keys(altered)).isEqualTo(range(0, 3010));
      for (Operation operation :
          List.of(Operation.SCRUB, Operation.GARBAGE_COLLECT, Operation.UPGRADE)) {
        CompactionReport done = ask(altered, CompactionRequest.of(operation));
        assertThat(done.failed()).as("%s", operation).isEmpty();
        assertThat(done.completed())
            .as("%s", operation)
            .hasSize(operation == Operation.UPGRADE ? 0 : 2);
        assertThat(keys(altered)).isEqualTo(range(0, 3010));
      }
    }
  }

  @Test
  void refusesOptionsThatItCannotFollow() throws Exception {
    try (Database db = open()) {
      assertThatThrownBy(() -> db.createTable(rows(", 'bucket_lo': '0.5'")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("bucket_lo");
      assertThat(db.tables()).isEmpty();
      db.createTable(rows(""));
      assertThatThrownBy(
              () ->
                  db.alterTable(
                      "ks",
                      "rows",
                      "ALTER TABLE ks.rows WITH compaction = {'class':"
                          + " 'SizeTieredCompactionStrategy', 'bucket_low': '7'}"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("bucket_low");
    }
  }

  @Test
  void followsAStrategyThatIsChangedWhileItIsOpen() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(DISABLED));
      for (int i = 0; i < 4; i++) {
        flushRows(table, 10 * i, 10);
      }
      assertThat(service.explain(id(table)).remarks().toString()).contains("enabled = false");
      db.alterTable(
          "ks",
          "rows",
          "ALTER TABLE ks.rows WITH compaction = {'class': 'SizeTieredCompactionStrategy',"
              + " 'min_threshold': '3'}");
      await(() -> sstables(table) == 1);
      assertThat(keys(table)).isEqualTo(range(0, 40));
    }
  }

  @Test
  void pausesGoesOnAndCancels() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(DISABLED));
      flushRows(table, 0, 10);
      flushRows(table, 5, 10);
      service.pause();
      var report = table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture();
      await(() -> service.running().size() == 1);
      RunningCompaction running = service.running().get(0);
      assertThat(running.isPaused()).isTrue();
      assertThat(running.operation()).isEqualTo("major");
      assertThat(table.statistics().compaction().runningJobs()).isEqualTo(1);
      assertThat(service.cancel(running.job())).isTrue();
      CompactionReport cancelled = report.get(30, TimeUnit.SECONDS);
      assertThat(cancelled.completed()).isEmpty();
      assertThat(cancelled.failed())
          .singleElement()
          .matches(job -> job.cause() instanceof CancellationException);
      assertThatThrownBy(cancelled::orThrow)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("1 of 1 compactions of ")
          .hasCauseInstanceOf(CancellationException.class);
      assertThat(service.cancel(running.job())).isFalse();
      assertThat(sstables(table)).isEqualTo(2);

      report = table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture();
      service.resume();
      assertThat(report.get(30, TimeUnit.SECONDS).completed()).hasSize(1);
      assertThat(sstables(table)).isEqualTo(1);
    }
  }

  @Test
  void whoPausesAndWhoResumesAtOnceLeaveNoJobBehind() throws Exception {
    holds = true;
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (Database db = open()) {
      var report = begin(resting(db, "rows", 2), Operation.MAJOR);
      try {
        await(() -> service.running().size() == 1);
        for (int round = 0; round < ROUNDS; round++) {
          pauseWhile(other, service::resume);
          RunningCompaction job = service.running().get(0);
          assertThat(job.isPaused()).as("round %d", round).isEqualTo(service.isPaused());
        }
      } finally {
        service.resume();
        held.countDown();
      }
      assertThat(report.get(30, TimeUnit.SECONDS).completed()).hasSize(1);
    } finally {
      other.shutdown();
    }
  }

  /** Pauses the service when another thread begins a step, and waits for that. */
  private void pauseWhile(ExecutorService other, Runnable something) throws Exception {
    CountDownLatch isAtIt = new CountDownLatch(1);
    Future<?> done =
        other.submit(
            () -> {
              isAtIt.countDown();
              something.run();
            });
    while (isAtIt.getCount() > 0) {
      Thread.onSpinWait();
    }
    service.pause();
    done.get(30, TimeUnit.SECONDS);
  }

  @Test
  void jobsGoByTheTableAsItIsWhenTheyBegin() throws Exception {
    CompactionService later =
        new CompactionService(
            CompactionOptions.builder()
                .compactors(1)
                .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
                .build());
    try (Database db = open(later)) {
      Table table =
          db.createTable(
              "CREATE TABLE ks.rows (k int PRIMARY KEY, v text) WITH gc_grace_seconds = 0 AND"
                  + " compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
      for (int key = 0; key < 2; key++) {
        table.write(table.mutation(key).deletePartition().build());
        table.flush();
      }
      later.pause();
      var report = begin(table, Operation.GARBAGE_COLLECT);
      await(() -> later.running().size() == 1);
      db.alterTable("ks", "rows", "ALTER TABLE ks.rows WITH gc_grace_seconds = 864000");
      later.resume();
      assertThat(report.get(30, TimeUnit.SECONDS).completed()).hasSize(2);
      assertThat(later.history())
          .hasSize(2)
          .allMatch(job -> Objects.requireNonNull(job.report()).purge().tombstones() == 0);
      assertThat(sstables(table)).isEqualTo(2);
    }
  }

  /**
   * Two SSTables of 2000 rows of the day before yesterday, which are merged first; two small ones
   * in each of the two windows before; and one of today. Returns the names of the data files, in
   * this order.
   */
  private List<String> windows(String compaction, String options) throws IOException {
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    List<String> names = new ArrayList<>();
    try (Database db =
        Database.open(disk, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table =
          db.createTable(
              "CREATE TABLE ks.rows (k int PRIMARY KEY, v text) WITH compaction = {'class':"
                  + " 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS',"
                  + " 'compaction_window_size': '1'"
                  + compaction
                  + "}"
                  + options);
      for (int days : new int[] {2, 2, 4, 4, 6, 6, 0}) {
        int rows = days == 2 ? 2000 : 10;
        for (int key = 0; key < rows; key++) {
          table.write(
              table
                  .mutation(key)
                  .timestamp(now - TimeUnit.DAYS.toMicros(days))
                  .insert()
                  .set("v", "value of " + key)
                  .build());
        }
        table.flush();
        home().files().stream()
            .filter(name -> name.endsWith("-Data.db") && !names.contains(name))
            .forEach(names::add);
      }
    }
    return names;
  }

  /** Returns the directory of the only table. */
  private Directory home() throws IOException {
    Directory tables = disk.directory("data").directory("ks");
    return tables.directory(tables.directories().get(0));
  }

  @Test
  void whatCannotBeReadDoesNotHoldUpTheOthers() throws Exception {
    String data = windows("", "").get(0);
    CompactionService one = oneThread();
    Fault bad = Fault.on(io.siltstone.testkit.Operation.READ).files("*" + data).fails("bad sector");
    try (Database db =
        Database.open(
            new FaultyDirectory(disk, 1, bad), DatabaseOptions.builder().compaction(one).build())) {
      Table table = db.table("ks", "rows");
      await(() -> sstables(table) == 5);
      await(() -> one.running().isEmpty());
      assertThat(one.history().get(0).isDone()).as("what fails comes first").isFalse();
      assertThat(one.history())
          .filteredOn(job -> !job.isDone())
          .singleElement()
          .matches(job -> String.valueOf(job.failure()).contains("bad sector"));
    }
  }

  @Test
  void aFailureOfWhatWasAskedForHoldsUpNothing() throws Exception {
    AtomicBoolean isBad = new AtomicBoolean();
    Fault bad =
        Fault.on(io.siltstone.testkit.Operation.READ)
            .component("Data.db")
            .runs(
                "bad for a while",
                () -> {
                  if (isBad.get()) {
                    throw new UncheckedIOException(new IOException("bad sector"));
                  }
                });
    try (Database db =
        Database.open(
            new FaultyDirectory(disk, 1, bad),
            DatabaseOptions.builder().compaction(service).build())) {
      Table table = db.createTable(rows(""));
      for (int i = 0; i < 3; i++) {
        flushRows(table, 10 * i, 10);
      }
      isBad.set(true);
      for (int i = 0; i < 4; i++) {
        assertThat(ask(table, CompactionRequest.of(Operation.MAJOR)).failed()).hasSize(1);
      }
      isBad.set(false);
      flushRows(table, 30, 10);
      await(() -> sstables(table) == 1);
    }
  }

  @Test
  void aDamagedTableThatIsReadBesideTheInputsIsQuarantinedToo() throws Exception {
    List<String> names = windows(", 'provide_overlapping_tombstones': 'cell'", "");
    String today = names.get(names.size() - 1);
    damage(home(), today);
    try (Database db = open(oneThread())) {
      Table table = db.table("ks", "rows");
      await(() -> sstables(table) == 4);
      await(() -> service.running().isEmpty());
      assertThat(events(EngineListener.CorruptionFound.class))
          .singleElement()
          .matches(found -> found.path().endsWith(today));
      assertThat(events(EngineListener.CompactionFailed.class)).hasSize(1);
      assertThat(ask(table, CompactionRequest.of(Operation.MAJOR)).remarks().toString())
          .contains(today.replace("-Data.db", "") + " is left alone");
    }
  }

  @Test
  void whatDoesNotFitTheDiskDoesNotHoldUpWhatDoes() throws Exception {
    windows("", " AND compression = {'enabled': 'false'}");
    CompactionService one = oneThread();
    Fault full =
        Fault.on(io.siltstone.testkit.Operation.WRITE).component("Data.db").noSpaceAfter(50_000);
    try (Database db =
        Database.open(
            new FaultyDirectory(disk, 1, full),
            DatabaseOptions.builder().compaction(one).build())) {
      Table table = db.table("ks", "rows");
      await(() -> sstables(table) == 5);
      await(() -> one.running().isEmpty());
      assertThat(one.history())
          .filteredOn(job -> !job.isDone())
          .singleElement()
          .matches(job -> job.failure() instanceof NotEnoughSpaceException);
      assertThat(one.history().get(0).isDone()).as("the large one comes first").isFalse();
      assertThat(keys(table)).isEqualTo(range(0, 2000));
    }
  }

  @Test
  void itIsKnownHowFarBehindATableIsWhileNothingCanBeDone() throws Exception {
    CompactionService one = oneThread();
    try (Database db = open(one)) {
      Table busy = resting(db, "busy", 2);
      Table table = db.createTable(rows(""));
      one.pause();
      for (int i = 0; i < 4; i++) {
        flushRows(table, 10 * i, 10);
      }
      await(() -> state(table).pendingJobs() == 1);
      assertThat(state(table).debtBytes()).isEqualTo(one.explain(id(table)).debtBytes());
      // All threads are busy.
      var report = begin(busy, Operation.MAJOR);
      await(() -> one.running().size() == 1);
      long before = state(table).debtBytes();
      flushRows(table, 0, 10);
      await(() -> state(table).debtBytes() > before);
      // And while the table itself has a request.
      var own = begin(table, Operation.SCRUB);
      long again = state(table).debtBytes();
      flushRows(table, 0, 10);
      await(() -> state(table).debtBytes() > again);
      assertThat(state(table).debtBytes()).isEqualTo(one.explain(id(table)).debtBytes());
      one.resume();
      assertThat(report.get(30, TimeUnit.SECONDS).completed()).hasSize(1);
      assertThat(own.get(30, TimeUnit.SECONDS).failed()).isEmpty();
      await(() -> state(table).equals(CompactionState.IDLE));
    }
  }

  @Test
  void requestsWaitForOneAnother() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(DISABLED));
      flushRows(table, 0, 10);
      flushRows(table, 5, 10);
      service.pause();
      var first = table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture();
      var second = table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture();
      await(() -> service.running().size() == 1);
      service.resume();
      assertThat(first.get(30, TimeUnit.SECONDS).completed()).hasSize(1);
      CompactionReport again = second.get(30, TimeUnit.SECONDS);
      assertThat(again.failed()).isEmpty();
      assertThat(keys(table)).isEqualTo(range(0, 15));
    }
  }

  @Test
  void whatIsAskedForGoesBeforeWhatTheStrategyWants() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(""));
      holds = true;
      for (int i = 0; i < 4; i++) {
        flushRows(table, 10 * i, 10);
      }
      await(() -> service.running().size() == 1);
      var report = table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture();
      holds = false;
      held.countDown();
      assertThat(report.get(30, TimeUnit.SECONDS).completed())
          .singleElement()
          .matches(job -> job.inputs().size() == 4);
      assertThat(service.history().get(0).failure()).isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void aTableThatSeveralDatabasesHaveIsNotExplained() throws Exception {
    Directory copy = disk.directory("copy");
    DatabaseOptions options = DatabaseOptions.builder().compaction(service).build();
    try (Database db = Database.open(disk.directory("origin"), options)) {
      Table table = resting(db, "rows", 2);
      db.checkpoint(copy);
      try (Database second = Database.open(copy, options)) {
        assertThatThrownBy(() -> service.explain(id(table)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(db.toString())
            .hasMessageContaining(second.toString())
            .hasMessageContaining("ks.rows");
      }
      assertThat(service.explain(id(table)).jobs()).isEmpty();
    }
  }

  /** A thread that cannot start others during that time: they ask it for its class loader. */
  private static final class LastThread extends Thread {
    private volatile boolean isLast;

    LastThread(Runnable task) {
      super(task);
    }

    @Override
    public ClassLoader getContextClassLoader() {
      if (isLast) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return super.getContextClassLoader();
    }
  }

  @Test
  void aDatabaseForWhichThereIsNoThreadIsForgotten() throws Exception {
    TableId rows;
    try (Database db = open(oneThread())) {
      rows = id(resting(db, "rows", 1));
    }
    AtomicReference<Throwable> failure = new AtomicReference<>();
    LastThread opener = new LastThread(() -> failure.set(catchThrowable(this::openInLastThread)));
    opener.start();
    opener.join();
    assertThat(failure.get())
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("unable to create native thread");
    try (Database db = open()) {
      assertThat(db.tables()).hasSize(1);
      assertThat(service.explain(rows).jobs()).isEmpty();
    }
  }

  private void openInLastThread() throws IOException {
    LastThread thread = (LastThread) Thread.currentThread();
    Compaction factory =
        host -> {
          thread.isLast = true;
          try {
            return service.create(host);
          } finally {
            thread.isLast = false;
          }
        };
    Database.open(disk, DatabaseOptions.builder().compaction(factory).build()).close();
  }

  @Test
  void whatFollowsACompactionCannotCloseTheDatabase() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(""));
      flushRows(table, 0, 10);
      flushRows(table, 5, 10);
      List<Throwable> failures = new ArrayList<>();
      for (int i = 0; i < 100 && failures.isEmpty(); i++) {
        Thread here = Thread.currentThread();
        table
            .compact(CompactionRequest.of(Operation.MAJOR))
            .thenRun(
                () -> {
                  // Not if it was over at once.
                  if (Thread.currentThread() != here) {
                    close(db, failures);
                  }
                })
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
        flushRows(table, i, 10);
      }
      assertThat(failures)
          .singleElement()
          .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cannot be closed by a thread of its compaction");
      // All of it still works.
      flushRows(table, 1000, 10);
      assertThat(ask(table, CompactionRequest.of(Operation.MAJOR)).orThrow().completed())
          .hasSize(1);
    }
  }

  @Test
  void whatFollowsACompactionCanCloseADatabaseOfAnotherService() throws Exception {
    try (Database db = open()) {
      Table table = resting(db, "rows", 2);
      Database other =
          Database.open(
              leaks.watch(new MemoryDirectory()),
              DatabaseOptions.builder().compaction(oneThread()).build());
      var unused = resting(other, "others", 2);
      List<Throwable> failures = new ArrayList<>();
      // The step is not over before another follows.
      holds = true;
      var closed = begin(table, Operation.MAJOR).thenRun(() -> close(other, failures));
      held.countDown();
      closed.get(30, TimeUnit.SECONDS);
      other.close();
      assertThat(failures).isEmpty();
    }
  }

  private static void close(Database db, List<Throwable> failures) {
    try {
      db.close();
    } catch (IOException | IllegalStateException e) {
      failures.add(e);
    }
  }

  @Test
  void aTableThatIsDroppedOrTruncatedTakesItsJobsAlong() throws Exception {
    try (Database db = open()) {
      Table table = db.createTable(rows(""));
      holds = true;
      for (int i = 0; i < 4; i++) {
        flushRows(table, 10 * i, 10);
      }
      await(() -> service.running().size() == 1);
      table.truncate();
      held.countDown();
      await(() -> service.history().size() == 1);
      assertThat(service.history().get(0).failure()).isInstanceOf(CancellationException.class);
      assertThat(keys(table)).isEmpty();
      for (int i = 0; i < 4; i++) {
        flushRows(table, 10 * i, 10);
      }
      db.dropTable("ks", "rows");
      assertThatThrownBy(() -> service.explain(id(table)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void droppingATableEndsWhatIsAskedOfIt() throws Exception {
    CompactionService one = oneThread();
    try (Database db = open(one)) {
      Table table = resting(db, "gone", 2);
      Table other = resting(db, "other", 2);
      one.pause();
      var running = begin(table, Operation.MAJOR);
      var waiting = begin(table, Operation.SCRUB);
      // The only thread has a job of the first; another job for it appears only now.
      await(() -> one.running().size() == 1);
      var others = begin(other, Operation.MAJOR);
      db.dropTable("ks", "gone");
      // Still paused.
      assertThat(running.get(30, TimeUnit.SECONDS).failed())
          .singleElement()
          .matches(job -> job.cause() instanceof CancellationException);
      assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(CancellationException.class)
          .hasMessageContaining("ks.gone")
          .hasMessageContaining("was dropped");
      one.resume();
      assertThat(others.get(30, TimeUnit.SECONDS).completed()).hasSize(1);
    }
  }

  @Test
  void aTableIsCompactedThatHasTheIdOfOneThatWasDropped() throws Exception {
    try (Database db = open()) {
      UUID id = UUID.randomUUID();
      String cql =
          "CREATE TABLE ks.rows (k int PRIMARY KEY, v text) WITH id = "
              + id
              + " AND compaction = {'class': 'SizeTieredCompactionStrategy'}";
      Table before = db.createTable(cql);
      holds = true;
      for (int i = 0; i < 4; i++) {
        flushRows(before, 10 * i, 10);
      }
      await(() -> service.running().size() == 1);
      db.dropTable("ks", "rows");
      // A compaction there would take files of the other table for its own.
      assertThatThrownBy(() -> db.createTable(cql))
          .hasMessageContaining("with this id was dropped")
          .hasMessageContaining("a compaction that gives up");
      held.countDown();
      await(this::noTableHasFiles);
      Table table = db.createTable(cql);
      for (int i = 0; i < 4; i++) {
        flushRows(table, 10 * i, 10);
      }
      await(() -> sstables(table) == 1);
      assertThat(keys(table)).isEqualTo(range(0, 40));
      await(() -> service.running().isEmpty());
      assertThat(service.history())
          .filteredOn(job -> !job.isDone())
          .singleElement()
          .matches(job -> job.failure() instanceof CancellationException);
    }
  }

  private boolean noTableHasFiles() {
    try {
      return disk.directory("data").directory("ks").directories().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void closingEndsWhatRuns() throws Exception {
    Database db = open();
    Table table = db.createTable(rows(DISABLED));
    flushRows(table, 0, 10);
    flushRows(table, 5, 10);
    service.pause();
    var report = table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture();
    var waiting = table.compact(CompactionRequest.of(Operation.SCRUB)).toCompletableFuture();
    await(() -> service.running().size() == 1);
    db.close();
    assertThat(report.get(30, TimeUnit.SECONDS).failed()).hasSize(1);
    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(CancellationException.class);
    assertThat(service.running()).isEmpty();
    service.resume();
    try (Database again = open()) {
      assertThat(sstables(again.table("ks", "rows"))).isEqualTo(2);
      assertThat(keys(again.table("ks", "rows"))).isEqualTo(range(0, 15));
    }
  }

  @Test
  void closingEndsWhatWaitsForThreadsToo() throws Exception {
    CompactionService one = oneThread();
    Database db = open(one);
    List<CompletableFuture<CompactionReport>> reports = new ArrayList<>();
    one.pause();
    for (int i = 0; i < 8; i++) {
      reports.add(begin(resting(db, "t" + i, 2), Operation.GARBAGE_COLLECT));
    }
    await(() -> one.running().size() == 1);
    closeInTime(db);
    for (CompletableFuture<CompactionReport> report : reports) {
      assertThatThrownBy(() -> report.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(CancellationException.class)
          .hasMessageContaining("is closed");
    }
    assertThat(one.running()).isEmpty();
    assertThat(one.history())
        .singleElement()
        .matches(job -> job.failure() instanceof CancellationException);
  }

  @Test
  void closingDoesNotWaitForJobsOfOtherDatabases() throws Exception {
    CompactionService one = oneThread();
    try (Database other = open(one)) {
      Table busy = resting(other, "busy", 2);
      one.pause();
      var report = begin(busy, Operation.MAJOR);
      await(() -> one.running().size() == 1);
      Database db =
          Database.open(
              leaks.watch(new MemoryDirectory()),
              DatabaseOptions.builder().compaction(one).build());
      var waiting = begin(resting(db, "waiting", 2), Operation.MAJOR);
      closeInTime(db);
      assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(CancellationException.class);
      one.resume();
      assertThat(report.get(30, TimeUnit.SECONDS).completed()).hasSize(1);
    }
  }

  @Test
  void tablesTakeTurnsWithTheJobsOfARequest() throws Exception {
    CompactionService one = oneThread();
    try (Database db = open(one)) {
      Table asked = resting(db, "asked", 6);
      Table other = db.createTable(rows(""));
      holds = true;
      var report = begin(asked, Operation.GARBAGE_COLLECT);
      await(() -> one.running().size() == 1);
      for (int i = 0; i < 4; i++) {
        flushRows(other, 10 * i, 10);
      }
      holds = false;
      held.countDown();
      assertThat(report.get(30, TimeUnit.SECONDS).completed()).hasSize(6);
      List<String> order =
          events(EngineListener.CompactionStarted.class).stream()
              .map(job -> job.table().name())
              .toList();
      assertThat(order).contains("rows");
      assertThat(order.indexOf("rows")).isLessThan(4);
    }
  }

  @Test
  void aRequestLeavesAThreadToOtherTables() throws Exception {
    CompactionService two =
        new CompactionService(CompactionOptions.builder().bytesPerSecond(0).compactors(2).build());
    try (Database db = open(two)) {
      Table asked = resting(db, "asked", 6);
      Table other = db.createTable(rows(""));
      two.pause();
      var report = begin(asked, Operation.GARBAGE_COLLECT);
      await(() -> two.running().size() == 1);
      var others = begin(other, Operation.MAJOR);
      assertThat(others.get(30, TimeUnit.SECONDS).completed()).isEmpty();
      assertThat(two.running()).hasSize(1);
      two.resume();
      assertThat(report.get(30, TimeUnit.SECONDS).completed()).hasSize(6);
    }
  }

  @Test
  void whatWouldBeDoneIsSaidWhileAllThreadsAreBusy() throws Exception {
    CompactionService one = oneThread();
    try (Database db = open(one)) {
      Table busy = resting(db, "busy", 2);
      Table table = resting(db, "other", 3);
      one.pause();
      var report = begin(busy, Operation.MAJOR);
      await(() -> one.running().size() == 1);
      assertThat(ask(table, CompactionRequest.of(Operation.MAJOR).dryRun()).planned())
          .singleElement()
          .matches(job -> job.inputs().size() == 3);
      one.resume();
      report.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aDamagedTableIsQuarantinedAndTheOthersAreMerged() throws Exception {
    try (Database db =
        Database.open(disk, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = db.createTable(rows(""));
      for (int i = 0; i < 5; i++) {
        flushRows(table, 1000 * i, 1000);
      }
    }
    Directory home = home();
    String data =
        home.files().stream()
            .filter(name -> name.endsWith("-Data.db"))
            .sorted()
            .findFirst()
            .orElseThrow();
    damage(home, data);
    try (Database db = open()) {
      Table table = db.table("ks", "rows");
      await(() -> sstables(table) == 2);
      await(() -> service.running().isEmpty());
      assertThat(events(EngineListener.CorruptionFound.class))
          .singleElement()
          .matches(found -> found.path().endsWith(data));
      assertThat(events(EngineListener.CompactionFailed.class)).hasSize(1);
      CompactionReport report = ask(table, CompactionRequest.of(Operation.MAJOR));
      assertThat(report.remarks().toString()).contains("damaged");
      assertThat(report.failed()).isEmpty();
    }
  }

  @Test
  void aTableThatCannotBeReadIsLeftAloneForAWhileAndTheOthersAreMerged() throws Exception {
    try (Database db =
        Database.open(disk, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = db.createTable(rows(""));
      for (int i = 0; i < 5; i++) {
        flushRows(table, 1000 * i, 1000);
      }
    }
    Fault sector =
        Fault.on(io.siltstone.testkit.Operation.READ)
            .files("oa-2-big-Data.db")
            .fails("Input/output error");
    try (Database db =
        Database.open(
            new FaultyDirectory(disk, 1, sector),
            DatabaseOptions.builder().compaction(service).listener(listener).build())) {
      Table table = db.table("ks", "rows");
      await(() -> sstables(table) == 2);
      await(() -> service.running().isEmpty());
      assertThat(events(EngineListener.CorruptionFound.class)).isEmpty();
      assertThat(events(EngineListener.CompactionFailed.class)).hasSize(1);
      assertThat(service.explain(id(table)).remarks().toString())
          .contains("1 SSTable of 13 KiB: damaged, left alone until scrubbed");
      CompactionReport report = ask(table, CompactionRequest.of(Operation.MAJOR));
      assertThat(report.failed()).as("who asks, has it tried").hasSize(1);
      assertThat(report.failed().toString()).contains("oa-2-big-Data.db cannot be read at offset");
    }
  }

  /** Changes one byte in the middle of a file. */
  private static void damage(Directory home, String name) throws IOException {
    ByteBuffer bytes;
    try (ReadableFile file = home.open(name, ReadIntent.SCAN)) {
      bytes = ByteBuffer.allocate((int) file.length());
      file.read(0, bytes);
    }
    bytes.put(bytes.capacity() / 2, (byte) ~bytes.get(bytes.capacity() / 2)).flip();
    home.delete(name);
    try (WritableFile file = home.create(name, WriteIntent.OTHER)) {
      file.write(bytes);
      file.sync();
    }
  }

  @Test
  void whatIsWrongWithOptionsIsSaidAtOnce() {
    assertThatThrownBy(
            () ->
                CompactionOptions.builder()
                    .compactors(0)
                    .pipelineThreads(-1)
                    .readAheadBytes(-1)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "compactors = 0, allowed 1 to 64; pipelineThreads = -1, allowed 0 to 64;"
                + " readAheadBytes = -1, allowed 0 to 16777216");
    assertThatThrownBy(() -> service.bytesPerSecond(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> service.explain(new TableId("ks", "none", UUID.randomUUID())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ks.none");
  }
}
