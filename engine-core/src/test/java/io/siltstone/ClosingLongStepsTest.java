package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.explain.ReadTrace;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.LiveRows.QueryCancelledException;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.statistics.ReadSummary;
import io.siltstone.testkit.LeakChecking;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A step that passes over very much that is not shown, and a close or a cancellation by another
 * thread in the middle of it, or a timeout: the step ends soon, as any use after the close does,
 * and the closer need not wait for its end.
 */
class ClosingLongStepsTest {
  private static final int ROWS = 10_000;
  // Each of them fills several reads of 256 KiB.
  private static final int BYTES = 400;

  /** Reads that may still be made by a step that has been told to end. */
  private static final int SOON = 5;

  // Of table t: what its partitions have.
  private static final int DELETED_ROWS = 1;
  private static final int ROWS_TO_PASS = 2;
  private static final int ROWS_TO_DELETE = 3;

  private static MemoryDirectory disk;
  private static Directory written;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** A step of a handle. */
  interface Step {
    void run() throws IOException;
  }

  /**
   * A handle, the step that is long, what tells whether there is something behind it, and what
   * cancels the handle; null if nothing does.
   */
  record Case(Closeable handle, Step step, Step look, @Nullable Runnable cancel) {
    static Case of(LiveRows rows) {
      Step step =
          () -> {
            boolean unused = rows.hasNext();
          };
      return new Case(rows, step, step, rows::cancel);
    }

    static Case of(PartitionCursor cursor) {
      return new Case(cursor, cursor::nextPartition, cursor::nextPartition, null);
    }

    static Case of(KeyValueIterator entries, Step step) {
      return new Case(entries, step, entries::isValid, entries::cancel);
    }
  }

  /** Opens a handle and brings it before its long step. */
  interface Opening {
    Case open(Database database) throws IOException;
  }

  /** Steps that pass over much. */
  enum LongStep {
    ROWS_OF_A_PARTITION(
        database -> rows(database, table(database).query().partition(DELETED_ROWS))),
    ROWS_OF_A_PARTITION_REVERSED(
        database -> rows(database, table(database).query().partition(DELETED_ROWS).reversed())),
    ROWS_OF_A_PARTITION_WITH_A_LIMIT(
        database -> rows(database, table(database).query().partition(DELETED_ROWS).limit(1))),
    ROWS_OF_A_TRACED_READ(
        database ->
            Case.of(
                table(database)
                    .read(
                        table(database).query().partition(DELETED_ROWS).build(), new ReadTrace()))),
    ROWS_OF_ALL_PARTITIONS(database -> rows(database, table(database).query())),
    ROWS_OF_ALL_PARTITIONS_WITH_A_LIMIT(
        database -> rows(database, table(database).query().limit(1))),
    ROWS_UNDER_A_DELETION_OF_THE_PARTITION(
        database -> {
          database.write(
              table(database).mutation(ROWS_TO_DELETE).timestamp(2).deletePartition().build());
          PartitionCursor cursor =
              table(database)
                  .cursor(
                      QueryFactory.readsOf(
                              table(database).query().partition(ROWS_TO_DELETE).build())
                          .get(0));
          assertThat(cursor.nextPartition()).isTrue();
          return new Case(cursor, cursor::nextUnfiltered, cursor::nextUnfiltered, null);
        }),
    ROWS_BEHIND_THE_FIRST_OF_A_PARTITION(
        database -> {
          LiveRows rows =
              table(database)
                  .read(
                      table(database).query().keysFrom(ROWS_TO_PASS).perPartitionLimit(1).build());
          assertThat(rows.next().getInt("k")).isEqualTo(ROWS_TO_PASS);
          return Case.of(rows);
        }),
    ROWS_BEHIND_THE_FIRST_OF_A_PARTITION_WITH_A_LIMIT(
        database -> {
          LiveRows rows =
              table(database)
                  .read(
                      table(database)
                          .query()
                          .keysFrom(ROWS_TO_PASS)
                          .perPartitionLimit(1)
                          .limit(2)
                          .build());
          assertThat(rows.next().getInt("k")).isEqualTo(ROWS_TO_PASS);
          return Case.of(rows);
        }),
    REST_OF_A_PARTITION(
        database -> {
          PartitionCursor cursor = table(database).cursor(new Read.OfRange(PartitionRange.ALL));
          assertThat(cursor.nextPartition()).isTrue();
          return Case.of(cursor);
        }),
    FIRST_ENTRY(
        database -> {
          KeyValueIterator entries = store(database).iterator();
          return Case.of(entries, entries::seekToFirst);
        }),
    LAST_ENTRY(
        database -> {
          KeyValueIterator entries = store(database).iterator();
          return Case.of(entries, entries::seekToLast);
        }),
    ENTRY_FROM_A_KEY(
        database -> {
          KeyValueIterator entries = store(database).iterator();
          return Case.of(entries, () -> entries.seek(new byte[] {1}));
        }),
    ENTRY_UP_TO_A_KEY(
        database -> {
          KeyValueIterator entries = store(database).iterator();
          return Case.of(entries, () -> entries.seekForPrev(new byte[] {(byte) 0xf0}));
        }),
    NEXT_ENTRY(
        database -> {
          store(database).put(new byte[] {0}, new byte[1]);
          KeyValueIterator entries = store(database).iterator();
          entries.seekToFirst();
          return Case.of(entries, entries::next);
        }),
    ENTRY_BEFORE(
        database -> {
          store(database).put(new byte[] {(byte) 0xff}, new byte[1]);
          KeyValueIterator entries = store(database).iterator();
          entries.seekToLast();
          return Case.of(entries, entries::prev);
        }),
    ENTRY_OF_A_SNAPSHOT(
        database -> {
          try (KeyValueSnapshot snapshot = store(database).snapshot()) {
            KeyValueIterator entries = snapshot.iterator();
            return Case.of(entries, entries::seekToFirst);
          }
        });

    @SuppressWarnings("ImmutableEnumChecker") // lambdas that hold nothing
    private final Opening opening;

    LongStep(Opening opening) {
      this.opening = opening;
    }

    private static Case rows(Database database, Query.Builder query) throws IOException {
      return Case.of(table(database).read(query.build()));
    }
  }

  @AfterEach
  void noThreadIsLeft() {
    Leftovers.requireNoThreads();
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .partitioner(Partitioner.BYTE_ORDERED)
        .chunkCacheBytes(0)
        // So that it is the step that is held up at a read, and nobody who reads ahead of it.
        .scanThreads(0)
        .build();
  }

  private static Table table(Database database) {
    return database.table("w", "t");
  }

  private static KeyValueStore store(Database database) {
    return KeyValueStore.in(database, "w", "kv");
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    // Neither the least nor the greatest of keys.
    bytes[0] = (byte) (0x10 + (bytes[0] & 0x7f));
    return bytes;
  }

  @BeforeAll
  static void write() throws IOException {
    disk = new MemoryDirectory();
    written = disk.directory("written");
    Random random = new Random(1);
    try (Database database = Database.open(written, options())) {
      Table table =
          database.createTable(
              "CREATE TABLE w.t (k int, c blob, v int, PRIMARY KEY (k, c))"
                  + " WITH compression = {'enabled': 'false'}");
      var unused =
          database.createTable(
              "CREATE TABLE w.kv (key blob PRIMARY KEY, value blob)"
                  + " WITH compression = {'enabled': 'false'}");
      KeyValueStore store = store(database);
      for (int i = 0; i < ROWS; i++) {
        ByteBuffer clustering = ByteBuffer.wrap(bytes(random));
        table.write(table.mutation(DELETED_ROWS).deleteRow(clustering).build());
        table.write(table.mutation(ROWS_TO_PASS).insert(clustering).set("v", i).build());
        table.write(
            table.mutation(ROWS_TO_DELETE).timestamp(1).insert(clustering).set("v", i).build());
        store.delete(bytes(random));
      }
      database.flush();
    }
  }

  private Database open(HeldReads reads) throws IOException {
    // Files are never written again, so that links are copies.
    Directory copy = disk.directory("copy" + disk.directories().size());
    link(written, copy);
    return Database.open(reads.in(leaks.watch(copy)), options());
  }

  private static void link(Directory from, Directory to) throws IOException {
    for (String name : from.files()) {
      from.link(name, to, name);
    }
    for (String name : from.directories()) {
      link(from.directory(name), to.directory(name));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theStepReadsMuchIfNobodyCloses(LongStep of) throws IOException {
    HeldReads reads = new HeldReads();
    try (Database database = open(reads)) {
      Case opened = of.opening.open(database);
      int before = reads.count();
      opened.step.run();
      assertThat(reads.count() - before).isGreaterThan(2 * SOON);
      opened.handle.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoeverClosesTheHandleNeedNotWaitForTheEndOfTheStep(LongStep of) throws Exception {
    closeMeanwhile(of, false);
  }

  @ParameterizedTest
  @EnumSource
  void whoeverClosesTheDatabaseNeedNotWaitForTheEndOfTheStep(LongStep of) throws Exception {
    closeMeanwhile(of, true);
  }

  /** Whoever cancels waits for nothing, and what the step held is free before it is closed. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "ROWS_OF_A_PARTITION",
        "ROWS_OF_A_PARTITION_REVERSED",
        "ROWS_OF_ALL_PARTITIONS",
        "ROWS_BEHIND_THE_FIRST_OF_A_PARTITION_WITH_A_LIMIT",
        "FIRST_ENTRY",
        "LAST_ENTRY",
        "ENTRY_BEFORE"
      })
  void aStepThatIsCancelledWhileItWaitsForTheDiskEndsSoon(LongStep of) throws Exception {
    HeldReads reads = new HeldReads();
    try (Database database = open(reads)) {
      Case opened = of.opening.open(database);
      Runnable cancel = Objects.requireNonNull(opened.cancel);
      String table = opened.handle instanceof LiveRows ? "w.t" : "w.kv";
      Throwable[] outcome = new Throwable[1];
      reads.hold(2);
      Thread user = new Thread(() -> outcome[0] = catchThrowable(opened.step::run));
      user.start();
      reads.awaitHeld();
      cancel.run();
      int before = reads.count();
      reads.letGo();
      user.join();
      assertThat(reads.count() - before).isLessThan(SOON);
      assertThat(outcome[0])
          .isInstanceOf(QueryCancelledException.class)
          .hasMessageStartingWith("a read of " + table + " was cancelled");
      assertThat(((QueryCancelledException) outcome[0]).timeout()).isEmpty();
      assertThatThrownBy(opened.look::run).isSameAs(outcome[0]);
      assertCounted(database, table, 0, 1);
      assertThat(database.statistics().openHandles()).isZero();
      opened.handle.close();
      cancel.run();
      assertThatThrownBy(opened.look::run).isSameAs(outcome[0]);
      assertCounted(database, table, 0, 1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ROWS_OF_A_PARTITION", "ROWS_OF_ALL_PARTITIONS"})
  void aStepThatTakesTooLongEndsSoon(LongStep of) throws IOException {
    HeldReads reads = new HeldReads();
    Duration limit = Duration.ofNanos(1);
    try (Database database = open(reads)) {
      Query.Builder query = table(database).query().timeout(limit);
      if (of.name().startsWith("ROWS_OF_A_")) {
        query.partition(DELETED_ROWS);
      }
      int before = reads.count();
      try (LiveRows rows = table(database).read(query.build())) {
        assertThatThrownBy(rows::hasNext)
            .isInstanceOf(QueryCancelledException.class)
            .hasMessageContaining("timeout of PT0.000000001S")
            .satisfies(
                thrown -> assertThat(((QueryCancelledException) thrown).timeout()).contains(limit));
      }
      assertThatThrownBy(() -> table(database).get(query.build()))
          .isInstanceOf(QueryCancelledException.class);
      assertThat(reads.count() - before).isLessThan(SOON);
      assertCounted(database, "w.t", 2, 0);
    }
  }

  @Test
  void anIteratorThatTakesTooLongEndsSoonAndSaysHowFarItCame() throws IOException {
    HeldReads reads = new HeldReads();
    Duration limit = Duration.ofNanos(1);
    try (Database database = open(reads);
        KeyValueIterator entries = store(database).iterator()) {
      entries.timeout(Duration.ofDays(1));
      entries.timeout(limit);
      int before = reads.count();
      assertThatThrownBy(entries::seekToFirst)
          .isInstanceOf(QueryCancelledException.class)
          .hasMessageStartingWith(
              "a read of w.kv has taken more than its timeout of PT0.000000001S")
          .hasMessageContaining("it has reached key 0x10");
      assertThat(reads.count() - before).isLessThan(SOON);
      assertThatThrownBy(() -> entries.timeout(Duration.ofDays(1)))
          .isInstanceOf(QueryCancelledException.class);
      assertCounted(database, "w.kv", 1, 0);
    }
  }

  private static void assertCounted(Database database, String table, int timedOut, int cancelled)
      throws IOException {
    ReadSummary reads = database.table("w", table.substring(2)).statistics().reads();
    assertThat(reads.timedOut()).isEqualTo(timedOut);
    assertThat(reads.cancelled()).isEqualTo(cancelled);
  }

  private void closeMeanwhile(LongStep of, boolean withDatabase) throws Exception {
    HeldReads reads = new HeldReads();
    try (Database database = open(reads)) {
      Case opened = of.opening.open(database);
      Throwable[] outcome = new Throwable[2];
      reads.hold(2);
      Thread user = new Thread(() -> outcome[0] = catchThrowable(opened.step::run));
      user.start();
      reads.awaitHeld();
      Closeable closed = withDatabase ? database : opened.handle;
      Thread closer = new Thread(() -> outcome[1] = catchThrowable(closed::close));
      closer.start();
      // It has said that it closes, and waits for the step.
      while (closer.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      int before = reads.count();
      reads.letGo();
      user.join();
      closer.join();
      assertThat(outcome[0])
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      assertThat(outcome[1]).isNull();
      assertThat(reads.count() - before).isLessThan(SOON);
      assertThatThrownBy(opened.look::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(outcome[0].getMessage());
    }
  }
}
