package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.model.Contents;
import io.siltstone.model.TestKeys;
import io.siltstone.mutation.Batch;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database whose power goes at any operation of its files, and what is found then. */
class PowerLossTest {
  private static final long SEED = Long.getLong("siltstone.seed", 41);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void whatWasAcknowledgedIsThereAndNoStepIsHalfDone(FileSystemModel model) throws IOException {
    History history = History.whole();
    int points =
        PowerCuts.on(model, SEED)
            .lossesPerPoint(SCALE)
            .atMost(SCALE == 1 ? 12 : Integer.MAX_VALUE)
            .atEachOperation(() -> new Steps(history, UnaryOperator.identity()));
    assertThat(points).isGreaterThanOrEqualTo(12);
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void soItIsOnAnEncryptedDisk(FileSystemModel model) throws IOException {
    History history = History.whole();
    EncryptedDirectory.Keys keys = TestKeys.one();
    int points =
        PowerCuts.on(model, SEED)
            .lossesPerPoint(SCALE)
            .atMost(SCALE == 1 ? 4 : Integer.MAX_VALUE)
            .atEachOperation(() -> new Steps(history, disk -> EncryptedDirectory.over(disk, keys)));
    assertThat(points).isGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void aBatchIsThereWhollyOrNotAtAllThoughOneTableWasFlushed(FileSystemModel model) {
    int points =
        PowerCuts.on(model, SEED)
            .lossesPerPoint(SCALE)
            .atMost(SCALE == 1 ? 15 : Integer.MAX_VALUE)
            .atEachOperation(Batches::new);
    assertThat(points).isGreaterThanOrEqualTo(15);
  }

  /** Batches over two tables that nobody waits for, and flushes of one of them. */
  private static final class Batches implements PowerCuts.Case {
    private static final DatabaseOptions PERIODIC =
        History.OPTIONS.toBuilder()
            .commitLog(CommitLogOptions.builder().period(Duration.ofHours(1)).build())
            .build();

    private boolean created;
    private int flushed;

    @Override
    public void run(Directory disk) throws IOException {
      try (Database database = Database.open(disk, PERIODIC)) {
        Table a = database.createTable("CREATE TABLE w.a (k int PRIMARY KEY, v text)");
        Table b = database.createTable("CREATE TABLE w.b (k int PRIMARY KEY, v text)");
        created = true;
        for (int i = 1; i <= 4; i++) {
          database.write(
              Batch.of(
                  a.mutation(i).insert().set("v", "x").build(),
                  b.mutation(i).insert().set("v", "x").build()));
          (i % 2 == 0 ? a : b).flush();
          flushed = i;
        }
      }
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      if (created) {
        try (Database database = Database.open(rebooted, PERIODIC)) {
          List<String> a = Contents.of(database.table("w", "a"));
          assertThat(a).isEqualTo(Contents.of(database.table("w", "b")));
          assertThat(a).hasSizeGreaterThanOrEqualTo(flushed);
          assertThat(a).isEqualTo(List.of("1 x", "2 x", "3 x", "4 x").subList(0, a.size()));
        }
      }
    }
  }

  @Test
  void whatWasTruncatedStaysAwayThoughItsReplayIsFlushed() throws IOException {
    DatabaseOptions large = History.OPTIONS.toBuilder().memtableBytes(64 << 20).build();
    SimulatedDisk disk = new SimulatedDisk();
    String value = "x".repeat(1000);
    Database database = Database.open(disk, large);
    Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
    for (int i = 0; i < 2000; i++) {
      var unused = table.writeAsync(table.mutation(i).insert().set("v", value).build());
    }
    table.truncate();
    table.write(table.mutation(-1).insert().set("v", "new").build());
    SimulatedDisk found = disk.powerLoss(SEED);
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    recoverInParts(
        found, again -> assertThat(Contents.of(again.table("w", "t"))).containsExactly("-1 new"));
  }

  @Test
  void batchesAreThereThoughTheirReplayIsFlushedInParts() throws IOException {
    DatabaseOptions large = History.OPTIONS.toBuilder().memtableBytes(64 << 20).build();
    SimulatedDisk disk = new SimulatedDisk();
    String value = "x".repeat(900);
    Database database = Database.open(disk, large);
    Table a = database.createTable("CREATE TABLE w.a (k int PRIMARY KEY, v text)");
    Table b = database.createTable("CREATE TABLE w.b (k int PRIMARY KEY, v text)");
    for (int i = 0; i < 1500; i++) {
      if (i == 700) {
        database.alterTable("w", "a", "ALTER TABLE w.a ADD extra int");
      }
      var unused =
          database.writeAsync(
              Batch.of(
                  a.mutation(i).insert().set("v", value).build(),
                  b.mutation(i).insert().set("v", value).build()));
    }
    database.sync();
    SimulatedDisk found = disk.powerLoss(SEED);
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    recoverInParts(
        found,
        again -> {
          assertThat(Contents.count(again.table("w", "a"))).isEqualTo(1500);
          assertThat(Contents.count(again.table("w", "b"))).isEqualTo(1500);
        });
  }

  /** What a database has to show. */
  private interface Expectation {
    void check(Database database) throws IOException;
  }

  /** Opens a database whose log is replayed into several SSTables, and the power goes between. */
  private static void recoverInParts(SimulatedDisk lost, Expectation expectation)
      throws IOException {
    SimulatedDisk found = lost;
    long operations = 1;
    boolean isCut;
    int cuts = 0;
    do {
      SimulatedDisk copy = found.powerLoss(SEED + operations);
      copy.crashAfter(operations);
      try (Database database = Database.open(copy, History.OPTIONS)) {
        expectation.check(database);
      } catch (IOException | UncheckedIOException e) {
        assertThat(copy.isLost()).as("%s", e).isTrue();
      }
      isCut = copy.isLost();
      cuts += isCut ? 1 : 0;
      found = copy.powerLoss(SEED);
      // Of a first attempt little is left, of a later one more and more.
      operations += operations / 2 + 3;
    } while (isCut);
    assertThat(cuts).isGreaterThan(5);
    try (Database database = Database.open(found, History.OPTIONS)) {
      expectation.check(database);
    }
  }

  private static final class Steps implements PowerCuts.Case {
    private final History history;
    private final UnaryOperator<Directory> wrapper;
    private int done;
    private boolean prepared;

    /**
     * @param wrapper wraps each disk for the database
     */
    Steps(History history, UnaryOperator<Directory> wrapper) {
      this.history = history;
      this.wrapper = wrapper;
    }

    @Override
    public void run(Directory bare) throws IOException {
      Directory disk = wrapper.apply(bare);
      history.prepare(disk);
      prepared = true;
      Directory directory = disk.directory(History.DATABASE);
      disk.sync();
      int half = history.steps().size() / 2;
      for (List<History.Step> part :
          List.of(
              history.steps().subList(0, half),
              history.steps().subList(half, history.steps().size()))) {
        try (Database database = Database.open(directory, History.OPTIONS)) {
          for (History.Step step : part) {
            step.run(disk, database);
            done++;
          }
        }
      }
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      if (!prepared) {
        return;
      }
      SimulatedDisk found = (SimulatedDisk) rebooted;
      Map<String, List<String>> shown = null;
      SimulatedDisk recovered;
      // The power goes again while it is opened, later each time.
      int operations = 0;
      boolean isCut;
      do {
        SimulatedDisk copy = found.powerLoss(SEED);
        copy.crashAfter(operations);
        open(copy);
        isCut = copy.isLost();
        recovered = copy.powerLoss(SEED + operations);
        Map<String, List<String>> now = contents(recovered);
        assertThat(shown == null ? now : shown).isEqualTo(now);
        shown = now;
        operations += 1 + operations / 2;
      } while (isCut);
      assertThat(shown)
          .as("%s steps were acknowledged", done)
          .isIn(history.after(done), history.after(Math.min(done + 1, history.steps().size())));
      Directory files = wrapper.apply(recovered);
      checkCheckpoint(files.directory(History.CHECKPOINT));
      goOn(files.directory(History.DATABASE), shown);
    }

    private void open(SimulatedDisk disk) throws IOException {
      try (Database database =
          Database.open(wrapper.apply(disk).directory(History.DATABASE), History.OPTIONS)) {
        database.flush();
      } catch (IOException e) {
        if (!disk.isLost()) {
          throw e;
        }
      }
    }

    private Map<String, List<String>> contents(SimulatedDisk disk) throws IOException {
      Directory directory = wrapper.apply(disk).directory(History.DATABASE);
      try (Database database = Database.open(directory, History.OPTIONS)) {
        return Contents.of(database);
      }
    }

    private void checkCheckpoint(Directory checkpoint) throws IOException {
      DatabaseOptions readOnly = History.OPTIONS.toBuilder().readOnly(true).build();
      try (Database database = Database.open(checkpoint, readOnly)) {
        assertThat(Contents.of(database)).isEqualTo(history.after(history.checkpointStep()));
        assertThat(done).isGreaterThanOrEqualTo(history.checkpointStep() - 1);
      } catch (NoSuchFileException e) {
        assertThat(e).hasMessageContaining("there is no database");
        assertThat(done).isLessThan(history.checkpointStep());
      }
    }

    private static void goOn(Directory directory, Map<String, List<String>> found)
        throws IOException {
      try (Database database = Database.open(directory, History.OPTIONS)) {
        assertThat(Contents.of(database)).isEqualTo(found);
        Table more = database.createTable("CREATE TABLE w.more (k int PRIMARY KEY, v text)");
        more.write(more.mutation(1).insert().set("v", "x").build());
        more.flush();
        more.write(more.mutation(2).insert().set("v", "y").build());
      }
      try (Database database = Database.open(directory, History.OPTIONS)) {
        assertThat(Contents.of(database.table("w", "more"))).containsExactly("1 x", "2 y");
        database.dropTable("w", "more");
        assertThat(Contents.of(database)).isEqualTo(found);
      }
    }
  }
}
