package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bulk loads that fail at any call, or whose process or machine dies at any: all that was loaded is
 * there or nothing, and no file is left behind.
 */
class BulkWriterFailuresTest {
  private static final long SEED = Long.getLong("siltstone.seed", 59);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final String TABLE = "CREATE TABLE w.t (k int PRIMARY KEY, v text)";
  private static final int ROWS = 110;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** Creates a table with one row. */
  private static void create(Directory disk) throws IOException {
    try (Database database = Database.open(disk, History.OPTIONS)) {
      Table table = database.createTable(TABLE);
      table.write(table.mutation(-1).insert().set("v", "present").build());
    }
  }

  /** Loads rows into a table or directory, with temporary files in two passes. */
  private static void load(BulkWriter.Builder target) throws IOException {
    try (BulkWriter writer = target.memoryBytes(8 << 10).maxSSTableBytes(10_000).open()) {
      for (int i = ROWS - 1; i >= 0; i--) {
        writer.add(writer.mutation(i).insert().set("v", "loaded".repeat(20)).build());
      }
      BulkWriter.Result result = writer.commit();
      assertThat(result.passes()).isGreaterThan(1);
      assertThat(result.sstables()).hasSizeGreaterThan(1);
    }
  }

  /** Returns whether the rows of the load are there: all or none. */
  private static boolean isLoaded(Table table) throws IOException {
    List<String> rows = Contents.of(table);
    assertThat(rows).contains("-1 present");
    assertThat(rows.size()).isIn(1, ROWS + 1);
    return rows.size() > 1;
  }

  /** Returns the files of the tables, of which a load that has failed must leave none. */
  private static List<String> remains(Directory disk) throws IOException {
    List<String> found = new ArrayList<>();
    Directory keyspace = disk.directory("data").directory("w");
    for (String table : keyspace.directories()) {
      for (String name : keyspace.directory(table).files()) {
        if (name.endsWith(".tmp") || name.contains("_txn_")) {
          found.add(name);
        }
      }
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"OPEN", "READ", "CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY", "DELETE"})
  void aLoadIntoATableThatFailsAtAnyCall(Operation operation) throws IOException {
    int failures = 0;
    for (boolean afterwards : new boolean[] {false, true}) {
      boolean hasFired = true;
      for (int nth = 1; hasFired; nth += SCALE > 1 || nth < 5 ? 1 : nth) {
        Fault.Rule call = Fault.on(operation).files(files(operation)).disarmed().call(nth);
        try {
          hasFired =
              failsAt(afterwards ? call.failsAfterwards("bad sector") : call.fails("bad sector"));
        } catch (IOException | AssertionError e) {
          throw new AssertionError(operation + " " + nth + (afterwards ? ", afterwards" : ""), e);
        }
        failures += hasFired ? 1 : 0;
      }
    }
    assertThat(failures).isGreaterThanOrEqualTo(2);
  }

  /** Returns the pattern of the table's files, or of its directory. */
  private static String files(Operation operation) {
    return operation == Operation.SYNC_DIRECTORY ? "data/w/*" : "data/w/*/*";
  }

  /** Returns whether the load has the call that is to fail. */
  private boolean failsAt(Fault fault) throws IOException {
    MemoryDirectory files = new MemoryDirectory();
    create(files);
    Directory disk = leaks.watch(new FaultyDirectory(files, SEED, fault));
    Database database = Database.open(disk, History.OPTIONS);
    Table table = database.table("w", "t");
    assertThat(isLoaded(table)).isFalse();
    fault.arm();
    boolean hasFailed = false;
    try {
      load(BulkWriter.into(table));
    } catch (IOException e) {
      assertThat(e).hasStackTraceContaining("bad sector");
      hasFailed = true;
    }
    if (fault.fired() == 0) {
      assertThat(remains(files)).isEmpty();
      // It would hit what comes after the load.
      try {
        database.close();
      } catch (IOException e) {
        assertThat(fault.fired()).as("%s", e).isPositive();
      }
      return false;
    }
    boolean isLoaded = isLoaded(table);
    assertThat(isLoaded || hasFailed).isTrue();
    if (database.state() == DatabaseState.OPEN) {
      load(BulkWriter.into(table));
      assertThat(isLoaded(table)).isTrue();
    }
    try {
      database.close();
    } catch (IOException e) {
      assertThat(fault.fired()).as("%s", e).isPositive();
    }
    try (Database again = Database.open(files, History.OPTIONS)) {
      assertThat(isLoaded(again.table("w", "t")) || !isLoaded).isTrue();
      assertThat(remains(files)).isEmpty();
    }
    return true;
  }

  @Test
  void aLoadIntoADirectoryThatFailsAtAnyCallLeavesNothing() throws IOException {
    TableSchema schema = SchemaParser.parse(TABLE).onlyTable();
    int failures = 0;
    for (Operation operation :
        List.of(Operation.CREATE, Operation.WRITE, Operation.SYNC, Operation.RENAME)) {
      boolean hasFired = true;
      for (int nth = 1; hasFired; nth += SCALE > 1 || nth < 5 ? 1 : nth) {
        MemoryDirectory files = new MemoryDirectory();
        Fault fault = Fault.on(operation).call(nth).fails("bad sector");
        Directory disk = leaks.watch(new FaultyDirectory(files, SEED, fault));
        boolean hasFailed = false;
        try {
          load(BulkWriter.into(disk, schema));
        } catch (IOException e) {
          hasFailed = true;
        }
        hasFired = fault.fired() > 0;
        failures += hasFired ? 1 : 0;
        if (hasFailed) {
          assertThat(files.files()).as("%s %d", operation, nth).isEmpty();
        } else {
          assertThat(files.files()).noneMatch(name -> name.endsWith(".tmp"));
        }
        leaks.requireNothingOpen();
      }
    }
    assertThat(failures).isGreaterThan(20);
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void afterAPowerLossAtAnyOperationAllIsLoadedOrNothing(FileSystemModel model) throws IOException {
    SimulatedDisk prepared = new SimulatedDisk(model);
    create(prepared);
    requireAllOrNothing(prepared, point -> disk -> disk.powerLoss(SEED + point));
  }

  @Test
  void afterTheProcessHasDiedAtAnyOperationAllIsLoadedOrNothing() throws IOException {
    SimulatedDisk prepared = new SimulatedDisk();
    create(prepared);
    requireAllOrNothing(prepared, point -> SimulatedDisk::processDeath);
  }

  /** The end of a run: a power loss, or the death of the process. */
  private interface End {
    SimulatedDisk of(SimulatedDisk disk);
  }

  private interface Ends {
    End at(long point);
  }

  private static void requireAllOrNothing(SimulatedDisk prepared, Ends ends) throws IOException {
    SimulatedDisk whole = prepared.powerLoss(SEED);
    assertThat(run(whole)).isTrue();
    // Threads of the database may do a few operations more in another run.
    long points = whole.operations() + 16;
    int loaded = 0;
    int every = SCALE > 1 ? 1 : 30;
    int everyNearTheEnd = SCALE > 1 ? 1 : 2;
    // Most points are near the end, where the flush is committed.
    for (long point = points; point >= 0; point -= points - point < 32 ? everyNearTheEnd : every) {
      SimulatedDisk disk = prepared.powerLoss(SEED);
      disk.crashAfter(point);
      boolean isAcknowledged = run(disk);
      SimulatedDisk found = ends.at(point).of(disk);
      try (Database database = Database.open(found, History.OPTIONS)) {
        boolean isLoaded = isLoaded(database.table("w", "t"));
        assertThat(isLoaded || !isAcknowledged).isTrue();
        assertThat(remains(found)).isEmpty();
        loaded += isLoaded ? 1 : 0;
      } catch (IOException | AssertionError e) {
        throw new AssertionError("seed " + SEED + ", operation " + point, e);
      }
    }
    assertThat(points).isGreaterThan(80);
    assertThat(loaded).isPositive();
  }

  /** Returns whether the load was acknowledged. */
  private static boolean run(SimulatedDisk disk) {
    boolean isAcknowledged = false;
    try (Database database = Database.open(disk, History.OPTIONS)) {
      load(BulkWriter.into(database.table("w", "t")));
      isAcknowledged = true;
    } catch (IOException | UncheckedIOException e) {
      assertThat(disk.isLost()).as("%s", e).isTrue();
    }
    return isAcknowledged;
  }

  @Test
  void anExceptionOfTheProgressEndsTheLoad() throws IOException {
    MemoryDirectory files = new MemoryDirectory();
    create(files);
    try (Database database = Database.open(leaks.watch(files), History.OPTIONS)) {
      Table table = database.table("w", "t");
      try (BulkWriter writer =
          BulkWriter.into(table)
              .memoryBytes(8 << 10)
              .progress(
                  rows -> {
                    throw new UnsupportedOperationException("stopped");
                  })
              .open()) {
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 3000; i++) {
                    writer.add(writer.mutation(i).insert().set("v", "loaded").build());
                  }
                })
            .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(writer::commit)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("has failed before and can only be closed");
      }
      assertThat(remains(files)).isEmpty();
      assertThat(isLoaded(table)).isFalse();
    }
  }
}
