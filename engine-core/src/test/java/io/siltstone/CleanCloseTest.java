package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.files.FileCopy;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The log of a database that was closed cleanly is not replayed, unless something is different. */
class CleanCloseTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).chunkCacheBytes(0).build();
  private static final int ROWS = 20;
  private static final long SEED = Long.getLong("siltstone.seed", 41);
  private static final int POINTS = 24 * Integer.getInteger("siltstone.scale", 1);
  private static final DatabaseOptions SYNCED =
      OPTIONS.toBuilder()
          .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
          .build();

  private static void write(Directory disk, int from) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      write(database, from);
    }
  }

  private static void write(Database database, int from) throws IOException {
    Table table = database.createTable("CREATE TABLE IF NOT EXISTS w.t (k int PRIMARY KEY, v int)");
    for (int i = from; i < from + ROWS; i++) {
      table.write(table.mutation(i).insert().set("v", i).build());
    }
  }

  private static int rows(Directory disk) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      return Contents.of(database.table("w", "t")).size();
    }
  }

  private static Directory table(Directory disk) throws IOException {
    Directory keyspace = disk.directory("data").directory("w");
    return keyspace.directory(keyspace.directories().get(0));
  }

  private static void delete(Directory table) throws IOException {
    for (String file : table.files()) {
      if (!file.equals("schema.cql")) {
        table.delete(file);
      }
    }
  }

  @Test
  void logIsNotRead() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    write(disk, 0);
    disk.reset();
    assertThat(rows(disk)).isEqualTo(ROWS);
    assertThat(disk.bytes(Operation.READ, "*.log")).isZero();
  }

  @Test
  void openingAndClosingSyncNothingAndBeginNoSegment() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    write(disk, 0);
    List<String> segments = disk.directory("commitlog").files();
    disk.reset();
    assertThat(rows(disk)).isEqualTo(ROWS);
    assertThat(disk.count(Operation.SYNC)).as(disk.report()).isZero();
    assertThat(disk.count(Operation.SYNC_DIRECTORY)).as(disk.report()).isZero();
    assertThat(disk.directory("commitlog").files()).isEqualTo(segments);
    write(disk, ROWS);
    assertThat(disk.directory("commitlog").files()).doesNotContainAnyElementsOf(segments);
    assertThat(rows(disk)).isEqualTo(2 * ROWS);
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void acknowledgedWritesAfterReopeningAreThereAfterAPowerLoss(FileSystemModel model) {
    int points =
        PowerCuts.on(model, SEED).lossesPerPoint(2).atMost(POINTS).atEachOperation(Reopenings::new);
    assertThat(points).isGreaterThan(POINTS / 2);
  }

  /** Writes a row after each of three openings, of which one only reads. */
  private static final class Reopenings implements PowerCuts.Case {
    private int written;

    @Override
    public void run(Directory disk) throws IOException {
      for (int opening = 0; opening < 4; opening++) {
        try (Database database = Database.open(disk, SYNCED)) {
          Table table =
              database.createTable("CREATE TABLE IF NOT EXISTS w.t (k int PRIMARY KEY, v int)");
          if (opening != 1) {
            table.write(table.mutation(written).insert().set("v", opening).build());
            written++;
          }
          assertThat(Contents.of(table)).hasSize(written);
        }
      }
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      for (int i = 0; i < 2; i++) {
        try (Database database = Database.open(rebooted, SYNCED)) {
          int found =
              database.tables().isEmpty() ? 0 : Contents.of(database.table("w", "t")).size();
          assertThat(found).isBetween(written, written + 1);
        }
      }
    }
  }

  /** Changes a table without a record in the log. */
  private interface Change {
    void of(Database database) throws IOException;
  }

  /** Leaves a disk as a process does that dies after the change, before its name is durable. */
  private static void changeAndDie(Directory disk, Change change) throws IOException {
    Fault sync = Fault.on(Operation.SYNC_DIRECTORY).files("data/w/*").disarmed().fails("died");
    Database dying = Database.open(new FaultyDirectory(disk, SEED, sync), OPTIONS);
    List<String> segments = disk.directory("commitlog").files();
    sync.arm();
    assertThatThrownBy(() -> change.of(dying)).isInstanceOf(IOException.class);
    assertThatThrownBy(dying::close).isInstanceOf(IOException.class);
    assertThat(sync.fired()).isPositive();
    assertThat(disk.directory("commitlog").files()).isEqualTo(segments);
  }

  /** The log is as it was at the close, but names are not: they are made durable by the opening. */
  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void aDefinitionWithoutADurableNameIsThereAfterAPowerLossOnceItIsUsed(FileSystemModel model)
      throws IOException {
    for (long seed = SEED; seed < SEED + 10; seed++) {
      SimulatedDisk disk = new SimulatedDisk(model);
      write(disk, 0);
      changeAndDie(disk, dying -> dying.alterTable("w", "t", "ALTER TABLE w.t ADD added int"));
      Database database = Database.open(disk, SYNCED);
      Table table = database.table("w", "t");
      table.write(table.mutation(1).update().set("added", 7).build());
      SimulatedDisk rebooted = disk.powerLoss(seed);
      assertThatThrownBy(database::close).isInstanceOf(IOException.class);
      try (Database found = Database.open(rebooted, SYNCED)) {
        assertThat(Contents.of(found.table("w", "t"))).as("seed %s", seed).contains("1 7 1");
      }
    }
  }

  @Test
  void rowsOfAnSSTableThatIsGoneComeBackFromTheLog() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    write(disk, 0);
    delete(table(disk));
    assertThat(rows(disk)).isEqualTo(ROWS);
  }

  @Test
  void logIsReplayedAfterTheProcessHasDied() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    write(disk, 0);
    Database database = Database.open(disk, OPTIONS);
    write(database, ROWS);
    SimulatedDisk dead = disk.processDeath();
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    assertThat(rows(dead)).isEqualTo(2 * ROWS);
  }

  @Test
  void tornOrForeignRecordLeadsToAReplay() throws IOException {
    for (String text : List.of("", "clock 1\n", "clock 1\nsegment x 1\ntables 0\ncrc32 0\n")) {
      CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
      write(disk, 0);
      disk.delete("clean_close");
      TextFile.replace(disk, "clean_close", text);
      disk.reset();
      assertThat(rows(disk)).isEqualTo(ROWS);
      assertThat(disk.bytes(Operation.READ, "*.log")).isPositive();
    }
  }

  @Test
  void segmentThatWasAddedIsReplayed() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    write(disk, 0);
    MemoryDirectory other = new MemoryDirectory();
    copy(disk, other);
    // Another history of the same database: its log, without its SSTables.
    write(other, ROWS);
    Directory log = disk.directory("commitlog");
    for (String name : log.files()) {
      log.delete(name);
    }
    copy(other.directory("commitlog"), log);
    assertThat(rows(disk)).isEqualTo(2 * ROWS);
  }

  private static void copy(Directory from, Directory to) throws IOException {
    for (String name : from.files()) {
      FileCopy.copy(from, name, to, name, bytes -> {});
    }
    for (String name : from.directories()) {
      copy(from.directory(name), to.directory(name));
    }
  }

  @Test
  void timestampsContinueThoughTheClockIsSetBack() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    write(disk, 0);
    Instant earlier = Instant.now().minusSeconds(300);
    InstantSource back = () -> earlier;
    try (Database database = Database.open(disk, OPTIONS.toBuilder().clock(back).build())) {
      Table table = database.table("w", "t");
      table.write(table.mutation(1).insert().set("v", -1).build());
      assertThat(Contents.of(table)).contains("1 -1");
    }
  }
}
