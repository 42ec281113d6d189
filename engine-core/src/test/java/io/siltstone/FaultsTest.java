package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A database whose disk fails at any call: it says so, loses nothing, and opens again. */
class FaultsTest {
  private static final long SEED = Long.getLong("siltstone.seed", 43);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  private static final Set<Operation> RARE =
      Set.of(
          Operation.APPEND,
          Operation.TRUNCATE,
          Operation.LINK,
          Operation.DELETE_DIRECTORY,
          Operation.LOCK);

  private static History history;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @BeforeAll
  static void writeHistory() throws IOException {
    history = History.whole();
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void aFailureAtAnyCallIsToldAndLosesNothing(Operation operation) throws IOException {
    int step = SCALE > 1 ? 1 : RARE.contains(operation) ? 14 : 122;
    for (boolean afterwards : new boolean[] {false, true}) {
      // Of what is rare the first call may be the only one, and others have few calls, too.
      long call = RARE.contains(operation) ? 1 : 1 + SEED % Math.min(step, 7);
      int failures = 0;
      while (survives(rule(Fault.on(operation).call(call), afterwards))) {
        call += step;
        failures++;
      }
      if (operation != Operation.TRUNCATE) {
        // Logs are cut when they are replayed: that is PowerLossTest's.
        assertThat(failures).isPositive();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY", "DELETE", "LINK"})
  void aDiskThatFailsForGoodIsToldAndLosesNothing(Operation operation) throws IOException {
    int step = SCALE > 1 ? 1 : 194;
    long call = 1 + SEED % Math.min(step, 97);
    while (survives(rule(Fault.on(operation).fromCall(call), false))) {
      call += step;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100, 1_000, 5_000, 9_000, 12_000, 16_000, 20_000, 30_000, 40_000})
  void aFullDiskIsToldAndLosesNothing(long bytes) throws IOException {
    assertThat(survives(Fault.on(Operation.WRITE).noSpaceAfter(bytes))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"SYNC", "SYNC_DIRECTORY"})
  void whatWasAcknowledgedIsThereWhicheverSyncFailsBeforeThePowerGoes(Operation operation)
      throws IOException {
    int step = SCALE > 1 ? 1 : 10;
    for (boolean afterwards : new boolean[] {false, true}) {
      int call = 1 + (int) (SEED % step);
      while (survivesPowerLoss(rule(Fault.on(operation).call(call), afterwards), call)) {
        call += step;
      }
      assertThat(call).isGreaterThan(50);
    }
  }

  /** Goes through the history until a sync fails, and the power with it. Whether one failed. */
  private static boolean survivesPowerLoss(Fault fault, int call) throws IOException {
    FileSystemModel[] models = FileSystemModel.values();
    SimulatedDisk disk = new SimulatedDisk(models[call % models.length]);
    history.prepare(disk);
    disk.directory(History.DATABASE);
    disk.sync();
    Directory faulty = new FaultyDirectory(disk, SEED, fault);
    int done = 0;
    SimulatedDisk found = null;
    try (Database database = Database.open(faulty.directory(History.DATABASE), History.OPTIONS)) {
      for (History.Step step : history.steps()) {
        try {
          step.run(faulty, database);
          done++;
        } catch (IOException e) {
          found = disk.powerLoss(SEED + call);
          throw e;
        }
      }
    } catch (IOException e) {
      assertThat(fault.fired()).as("%s", e).isPositive();
    }
    found = found == null ? disk.powerLoss(SEED + call) : found;
    requireDone(found, done, "seed " + SEED + ", " + fault + ", step " + done);
    return fault.fired() > 0;
  }

  private static void requireDone(Directory found, int done, String what) throws IOException {
    try (Database database = Database.open(found.directory(History.DATABASE), History.OPTIONS)) {
      assertThat(Contents.of(database))
          .as(what)
          .isIn(history.after(done), history.after(Math.min(done + 1, history.steps().size())));
    } catch (IOException e) {
      throw new AssertionError(what, e);
    }
    if (done >= history.checkpointStep()) {
      Directory checkpoint = found.directory(History.CHECKPOINT);
      try (Database database = Database.open(checkpoint, History.OPTIONS)) {
        assertThat(Contents.of(database))
            .as(what)
            .isEqualTo(history.after(history.checkpointStep()));
      }
    }
  }

  private static Fault rule(Fault.Rule rule, boolean afterwards) {
    return afterwards ? rule.failsAfterwards("bad sector") : rule.fails("bad sector");
  }

  /** What one run has seen. */
  private static final class Run implements EngineListener {
    private final Queue<String> readOnly = new ConcurrentLinkedQueue<>();
    private int done;
    private boolean isTold;
    private boolean isProbed;

    @Override
    public void engineReadOnly(EngineReadOnly event) {
      readOnly.add(event.reason());
    }
  }

  /** Goes through the history until something fails. Whether the fault happened. */
  private boolean survives(Fault fault) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    history.prepare(disk);
    Directory faulty = leaks.watch(new FaultyDirectory(disk, SEED, fault));
    Run run = new Run();
    try {
      goThrough(faulty, run, fault);
      leaks.requireNothingOpen();
      Leftovers.requireNoThreads();
      requireAllThere(disk, run);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + SEED + ", " + fault + ", step " + run.done + ": " + e, e);
    }
    return fault.fired() > 0;
  }

  private static void goThrough(Directory faulty, Run run, Fault fault) throws IOException {
    DatabaseOptions options = History.OPTIONS.toBuilder().listener(run).build();
    try (Database database = Database.open(faulty.directory(History.DATABASE), options)) {
      for (History.Step step : history.steps()) {
        try {
          step.run(faulty, database);
          run.done++;
        } catch (IOException e) {
          run.isTold = true;
          assertThat(fault.fired()).isPositive();
          break;
        }
      }
      if (run.isTold) {
        lookAfterFailure(database, run);
        if (run.isProbed) {
          // It was the disk's fault, and the step may be tried again.
          tryAgain(faulty, database, run);
        }
      }
    } catch (IOException e) {
      assertThat(fault.fired()).as("%s", e).isPositive();
    }
    assertThat(run.readOnly).hasSizeLessThanOrEqualTo(1);
  }

  private static void lookAfterFailure(Database database, Run run) throws IOException {
    String reason = database.statistics().readOnlyReason();
    if (database.findTable("w", "a").isPresent()) {
      Table a = database.table("w", "a");
      try {
        a.write(a.mutation("probe").insert(1).set("v", "x").build());
        assertThat(reason).isNull();
        run.isProbed = true;
      } catch (ReadOnlyException e) {
        assertThat(e).hasMessageContaining("opened again");
      } catch (IOException e) {
        // The log says it before the database knows.
        assertThat(e).hasMessageContaining("commit log");
      }
    }
    assertThat(withoutProbe(Contents.of(database)))
        .isIn(history.after(run.done), history.after(run.done + 1));
  }

  private static void tryAgain(Directory faulty, Database database, Run run) throws IOException {
    try {
      history.steps().get(run.done).run(faulty, database);
      run.done++;
      // A truncation that is tried again takes what was written in between.
      run.isProbed = hasRows(run.done) || Contents.of(database).toString().contains("probe ");
    } catch (IllegalArgumentException e) {
      // What was told to have failed has happened.
      assertThat(withoutProbe(Contents.of(database))).isEqualTo(history.after(run.done + 1));
    }
  }

  private static boolean hasRows(int done) {
    return history.after(done).entrySet().stream()
        .anyMatch(table -> table.getKey().startsWith("w.a:") && !table.getValue().isEmpty());
  }

  private static Map<String, List<String>> withoutProbe(Map<String, List<String>> contents) {
    Map<String, List<String>> others = new TreeMap<>();
    contents.forEach(
        (table, rows) ->
            others.put(table, rows.stream().filter(row -> !row.startsWith("probe ")).toList()));
    return others;
  }

  private static void requireAllThere(Directory disk, Run run) throws IOException {
    Directory directory = disk.directory(History.DATABASE);
    Map<String, List<String>> found;
    try (Database database = Database.open(directory, History.OPTIONS)) {
      found = Contents.of(database);
    }
    assertThat(withoutProbe(found))
        .isIn(
            history.after(run.done), history.after(Math.min(run.done + 1, history.steps().size())));
    if (run.isProbed) {
      assertThat(found.toString()).contains("probe ");
    }
    try (Database database = Database.open(directory, History.OPTIONS)) {
      assertThat(Contents.of(database)).isEqualTo(found);
      database.createTable("CREATE TABLE w.more (k int PRIMARY KEY, v text)");
      database.flush();
    }
  }

  @Test
  void afterAFailedSyncOfTheLogNothingIsAcknowledgedUntilItIsOpenedAgain() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Run run = new Run();
    DatabaseOptions options = History.OPTIONS.toBuilder().listener(run).build();
    List<Integer> acknowledged = new ArrayList<>();
    Fault fault = Fault.on(Operation.SYNC).files("CommitLog-*").call(8).fails("bad sector");
    Fault counter = Fault.on(Operation.SYNC).files("CommitLog-*").runs("counted", () -> {});
    Directory faulty = leaks.watch(new FaultyDirectory(disk, SEED, fault, counter));
    try (Database database = Database.open(faulty, options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      for (int i = 0; i < 20; i++) {
        try {
          table.write(table.mutation(i).insert().set("v", "x").build());
          acknowledged.add(i);
        } catch (IOException e) {
          assertThat(e.toString()).contains("bad sector");
        }
      }
      assertThat(acknowledged).hasSizeBetween(3, 8);
      while (database.statistics().readOnlyReason() == null) {
        Thread.onSpinWait();
      }
      assertThat(database.statistics().readOnlyReason()).contains("commit log", "bad sector");
      assertThat(counter.calls()).isEqualTo(8);
      assertThat(Contents.of(table)).hasSizeGreaterThanOrEqualTo(acknowledged.size());
      assertThatThrownBy(database::flush).isInstanceOf(ReadOnlyException.class);
      assertThatThrownBy(table::truncate).isInstanceOf(ReadOnlyException.class);
      assertThatThrownBy(() -> database.dropTable("w", "t")).isInstanceOf(ReadOnlyException.class);
      assertThatThrownBy(() -> database.createTable("CREATE TABLE w.u (k int PRIMARY KEY, v text)"))
          .isInstanceOf(ReadOnlyException.class);
      assertThatThrownBy(() -> database.checkpoint(disk.directory("copy")))
          .isInstanceOf(ReadOnlyException.class);
      assertThatThrownBy(database::close).isInstanceOf(ReadOnlyException.class);
    }
    assertThat(run.readOnly).hasSize(1);
    try (Database database = Database.open(disk, History.OPTIONS)) {
      List<String> expected = acknowledged.stream().map(i -> i + " x").toList();
      assertThat(Contents.of(database.table("w", "t"))).containsAll(expected);
    }
  }
}
