package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A change that fails before its deciding step, as for want of space or of file descriptors, has no
 * effect, and the database goes on. A failure that leaves something in doubt stops it.
 */
class PassingFailuresTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 71);
  private static final String TEXT = "Too many open files";
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .chunkCacheBytes(0)
          .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
          .build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** A change of a database that has a table {@code t} with two rows, and one in memory. */
  private enum Change {
    FLUSH {
      @Override
      void run(Directory disk, Database database) throws IOException {
        database.table("w", "t").flush();
      }
    },
    ALTER {
      @Override
      void run(Directory disk, Database database) throws IOException {
        database.alterTable("w", "t", "ALTER TABLE w.t ADD added int");
      }
    },
    TRUNCATE {
      @Override
      void run(Directory disk, Database database) throws IOException {
        database.table("w", "t").truncate();
      }
    },
    CREATE {
      @Override
      void run(Directory disk, Database database) throws IOException {
        database.createTable("CREATE TABLE IF NOT EXISTS w.new (k int PRIMARY KEY, v text)");
      }
    },
    CREATE_WITH_ID {
      @Override
      void run(Directory disk, Database database) throws IOException {
        database.createTable(
            "CREATE TABLE IF NOT EXISTS w.new (k int PRIMARY KEY, v text)"
                + " WITH id = 01234567-89ab-cdef-0123-456789abcdef");
      }
    },
    DROP {
      @Override
      void run(Directory disk, Database database) throws IOException {
        database.dropTable("w", "t");
      }
    },
    IMPORT {
      @Override
      void run(Directory disk, Database database) throws IOException {
        Directory keyspace = disk.directory("foreign").directory("data").directory("w");
        database.table("w", "t").importTables(keyspace.directory(keyspace.directories().get(0)));
      }
    },
    CHECKPOINT {
      @Override
      void run(Directory disk, Database database) throws IOException {
        database.checkpoint(disk.directory("copy"));
      }
    };

    abstract void run(Directory disk, Database database) throws IOException;
  }

  /** A database on a disk that counts operations, or fails at one of them. */
  private static final class Run implements EngineListener {
    private final Queue<String> stopped = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failedFlushes = new ConcurrentLinkedQueue<>();
    private final MemoryDirectory disk = new MemoryDirectory();

    @Override
    public void engineReadOnly(EngineReadOnly event) {
      stopped.add(event.reason());
    }

    @Override
    public void flushFailed(FlushFailed event) {
      failedFlushes.add(event.cause());
    }
  }

  private static void write(Table table, int key, String value) throws IOException {
    table.write(table.mutation(key).insert().set("v", value).build());
  }

  private static Database prepare(Run run, Directory disk) throws IOException {
    Database database =
        Database.open(disk.directory("db"), OPTIONS.toBuilder().listener(run).build());
    Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
    write(table, 1, "one");
    table.flush();
    write(table, 2, "two");
    try (Database other = Database.open(run.disk.directory("source"), OPTIONS)) {
      write(other.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)"), 9, "foreign");
      other.checkpoint(run.disk.directory("foreign"));
    }
    return database;
  }

  // All but the commit log, whose failures are told elsewhere.
  private static final List<String> FILES =
      List.of(
          "db/data/w/*/*",
          "db/data/w/*",
          "db/data/w",
          "copy/data/w/*/*",
          "copy/data/w/*",
          "copy/*");

  private static final Operation[] OPERATIONS = {
    Operation.OPEN,
    Operation.CREATE,
    Operation.APPEND,
    Operation.WRITE,
    Operation.RENAME,
    Operation.LINK,
    Operation.LIST,
    Operation.MAKE_DIRECTORY,
    Operation.DELETE,
    Operation.SYNC,
    Operation.SYNC_DIRECTORY
  };

  @ParameterizedTest
  @EnumSource(Change.class)
  void aFailureAtAnyCallHasNoEffectOrStopsTheDatabase(Change change) throws IOException {
    int open = 0;
    int all = 0;
    for (Calls calls : callsOf(change)) {
      // The first two calls, and some of those after them; all of them in longer runs.
      for (long nth = 1; nth <= calls.count(); nth += SCALE == 1 && nth > 1 ? 6 : 1) {
        String what = change + ", " + calls.operation() + " " + nth + " of " + calls.files();
        try {
          DatabaseState state = failAt(change, calls.operation(), calls.files(), nth);
          all += state == DatabaseState.CLOSED ? 0 : 1;
          open += state == DatabaseState.OPEN ? 1 : 0;
        } catch (IOException | RuntimeException | AssertionError e) {
          throw new AssertionError(what + ": " + e, e);
        }
      }
    }
    assertThat(all).isGreaterThanOrEqualTo(5);
    assertThat(open).as("of %s failures", all).isGreaterThan(all / 3);
  }

  /** Returns the state after the failure; closed if the change has fewer such calls. */
  private DatabaseState failAt(Change change, Operation operation, String files, long call)
      throws IOException {
    Run run = new Run();
    Fault fault = Fault.on(operation).files(files).disarmed().call(call).fails(TEXT);
    FaultyDirectory disk = new FaultyDirectory(run.disk, SEED, fault);
    Database database = prepare(run, leaks.watch(disk));
    fault.arm();
    Map<String, List<String>> found = Contents.of(database);
    @Nullable IOException failure = null;
    try {
      change.run(disk, database);
    } catch (IOException e) {
      failure = e;
    }
    if (fault.fired() == 0) {
      try {
        database.close();
      } catch (IOException e) {
        assertThat(e).hasStackTraceContaining(TEXT);
      }
      return DatabaseState.CLOSED;
    }
    DatabaseState state = database.state();
    if (failure != null) {
      assertThat(failure).hasStackTraceContaining(TEXT);
    }
    if (state == DatabaseState.STOPPED) {
      requireStopped(operation, failure, run, database);
    } else {
      requireGoesOn(change, failure, found, disk, run, database);
    }
    reopen(run, change, state);
    return state;
  }

  /**
   * The calls of one operation on files.
   *
   * @param count calls of the change, without those of the preparation
   */
  private record Calls(Operation operation, String files, long count) {}

  /** Counts the calls of a change that does not fail. */
  private static List<Calls> callsOf(Change change) throws IOException {
    Run run = new Run();
    List<Calls> counted = new ArrayList<>();
    List<Fault> counters = new ArrayList<>();
    for (String files : FILES) {
      for (Operation operation : OPERATIONS) {
        counted.add(new Calls(operation, files, 0));
        counters.add(Fault.on(operation).files(files).disarmed().runs("counted", () -> {}));
      }
    }
    FaultyDirectory disk = new FaultyDirectory(run.disk, SEED, counters.toArray(Fault[]::new));
    try (Database database = prepare(run, disk)) {
      counters.forEach(Fault::arm);
      change.run(disk, database);
      for (int i = 0; i < counted.size(); i++) {
        Calls calls = counted.get(i);
        counted.set(i, new Calls(calls.operation(), calls.files(), counters.get(i).calls()));
      }
    }
    return counted;
  }

  private static void requireStopped(
      Operation operation, @Nullable IOException failure, Run run, Database database)
      throws IOException {
    String trace = failure == null ? String.valueOf(run.stopped) : trace(failure);
    boolean isSync = operation == Operation.SYNC || operation == Operation.SYNC_DIRECTORY;
    // A truncation that the log has, and that the SSTables have not.
    boolean isDecided = trace.contains("_txn_") && operation == Operation.WRITE;
    assertThat(isSync || isDecided).as(trace).isTrue();
    assertThat(database.stoppedReason()).isPresent();
    assertThat(database.isReadOnly()).isFalse();
    assertThat(Contents.of(database)).isNotEmpty();
    assertThatThrownBy(() -> write(database.table("w", "t"), 3, "three"))
        .isInstanceOfAny(
            ReadOnlyException.class, IOException.class, IllegalArgumentException.class);
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
  }

  private static String trace(Throwable failure) {
    StringBuilder trace = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      trace.append(cause).append('\n');
    }
    return trace.toString();
  }

  private static void requireGoesOn(
      Change change,
      @Nullable IOException failure,
      Map<String, List<String>> before,
      Directory disk,
      Run run,
      Database database)
      throws IOException {
    assertThat(run.stopped).isEmpty();
    assertThat(database.stoppedReason()).isEmpty();
    if (failure != null) {
      assertThat(Contents.of(database)).isEqualTo(before);
      if (change == Change.FLUSH) {
        assertThat(run.failedFlushes).isNotEmpty();
      }
      // The fault is gone, and the same works now.
      change.run(disk, database);
    }
    Table table = database.createTable("CREATE TABLE w.more (k int PRIMARY KEY, v text)");
    write(table, 5, "five");
    table.flush();
    database.close();
  }

  private static void reopen(Run run, Change change, DatabaseState state) throws IOException {
    for (int i = 0; i < 2; i++) {
      try (Database again = Database.open(run.disk.directory("db"), OPTIONS)) {
        if (state == DatabaseState.OPEN) {
          assertThat(Contents.of(again.table("w", "more"))).containsExactly("5 five");
        }
        if (again.findTable("w", "t").isEmpty()) {
          assertThat(change).isEqualTo(Change.DROP);
          continue;
        }
        List<String> rows = new ArrayList<>();
        Contents.of(again.table("w", "t")).forEach(row -> rows.add(row.replace(" null", "")));
        rows.remove("9 foreign");
        if (state == DatabaseState.OPEN) {
          assertThat(change).isNotEqualTo(Change.DROP);
          assertThat(rows)
              .isEqualTo(change == Change.TRUNCATE ? List.of() : List.of("1 one", "2 two"));
        } else if (change != Change.TRUNCATE || !rows.isEmpty()) {
          assertThat(rows).containsExactly("1 one", "2 two");
        }
      }
    }
    if (change == Change.CHECKPOINT && state == DatabaseState.OPEN) {
      try (Database copy = Database.open(run.disk.directory("copy"), OPTIONS)) {
        assertThat(Contents.of(copy.table("w", "t"))).containsExactly("1 one", "2 two");
      }
    }
  }

  /** Nobody has to ask for it: the flush is tried again by itself, later each time. */
  @Test
  void aFlushThatHasFailedIsTriedAgain() throws IOException {
    Run run = new Run();
    Fault full =
        Fault.on(Operation.CREATE).files("*-Data.db.tmp").fromCall(2).fails(Fault.NO_SPACE);
    FaultyDirectory disk = new FaultyDirectory(run.disk, SEED, full);
    Database database = prepare(run, leaks.watch(disk));
    Table table = database.table("w", "t");
    assertThatThrownBy(table::flush).hasStackTraceContaining(Fault.NO_SPACE);
    assertThat(database.state()).isEqualTo(DatabaseState.OPEN);
    write(table, 3, "three");
    while (run.failedFlushes.size() < 2) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(Contents.of(table)).containsExactly("1 one", "2 two", "3 three");
    assertThat(database.state()).isEqualTo(DatabaseState.OPEN);
    assertThatThrownBy(database::close).hasStackTraceContaining(Fault.NO_SPACE);
    assertThat(database.state()).isEqualTo(DatabaseState.CLOSED);
    try (Database again = Database.open(run.disk.directory("db"), OPTIONS)) {
      assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 one", "2 two", "3 three");
    }
  }

  /** Whoever waits for memory that only a flush gives learns why there is none. */
  @Test
  void aWriteFailsWithTheReasonWhileMemtablesAreFullAndCannotBeFlushed() throws IOException {
    Run run = new Run();
    Fault full = Fault.on(Operation.CREATE).files("*-Data.db.tmp").fails(Fault.NO_SPACE);
    FaultyDirectory disk = new FaultyDirectory(run.disk, SEED, full);
    DatabaseOptions small = OPTIONS.toBuilder().memtableBytes(1 << 20).listener(run).build();
    try (Database database = Database.open(disk, small)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      assertThatThrownBy(
              () -> {
                for (int k = 0; ; k++) {
                  write(table, k, "x".repeat(1000));
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("cannot be written, which is tried again", Fault.NO_SPACE);
      assertThat(database.state()).isEqualTo(DatabaseState.OPEN);
    } catch (IOException e) {
      assertThat(e).hasStackTraceContaining(Fault.NO_SPACE);
    }
  }

  @Test
  void theStateSaysWhatCanBeDone() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Database database = Database.open(disk, OPTIONS);
    assertThat(database.state()).isEqualTo(DatabaseState.OPEN);
    assertThat(database.statistics().state()).isEqualTo(DatabaseState.OPEN);
    database.close();
    assertThat(database.state()).isEqualTo(DatabaseState.CLOSED);
    assertThat(database.stoppedReason()).isEmpty();
    try (Database reader = Database.open(disk, OPTIONS.toBuilder().readOnly(true).build())) {
      assertThat(reader.state()).isEqualTo(DatabaseState.READ_ONLY);
      assertThat(reader.isReadOnly()).isTrue();
    }
  }
}
