package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Operation;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Databases that are opened and closed, many times, several at once, and while they are used. */
class OpenCloseTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final String TABLE = "CREATE TABLE w.t (k int, c int, v text, PRIMARY KEY (k, c))";

  @TempDir private Path temporary;

  @AfterEach
  void noThreadIsLeft() {
    Leftovers.requireNoThreads();
  }

  private static void write(Table table, int k, int c) throws IOException {
    table.write(table.mutation(k).insert(c).set("v", "x".repeat(100)).build());
  }

  @Test
  void nothingIsLeftOfManyThatWereOpenedAndClosed() throws IOException {
    openAndClose(0);
    int files = openFiles();
    long direct = Leftovers.directBytes();
    int rounds = 12 * SCALE;
    for (int round = 1; round <= rounds; round++) {
      openAndClose(round);
    }
    Leftovers.requireNoThreads();
    assertThat(openFiles()).isEqualTo(files);
    assertThat(Leftovers.directBytes() - direct).isLessThan(1 << 20);
  }

  @Test
  void hundredsThatWereOpenedAndClosedLeaveNothingOnTheHeap() throws IOException {
    openAndCloseInMemory(50);
    long before = usedHeap();
    openAndCloseInMemory(250 * SCALE);
    assertThat(usedHeap() - before).as("bytes of heap").isLessThan(1 << 20);
  }

  private static void openAndCloseInMemory(int rounds) throws IOException {
    for (int round = 0; round < rounds; round++) {
      try (Database database = Database.open(new MemoryDirectory(), History.OPTIONS)) {
        write(table(database), round, 1);
      }
    }
  }

  /** After the garbage was collected, and what waits for that has been told. */
  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** Two at once, of which one is used by several threads. */
  private void openAndClose(int round) throws IOException {
    try (Database first = Database.open(temporary.resolve("first"), History.OPTIONS);
        Database second = Database.open(temporary.resolve("second"), History.OPTIONS)) {
      Table one = table(first);
      Table two = table(second);
      write(one, round, 1);
      write(two, round, 2);
      if (round % 10 == 0) {
        one.flush();
      }
      assertThat(Contents.of(one)).hasSize(round + 1);
      assertThat(Contents.of(two)).hasSize(round + 1);
    }
  }

  private static Table table(Database database) throws IOException {
    return database.findTable("w", "t").isPresent()
        ? database.table("w", "t")
        : database.createTable(TABLE);
  }

  /** Where the system tells of them; else none. */
  private static int openFiles() {
    String[] open = new File("/proc/self/fd").list();
    return open == null ? 0 : open.length;
  }

  @Test
  void anOpeningIsToldWhoHasTheDatabaseOpen() throws IOException {
    try (Database forgotten = Database.open(temporary, History.OPTIONS)) {
      assertThat(forgotten.tables()).isEmpty();
      assertThatThrownBy(() -> Database.open(temporary, History.OPTIONS))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(
              temporary + " is open already",
              "locked by this process, since ",
              "by thread '" + Thread.currentThread().getName() + "' at ");
    }
  }

  @Test
  void whatIsForgottenOpenIsReportedWithTheStackThatOpenedIt() throws IOException {
    Queue<EngineListener.HandleLeaked> leaked = new ConcurrentLinkedQueue<>();
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .listener(
                new EngineListener() {
                  @Override
                  public void handleLeaked(HandleLeaked event) {
                    leaked.add(event);
                  }
                })
            .build();
    try (Database database = Database.open(temporary, options)) {
      Table table = database.createTable(TABLE);
      write(table, 1, 2);
      forget(table);
      for (int i = 0; i < 1000 && leaked.size() < 2; i++) {
        System.gc();
        // Looks for those that are lost.
        table.read(table.query().build()).close();
      }
    }
    assertThat(leaked)
        .extracting(EngineListener.HandleLeaked::handle)
        .containsExactlyInAnyOrder("rows of w.t", "cursor over w.t");
    assertThat(leaked)
        .allSatisfy(
            event ->
                assertThat(event.openedAt().getStackTrace())
                    .extracting(StackTraceElement::getMethodName)
                    .contains("forget"));
  }

  private static void forget(Table table) throws IOException {
    assertThat(table.read(table.query().build()).hasNext()).isTrue();
    assertThat(table.cursor(new Read.OfRange(PartitionRange.ALL)).nextPartition()).isTrue();
  }

  @Test
  void whatIsUsedAfterwardsSaysThatItIsClosed() throws IOException {
    Database database = Database.open(temporary, History.OPTIONS);
    Table table = database.createTable(TABLE);
    for (int c = 0; c < 1000; c++) {
      var unused = table.writeAsync(table.mutation(1).insert(c).set("v", "x").build());
    }
    table.flush();
    write(table, 2, 1);
    LiveRows rows = table.read(table.query().build());
    rows.next();
    PartitionCursor cursor = table.cursor(new Read.OfRange(PartitionRange.ALL));
    assertThat(cursor.nextPartition()).isTrue();
    database.close();
    List<ThrowingCallable> uses =
        List.of(
            rows::hasNext,
            rows::next,
            cursor::nextPartition,
            cursor::nextUnfiltered,
            cursor::key,
            cursor::unfiltered,
            () -> write(table, 1, 1),
            () -> table.get(table.query().partition(1).build()),
            () -> Contents.of(table),
            () -> table.cursor(new Read.OfRange(PartitionRange.ALL)),
            table::flush,
            table::truncate,
            table::statistics,
            () -> table.importTables(temporary),
            database::flush,
            database::sync,
            database::tables,
            database::statistics,
            () -> database.table("w", "t"),
            () -> database.createTable("CREATE TABLE w.u (k int PRIMARY KEY)"),
            () -> database.dropTable("w", "t"),
            () -> database.alterTable("w", "t", "ALTER TABLE w.t ADD x int"),
            () -> database.checkpoint(temporary.resolve("checkpoint")));
    for (int i = 0; i < uses.size(); i++) {
      assertThatThrownBy(uses.get(i))
          .as("use %s", i)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    rows.close();
    cursor.close();
    database.close();
  }

  @Test
  void readsThatAreOpenGoOnWhenTheirTableIsTruncatedOrDropped() throws IOException {
    try (Database database = Database.open(temporary, History.OPTIONS)) {
      Table table = database.createTable(TABLE);
      for (int c = 0; c < 1000; c++) {
        var unused = table.writeAsync(table.mutation(c % 7).insert(c).set("v", "flushed").build());
      }
      table.flush();
      write(table, 1, 1000);
      try (LiveRows early = table.read(table.query().build());
          LiveRows late = table.read(table.query().build())) {
        early.next();
        late.next();
        table.truncate();
        assertThat(Contents.of(table)).isEmpty();
        assertThat(rest(early)).isEqualTo(1000);
        write(table, 1, 1001);
        database.dropTable("w", "t");
        assertThat(rest(late)).isEqualTo(1000);
        assertThatThrownBy(() -> Contents.of(table)).isInstanceOf(IllegalStateException.class);
      }
      Table again = database.createTable(TABLE);
      assertThat(Contents.of(again)).isEmpty();
    }
    try (Database database = Database.open(temporary, History.OPTIONS)) {
      assertThat(Contents.of(database.table("w", "t"))).isEmpty();
    }
  }

  private static int rest(LiveRows rows) throws IOException {
    int count = 0;
    while (rows.hasNext()) {
      rows.next();
      count++;
    }
    return count;
  }

  @Test
  void aCallbackCannotCloseTheThreadThatItRunsIn() throws Exception {
    // Time enough to say what follows before the sync is over.
    CommitLogOptions slow =
        CommitLogOptions.builder()
            .syncMode(SyncMode.GROUP)
            .groupWindow(Duration.ofMillis(20))
            .build();
    DatabaseOptions options = History.OPTIONS.toBuilder().commitLog(slow).build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable(TABLE);
      List<Throwable> failures = new ArrayList<>();
      for (int c = 0; c < 100 && failures.isEmpty(); c++) {
        CompletionStage<Void> written =
            table.writeAsync(table.mutation(1).insert(c).set("v", "x").build());
        Thread here = Thread.currentThread();
        written
            .thenRun(() -> closeElsewhere(database, here, failures))
            .toCompletableFuture()
            .join();
      }
      assertThat(failures).hasSize(1);
      assertThat(failures.get(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("thread of its own");
      write(table, 2, 1);
    }
  }

  /** Not if the write was synced at once, and this is still the thread that wrote. */
  private static void closeElsewhere(Database database, Thread writer, List<Throwable> failures) {
    if (Thread.currentThread() != writer) {
      try {
        database.close();
      } catch (IOException | IllegalStateException e) {
        failures.add(e);
      }
    }
  }

  /** Closes the database as soon as it hears anything, and notes what came of it. */
  private static final class ClosingListener implements EngineListener {
    private final Map<String, Throwable> refusals = new ConcurrentHashMap<>();
    private volatile @Nullable Database database;

    private void close(Object event) {
      Database open = database;
      if (open != null) {
        try {
          open.close();
        } catch (IOException | IllegalStateException e) {
          refusals.put(event.getClass().getSimpleName(), e);
        }
      }
    }

    @Override
    public void tableCreated(TableCreated event) {
      close(event);
    }

    @Override
    public void tableAltered(TableAltered event) {
      close(event);
    }

    @Override
    public void tableDropped(TableDropped event) {
      close(event);
    }

    @Override
    public void flushCompleted(FlushCompleted event) {
      close(event);
    }

    @Override
    public void slowRead(SlowRead event) {
      close(event);
    }
  }

  @Test
  @Timeout(60)
  void aListenerCannotCloseTheDatabaseOnWhateverThreadItIsTold() throws IOException {
    ClosingListener listener = new ClosingListener();
    DatabaseOptions options =
        History.OPTIONS.toBuilder()
            .listener(listener)
            .slowReadThreshold(Duration.ofNanos(1))
            .build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      listener.database = database;
      Table table = database.createTable(TABLE);
      write(table, 1, 1);
      assertThat(table.get(table.query().partition(1).build())).isPresent();
      table.flush();
      database.alterTable("w", "t", "ALTER TABLE w.t ADD x int");
      database.dropTable("w", "t");
      listener.database = null;
    }
    assertThat(listener.refusals)
        .containsOnlyKeys(
            "TableCreated", "SlowRead", "FlushCompleted", "TableAltered", "TableDropped");
    assertThat(listener.refusals.values())
        .allSatisfy(
            refusal ->
                assertThat(refusal)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("by a listener"));
  }

  /** These would wait for the flush, or for another thread that does. */
  @Test
  @Timeout(60)
  void aListenerThatIsToldOfAFlushCanReadAndWriteButNeitherChangeNorFlushATable()
      throws IOException {
    List<Throwable> refusals = new CopyOnWriteArrayList<>();
    List<Optional<Row>> found = new CopyOnWriteArrayList<>();
    AtomicBoolean told = new AtomicBoolean();
    try (Database database = Database.open(new MemoryDirectory(), History.OPTIONS)) {
      Table table = database.createTable(TABLE);
      Table other = database.createTable("CREATE TABLE w.other (k int PRIMARY KEY, v text)");
      List<Change> changes =
          List.of(
              (db, flushed) -> flushed.truncate(),
              (db, flushed) -> other.truncate(),
              (db, flushed) -> db.alterTable("w", "t", "ALTER TABLE w.t ADD x int"),
              (db, flushed) -> db.createTable("CREATE TABLE w.third (k int PRIMARY KEY)"),
              (db, flushed) -> db.dropTable("w", "other"),
              (db, flushed) -> flushed.importTables(new MemoryDirectory()),
              (db, flushed) -> db.checkpoint(new MemoryDirectory()),
              (db, flushed) -> flushed.flush(),
              (db, flushed) -> other.flush(),
              (db, flushed) -> db.flush());
      database.addListener(
          new EngineListener() {
            @Override
            public void flushCompleted(FlushCompleted event) {
              if (told.getAndSet(true)) {
                return;
              }
              for (Change change : changes) {
                try {
                  change.run(database, table);
                } catch (IOException | RuntimeException e) {
                  refusals.add(e);
                }
              }
              try {
                write(table, 2, 2);
                found.add(table.get(table.query().partition(2).build()));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          });
      write(table, 1, 1);
      table.flush();
      assertThat(refusals)
          .hasSize(changes.size())
          .allSatisfy(
              refusal ->
                  assertThat(refusal)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("by a listener that is told of a flush"));
      assertThat(found).singleElement().matches(Optional::isPresent);
      assertThat(database.tables()).hasSize(2);
      table.truncate();
    }
  }

  /** What may not be left half done. */
  private interface Change {
    void run(Database database, Table table) throws IOException;
  }

  @Test
  void anInterruptEndsNoChangeAndIsKept() throws IOException {
    Path source = temporary.resolve("source");
    try (Database other = Database.open(source, History.OPTIONS)) {
      Table table = other.createTable(TABLE);
      write(table, 7, 7);
      other.checkpoint(temporary.resolve("foreign"));
    }
    Path foreign =
        temporary
            .resolve("foreign/data/w")
            .resolve(new File(temporary.resolve("foreign/data/w").toString()).list()[0]);
    List<Change> changes =
        List.of(
            (database, table) -> write(table, 2, 1),
            (database, table) -> table.flush(),
            (database, table) -> database.sync(),
            (database, table) -> database.createTable("CREATE TABLE w.u (k int PRIMARY KEY)"),
            (database, table) -> database.alterTable("w", "t", "ALTER TABLE w.t ADD x int"),
            (database, table) -> table.importTables(foreign),
            (database, table) -> database.checkpoint(temporary.resolve("checkpoint")),
            (database, table) -> table.truncate(),
            (database, table) -> database.dropTable("w", "t"));
    try (Database database = Database.open(temporary.resolve("database"), History.OPTIONS)) {
      Table table = database.createTable(TABLE);
      for (int i = 0; i < changes.size(); i++) {
        write(database.table("w", "t"), 1, i);
        Thread.currentThread().interrupt();
        changes.get(i).run(database, table);
        assertThat(Thread.interrupted()).as("interrupt of change %s", i).isTrue();
        assertThat(database.statistics().readOnlyReason()).isNull();
      }
    }
  }

  /** What several threads do until they are told that the database is closed. */
  private interface Use {
    void run() throws IOException;
  }

  private static final class Users {
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final CountDownLatch busy;

    Users(int count) {
      busy = new CountDownLatch(count);
    }

    void start(Use use) {
      Thread thread =
          new Thread(
              () -> {
                int done = 0;
                try {
                  while (true) {
                    use.run();
                    if (++done == 3) {
                      busy.countDown();
                    }
                  }
                } catch (IllegalStateException e) {
                  if (!String.valueOf(e.getMessage()).contains("closed")) {
                    failures.add(e);
                  }
                } catch (Throwable e) {
                  failures.add(e);
                } finally {
                  while (done++ < 3) {
                    busy.countDown();
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }

    void awaitBusy() throws InterruptedException {
      busy.await();
    }

    void requireClosed() throws InterruptedException {
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void closingEndsWhatOthersAreDoing() throws Exception {
    for (int round = 0; round < 5 * SCALE; round++) {
      Directory disk = new MemoryDirectory();
      Database database = Database.open(disk, History.OPTIONS);
      Table table = database.createTable(TABLE);
      Users users = new Users(8);
      users.start(() -> write(table, 1, 1));
      users.start(() -> write(table, 2, 1));
      users.start(() -> table.writeAsync(table.mutation(3).insert(1).set("v", "y").build()));
      users.start(table::flush);
      users.start(() -> Contents.of(table));
      users.start(() -> table.get(table.query().partition(1).build()));
      users.start(
          () -> {
            try (PartitionCursor cursor = table.cursor(new Read.OfRange(PartitionRange.ALL))) {
              while (cursor.nextPartition()) {
                while (cursor.nextUnfiltered()) {
                  assertThat(cursor.unfiltered()).isNotNull();
                }
              }
            }
          });
      users.start(
          () -> {
            // Never closed by its user.
            LiveRows rows = table.read(table.query().build());
            while (rows.hasNext()) {
              assertThat(rows.next()).isNotNull();
            }
          });
      users.awaitBusy();
      database.close();
      users.requireClosed();
      try (Database again = Database.open(disk, History.OPTIONS)) {
        assertThat(Contents.of(again.table("w", "t"))).hasSize(3);
      }
    }
  }

  @Test
  void alteringAndTruncatingDoNotDisturbReadsWritesAndFlushes() throws Exception {
    Users users = new Users(5);
    // The commit log repeats the definition, with columns that were dropped, in each segment.
    DatabaseOptions options =
        History.OPTIONS.toBuilder()
            .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
            .build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable(TABLE);
      users.start(() -> write(table, 1, 1));
      users.start(() -> write(table, 2, 1));
      users.start(table::flush);
      users.start(() -> Contents.of(table));
      users.start(() -> table.get(table.query().partition(1).build()));
      users.awaitBusy();
      for (int round = 0; round < 25 * SCALE; round++) {
        database.alterTable("w", "t", "ALTER TABLE w.t ADD x" + round + " int");
        database.alterTable("w", "t", "ALTER TABLE w.t DROP x" + round);
        // With few SSTables reads are fast, and meet many changes.
        table.truncate();
      }
    }
    users.requireClosed();
  }

  /** Who made or renamed them may have died before their names were durable. */
  @Test
  void namesAreSyncedBeforeAnythingIsBuiltUponThem() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (Database database = Database.open(disk, options)) {
      database.createTable("CREATE TABLE w.t (k int PRIMARY KEY)");
    }
    // Otherwise it is known that the process has closed the database.
    disk.delete("clean_close");
    CountingDirectory counting = new CountingDirectory(disk);
    Database.open(counting, options).close();
    for (String path : new String[] {"", "data", "data/w", "data/w/t-*"}) {
      assertThat(counting.count(Operation.SYNC_DIRECTORY, path)).as("'%s'", path).isPositive();
    }
  }
}
