package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.event.EngineListener;
import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables without a log that are written together: a crash at any operation leaves all of them as
 * they were at the same flush, and tables with a log at least as far.
 */
class AtomicFlushTest {
  private static final long SEED = Long.getLong("siltstone.seed", 43);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  static final DatabaseOptions OPTIONS =
      History.OPTIONS.toBuilder()
          .commitLog(CommitLogOptions.builder().period(Duration.ofHours(1)).build())
          .build();
  private static final DatabaseOptions READ_ONLY = OPTIONS.toBuilder().readOnly(true).build();

  private static final int STEPS = 2;
  private static final int KEYS = 2;

  /** Creates two tables without a log, and one with a log. */
  static void create(Directory disk) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      for (String name : List.of("a", "b")) {
        database.createTable(
            "CREATE TABLE w." + name + " (k int PRIMARY KEY, v int) WITH durable_writes = false");
      }
      database.createTable("CREATE TABLE w.logged (k int PRIMARY KEY, v int)");
    }
  }

  /** Writes a step to all tables as one batch. */
  static void write(Database database, int step) throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    for (Table table : database.tables()) {
      mutations.add(table.mutation(step % KEYS).insert().set("v", step).build());
    }
    database.write(Batch.of(mutations.toArray(Mutation[]::new)));
  }

  /** Returns the number of steps that the tables without a log contain, all of them the same. */
  static int stepOf(Database database) throws IOException {
    int step = stepOf(database, "a");
    assertThat(stepOf(database, "b")).isEqualTo(step);
    assertThat(stepOf(database, "logged")).isGreaterThanOrEqualTo(step);
    return step;
  }

  private static int stepOf(Database database, String table) throws IOException {
    List<String> rows = Contents.of(database.table("w", table));
    int step =
        rows.stream().mapToInt(row -> Integer.parseInt(row.split(" ", -1)[1])).max().orElse(0);
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
    requireOneFlushAtAnyOperation(
        prepared,
        SCALE > 1 ? 1 : model == FileSystemModel.JOURNALED ? 6 : 10,
        point -> disk -> disk.powerLoss(SEED + point));
  }

  @Test
  void allTablesAreAtTheSameFlushAfterTheProcessDiesAtAnyOperation() throws IOException {
    SimulatedDisk prepared = new SimulatedDisk();
    create(prepared);
    requireOneFlushAtAnyOperation(
        prepared, SCALE > 1 ? 1 : 10, point -> SimulatedDisk::processDeath);
  }

  /** The end of a run: a power loss, or the death of the process. */
  private interface End {
    SimulatedDisk of(SimulatedDisk disk);
  }

  private interface Ends {
    End at(long point);
  }

  private static void requireOneFlushAtAnyOperation(SimulatedDisk prepared, int every, Ends ends)
      throws IOException {
    SimulatedDisk whole = prepared.powerLoss(SEED);
    new Batches().run(whole);
    long points = whole.operations();
    for (long point = SEED % every; point <= points; point += every) {
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
        requireOneFlush(found, batches.flushed, point % 50 == 0 || SCALE > 1);
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
    try (Database database = Database.open(found.powerLoss(SEED), OPTIONS)) {
      assertThat(stepOf(database)).isEqualTo(seen);
      for (int step = seen + 1; step <= STEPS; step++) {
        write(database, step);
      }
      write(database, STEPS + 1);
      database.flush();
      assertThat(stepOf(database)).isEqualTo(STEPS + 1);
    }
  }

  static void writeTwice(Database database) throws IOException {
    write(database, 1);
    database.table("w", "a").flush();
    write(database, 2);
  }

  @Test
  void aReaderBesideTheWriterSeesTheSameFlushOfAllTables() throws IOException {
    for (int nth = 1; nth <= 8; nth++) {
      MemoryDirectory files = new MemoryDirectory();
      create(files);
      try (Database writer = Database.open(files, OPTIONS)) {
        write(writer, 1);
        writer.flush();
        write(writer, 2);
        // While the reader opens the tables one after the other, they are flushed.
        Fault flush =
            Fault.on(Operation.LIST)
                .files("data/w/b-*")
                .call(nth)
                .runs("a flush", () -> flush(writer));
        try (Database reader = Database.open(new FaultyDirectory(files, SEED, flush), READ_ONLY)) {
          assertThat(stepOf(reader)).isBetween(1, 2);
        }
        assertThat(nth > 1 || flush.fired() > 0).isTrue();
      }
    }
  }

  private static void flush(Database database) {
    try {
      database.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDamagedFileIsNamedAndALenientOpeningGoesOn() throws IOException {
    MemoryDirectory files = new MemoryDirectory();
    create(files);
    try (Database database = Database.open(files, OPTIONS)) {
      writeTwice(database);
    }
    TextFile.replace(files, "atomic_flush", "oa_txn_flush_1.log\ncrc32 0\n");
    for (DatabaseOptions options : List.of(OPTIONS, READ_ONLY)) {
      assertThatThrownBy(() -> Database.open(files, options).close())
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("/atomic_flush");
    }
    List<String> assumed = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void recoveryAssumed(RecoveryAssumed event) {
            assumed.add(event.path());
          }
        };
    DatabaseOptions lenient = OPTIONS.toBuilder().lenient(true).listener(listener).build();
    try (Database database = Database.open(files, lenient)) {
      assertThat(stepOf(database)).isEqualTo(2);
    }
    assertThat(assumed).containsExactly(files.path() + "/atomic_flush");
    try (Database database = Database.open(files, OPTIONS)) {
      assertThat(stepOf(database)).isEqualTo(2);
    }
  }

  @Test
  void aTableThatIsOpenedAloneHasAFlushThatWasCommittedToo(@TempDir Path path) throws IOException {
    Directory files = NioDirectory.open(path);
    create(files);
    Fault fault =
        Fault.on(Operation.DELETE).files("oa_txn_flush*").fromCall(1).fails("not deleted");
    try (Database database = Database.open(new FaultyDirectory(files, SEED, fault), OPTIONS)) {
      write(database, 1);
      database.table("w", "a").flush();
      write(database, 2);
      database.table("w", "b").flush();
    }
    assertThat(fault.fired()).isPositive();
    try (Stream<Path> tables = Files.list(path.resolve("data").resolve("w"))) {
      for (Path table : tables.toList()) {
        if (!table.getFileName().toString().startsWith("logged")) {
          try (OfflineTable offline = OfflineTable.open(table, null, null, OPTIONS)) {
            assertThat(offline.sstables()).hasSize(2);
          }
        }
      }
    }
    try (Database database = Database.open(files, OPTIONS)) {
      assertThat(stepOf(database)).isEqualTo(2);
    }
  }

  @Test
  void tablesAreFoundAsOfOneFlushWhateverIsDone() throws IOException {
    for (int run = 0; run < 3 * SCALE; run++) {
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
      // What is logged may be ahead of the others, which are made up for.
      for (int ahead = stepOf(database, "logged"); step < ahead; ) {
        write(database, ++step);
      }
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
    }
  }

  private static SimulatedDisk ended(Database database, SimulatedDisk found) {
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    return found;
  }
}
