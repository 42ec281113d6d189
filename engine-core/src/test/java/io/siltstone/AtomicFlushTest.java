package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables without a log that are written together: a crash or a failure at any operation leaves all
 * of them as they were at the same flush, and tables with a log at least as far.
 */
class AtomicFlushTest {
  private static final long SEED = Long.getLong("siltstone.seed", 43);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  private static final DatabaseOptions OPTIONS =
      History.OPTIONS.toBuilder()
          .commitLog(CommitLogOptions.builder().period(Duration.ofHours(1)).build())
          .build();
  private static final DatabaseOptions READ_ONLY = OPTIONS.toBuilder().readOnly(true).build();

  // Steps of the disk at which the power goes, before the tables have anything in common.
  private static final int STEPS = 3;
  private static final int KEYS = 2;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** Creates two tables without a log, and one with a log. */
  private static void create(Directory disk) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      for (String name : List.of("a", "b")) {
        database.createTable(
            "CREATE TABLE w." + name + " (k int PRIMARY KEY, v int) WITH durable_writes = false");
      }
      database.createTable("CREATE TABLE w.logged (k int PRIMARY KEY, v int)");
    }
  }

  /** Writes a step to all tables as one batch. */
  private static void write(Database database, int step) throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    for (Table table : database.tables()) {
      mutations.add(table.mutation(step % KEYS).insert().set("v", step).build());
    }
    database.write(Batch.of(mutations.toArray(Mutation[]::new)));
  }

  /** Returns the number of steps that the tables without a log contain, all of them the same. */
  private static int stepOf(Database database) throws IOException {
    int step = stepOf(database, "a");
    assertThat(stepOf(database, "b")).isEqualTo(step);
    assertThat(stepOf(database, "logged")).isGreaterThanOrEqualTo(step);
    return step;
  }

  private static int stepOf(Database database, String table) throws IOException {
    List<String> rows = Contents.of(database.table("w", table));
    int step = rows.stream().mapToInt(row -> Integer.parseInt(row.split(" ")[1])).max().orElse(0);
    Map<Integer, Integer> expected = new TreeMap<>();
    for (int i = 1; i <= step; i++) {
      expected.put(i % KEYS, i);
    }
    List<String> all = new ArrayList<>();
    expected.forEach((key, value) -> all.add(key + " " + value));
    assertThat(rows).isEqualTo(all);
    return step;
  }

  /** Batches, and flushes of one of the tables. Tells how far all tables are flushed. */
  private static final class Batches {
    private int flushed;

    void run(Directory disk) throws IOException {
      try (Database database = Database.open(disk, OPTIONS)) {
        List<Table> order = database.tables();
        for (int i = 1; i <= STEPS; i++) {
          write(database, i);
          Table next = order.get(i % order.size());
          next.flush();
          if (!next.toString().equals("w.logged")) {
            flushed = i;
          }
        }
      }
      flushed = STEPS;
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void allTablesAreAtTheSameFlushAfterAPowerLossAtAnyOperation(FileSystemModel model)
      throws IOException {
    SimulatedDisk prepared = new SimulatedDisk(model);
    create(prepared);
    requireOneFlushAtAnyOperation(prepared, point -> disk -> disk.powerLoss(SEED + point));
  }

  @Test
  void allTablesAreAtTheSameFlushAfterTheProcessDiesAtAnyOperation() throws IOException {
    SimulatedDisk prepared = new SimulatedDisk();
    create(prepared);
    requireOneFlushAtAnyOperation(prepared, point -> SimulatedDisk::processDeath);
  }

  /** What ends a run. */
  private interface End {
    SimulatedDisk of(SimulatedDisk disk);
  }

  private interface Ends {
    End at(long point);
  }

  private static void requireOneFlushAtAnyOperation(SimulatedDisk prepared, Ends ends)
      throws IOException {
    SimulatedDisk whole = prepared.powerLoss(SEED);
    new Batches().run(whole);
    long points = whole.operations();
    for (long point = 0; point <= points; point++) {
      SimulatedDisk disk = prepared.powerLoss(SEED);
      disk.crashAfter(point);
      Batches batches = new Batches();
      try {
        batches.run(disk);
      } catch (IOException e) {
        assertThat(disk.isLost()).as("%s", e).isTrue();
      }
      String last = disk.lastOperations();
      SimulatedDisk found = ends.at(point).of(disk);
      try {
        requireOneFlush(found, batches.flushed, point % 16 == 0 || SCALE > 1);
      } catch (IOException | AssertionError e) {
        throw new AssertionError("seed " + SEED + ", operation " + point + ", " + last, e);
      }
    }
    assertThat(points).isGreaterThan(100);
  }

  private static void requireOneFlush(SimulatedDisk found, int flushed, boolean isCutAgain)
      throws IOException {
    int seen;
    try (Database database = Database.open(found, READ_ONLY)) {
      seen = stepOf(database);
    }
    assertThat(seen).isBetween(flushed, STEPS);
    // The power goes again while it is opened, later each time.
    boolean isCut = isCutAgain;
    for (int operations = 0; isCut; operations += 1 + operations / 2) {
      SimulatedDisk copy = found.powerLoss(SEED);
      copy.crashAfter(operations);
      try (Database database = Database.open(copy, OPTIONS)) {
        assertThat(stepOf(database)).isEqualTo(seen);
      } catch (IOException | UncheckedIOException e) {
        assertThat(copy.isLost()).as("%s", e).isTrue();
      }
      isCut = copy.isLost();
      try (Database database = Database.open(copy.powerLoss(SEED + operations), OPTIONS)) {
        assertThat(stepOf(database)).isEqualTo(seen);
      }
    }
    try (Database database = Database.open(found, OPTIONS)) {
      assertThat(stepOf(database)).isEqualTo(seen);
      write(database, seen + 1);
      database.flush();
      assertThat(stepOf(database)).isEqualTo(seen + 1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"OPEN", "CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY", "DELETE", "LIST"})
  void aFlushThatFailsAtAnyCallFailsForAllTables(Operation operation) throws IOException {
    int failures = 0;
    for (boolean afterwards : new boolean[] {false, true}) {
      for (int nth = 1; ; nth++) {
        try {
          if (!failsAt(operation, nth, afterwards)) {
            break;
          }
          failures++;
        } catch (IOException | AssertionError e) {
          throw new AssertionError(operation + " " + nth + ", afterwards " + afterwards, e);
        }
      }
    }
    assertThat(failures).isPositive();
  }

  /** Returns whether a flush of two steps has so many calls. */
  private boolean failsAt(Operation operation, int nth, boolean afterwards) throws IOException {
    MemoryDirectory files = new MemoryDirectory();
    create(files);
    Fault counting = Fault.on(operation).files("*").call(Long.MAX_VALUE).fails("never");
    Fault.Rule rule = Fault.on(operation);
    boolean[] isOn = {false};
    long before = callsBefore(operation);
    Fault fault =
        afterwards
            ? rule.call(before + nth).failsAfterwards("bad sector")
            : rule.call(before + nth).fails("bad sector");
    Directory disk = leaks.watch(new FaultyDirectory(files, SEED, fault, counting));
    DatabaseState state;
    boolean hasFailed = false;
    Database database = Database.open(disk, OPTIONS);
    write(database, 1);
    database.table("w", "a").flush();
    write(database, 2);
    isOn[0] = true;
    try {
      database.table("w", "b").flush();
    } catch (IOException e) {
      hasFailed = true;
    }
    boolean hasFired = fault.fired() > 0;
    // What is in memory stays readable, whatever has become of the files.
    assertThat(stepOf(database)).isEqualTo(2);
    state = database.state();
    if (state == DatabaseState.OPEN) {
      write(database, 3);
      database.table("w", "a").flush();
      assertThat(stepOf(database)).isEqualTo(3);
    }
    try {
      database.close();
    } catch (IOException e) {
      assertThat(hasFailed || hasFired).as("%s", e).isTrue();
    }
    try (Database again = Database.open(files, OPTIONS)) {
      if (state == DatabaseState.OPEN) {
        assertThat(stepOf(again)).isEqualTo(3);
      } else {
        assertThat(stepOf(again)).isBetween(1, 2);
      }
    }
    return hasFired;
  }

  /** Returns how many calls there are before the flush that is to fail. */
  private static long callsBefore(Operation operation) throws IOException {
    MemoryDirectory files = new MemoryDirectory();
    create(files);
    Fault counting = Fault.on(operation).call(Long.MAX_VALUE).fails("never");
    try (Database database =
        Database.open(new FaultyDirectory(files, SEED, counting), OPTIONS)) {
      write(database, 1);
      database.table("w", "a").flush();
      write(database, 2);
      return counting.calls();
    }
  }

  @Test
  void tablesAreFoundAsOfOneFlushWhateverIsDone() throws IOException {
    for (int run = 0; run < 6 * SCALE; run++) {
      long seed = SEED + run;
      try {
        doAnything(new Random(seed), seed);
      } catch (IOException | AssertionError e) {
        throw new AssertionError("repeat with -Dsiltstone.seed=" + seed, e);
      }
    }
  }

  private static void doAnything(Random random, long seed) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    create(disk);
    int step = 0;
    for (int life = 0; life < 5; life++) {
      int flushed = step;
      Database database = Database.open(disk, OPTIONS);
      for (int i = random.nextInt(30); i > 0; i--) {
        switch (random.nextInt(9)) {
          case 0 -> {
            database.flush();
            flushed = step;
          }
          case 1 -> {
            database.table("w", random.nextBoolean() ? "a" : "b").flush();
            flushed = step;
          }
          case 2 -> database.table("w", "logged").flush();
          case 3 -> {
            SimulatedDisk copy = new SimulatedDisk();
            database.checkpoint(copy);
            try (Database checkpoint = Database.open(copy, READ_ONLY)) {
              assertThat(stepOf(checkpoint)).isEqualTo(step);
              assertThat(stepOf(checkpoint, "logged")).isEqualTo(step);
            }
            flushed = step;
          }
          case 4 -> {
            String name = random.nextBoolean() ? "a" : "b";
            database.alterTable("w", name, "ALTER TABLE w." + name + " WITH comment = '" + i + "'");
          }
          case 5 -> {
            try (Database reader = Database.open(disk, READ_ONLY)) {
              assertThat(stepOf(reader)).isBetween(flushed, step);
            }
          }
          default -> write(database, ++step);
        }
        assertThat(stepOf(database)).isEqualTo(step);
      }
      switch (random.nextInt(3)) {
        case 0 -> database.close();
        case 1 -> disk = ended(database, disk.processDeath());
        default -> disk = ended(database, disk.powerLoss(seed + life));
      }
      try (Database found = Database.open(disk, READ_ONLY)) {
        int seen = stepOf(found);
        assertThat(seen).isBetween(flushed, step);
        step = seen;
      }
      // What is logged may be ahead of the others: the next steps write the same again.
    }
  }

  private static SimulatedDisk ended(Database database, SimulatedDisk found) {
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    return found;
  }
}
