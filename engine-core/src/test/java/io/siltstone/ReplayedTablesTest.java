package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.event.EngineListener;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.model.Contents;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commit log tells of tables is done to those tables, and to what they had then. */
class ReplayedTablesTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .chunkCacheBytes(0)
          .memtableBytes(64 << 20)
          .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
          .build();
  private static final String TABLE = "CREATE TABLE w.t (k int PRIMARY KEY, v text)";
  private static final int CREATED_AT = 30;

  private final SimulatedDisk disk = new SimulatedDisk();

  /** The log still has the truncation of the table that had the id before. */
  @Test
  void aTableRestoredUnderItsIdKeepsWhatWasImported() throws IOException {
    Database database = Database.open(disk.directory("db"), OPTIONS);
    Table table = database.createTable(TABLE);
    for (int i = 0; i < 3; i++) {
      write(table, i, "precious");
      table.flush();
    }
    database.checkpoint(disk.directory("backup"));
    table.truncate();
    database.dropTable("w", "t");
    Directory backup = tableIn(disk.directory("backup"));
    Table restored = database.createTable(TextFile.read(backup, "schema.cql"));
    restored.importTables(backup);
    assertThat(Contents.count(restored)).isEqualTo(3);
    SimulatedDisk dead = died(database);
    for (int i = 0; i < 2; i++) {
      try (Database again = Database.open(dead.directory("db"), OPTIONS)) {
        assertThat(Contents.count(again.table("w", "t"))).isEqualTo(3);
      }
    }
  }

  /** Where an SSTable is quarantined the log is replayed from its beginning. */
  @Test
  void aTruncationThatWasDoneTakesNothingThatCameLater() throws IOException {
    DatabaseOptions options =
        OPTIONS.toBuilder()
            .commitLog(
                CommitLogOptions.builder().syncMode(SyncMode.BATCH).archive(fullArchive()).build())
            .build();
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable(TABLE);
      for (int i = 0; i < 5; i++) {
        write(table, i, "old");
        table.flush();
      }
      table.truncate();
    }
    try (Database database = Database.open(disk, options)) {
      Table table = database.table("w", "t");
      for (int i = 10; i < 12; i++) {
        write(table, i, "new");
        table.flush();
      }
    }
    Directory table = tableIn(disk);
    List<String> statistics =
        table.files().stream().filter(name -> name.endsWith("Statistics.db")).sorted().toList();
    assertThat(statistics).hasSize(2);
    table.delete(statistics.get(1));
    try (Database database = Database.open(disk, options.toBuilder().lenient(true).build())) {
      assertThat(Contents.of(database.table("w", "t"))).containsExactly("10 new", "11 new");
    }
  }

  /** By hand, as operators do, while the database is closed. */
  @Test
  void aTruncationOfBeforeACleanCloseTakesNothingThatWasPutBack() throws IOException {
    try (Database database = Database.open(disk.directory("db"), OPTIONS)) {
      Table table = database.createTable(TABLE);
      database.createTable("CREATE TABLE w.other (k int PRIMARY KEY, v text)");
      write(table, 1, "precious");
      database.checkpoint(disk.directory("backup"));
      table.truncate();
      write(database.table("w", "other"), 1, "x");
    }
    Directory backup = tableIn(disk.directory("backup"), "t-");
    Directory table = tableIn(disk.directory("db"), "t-");
    for (String name : table.files()) {
      table.delete(name);
    }
    for (String name : backup.files()) {
      copy(backup, table, name);
    }
    for (int i = 0; i < 2; i++) {
      try (Database database = Database.open(disk.directory("db"), OPTIONS)) {
        assertThat(Contents.of(database.table("w", "t"))).containsExactly("1 precious");
        assertThat(Contents.count(database.table("w", "other"))).isEqualTo(1);
      }
    }
  }

  @Test
  void segmentsDoNotGatherWhereNothingIsWritten() throws IOException {
    for (int i = 0; i < 5; i++) {
      Database.open(disk, OPTIONS).close();
    }
    assertThat(disk.directory("commitlog").files()).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void aFullArchiveDoesNotKeepADatabaseFromClosing() throws IOException {
    CommitLogOptions log = CommitLogOptions.builder().archive(fullArchive()).build();
    try (Database database = Database.open(disk, OPTIONS.toBuilder().commitLog(log).build())) {
      Table table = database.createTable(TABLE);
      table.truncate();
      write(table, 1, "x");
    }
    try (Database database = Database.open(disk, OPTIONS)) {
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(1);
    }
  }

  /** What the truncations before left, and what came since, cannot be told apart without it. */
  @Test
  void positionsThatAreDamagedCostNoRow() throws IOException {
    Database database = Database.open(disk, OPTIONS);
    Table table = database.createTable(TABLE);
    write(table, 1, "imported");
    database.checkpoint(disk.directory("backup"));
    table.truncate();
    table.importTables(tableIn(disk.directory("backup")));
    write(table, 2, "flushed");
    table.flush();
    write(table, 3, "logged");
    SimulatedDisk dead = died(database);
    Directory files = tableIn(dead);
    byte[] bytes = bytes(files, "flushed_positions");
    bytes[0] ^= 1;
    put(files, "flushed_positions", bytes);
    assertThatThrownBy(() -> Database.open(dead, OPTIONS))
        .hasMessageContaining("flushed_positions: is damaged");
    List<EngineListener.CorruptionFound> told = new ArrayList<>();
    DatabaseOptions lenient = OPTIONS.toBuilder().lenient(true).listener(collecting(told)).build();
    String[] rows = {"1 imported", "2 flushed", "3 logged"};
    try (Database again = Database.open(dead, lenient)) {
      assertThat(Contents.of(again.table("w", "t"))).containsExactlyInAnyOrder(rows);
    }
    assertThat(told).hasSize(1);
    assertThat(told.get(0).path()).endsWith("/flushed_positions");
    try (Database mended = Database.open(dead, OPTIONS)) {
      assertThat(Contents.of(mended.table("w", "t"))).containsExactlyInAnyOrder(rows);
    }
  }

  /** The generations begin anew where a truncation left no file, and its record is still there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutPositionsNoTruncationTakesWhatCameLater(boolean isImported) throws IOException {
    DatabaseOptions options =
        OPTIONS.toBuilder()
            .commitLog(
                CommitLogOptions.builder().syncMode(SyncMode.BATCH).archive(fullArchive()).build())
            .build();
    try (Database database = Database.open(disk.directory("db"), options)) {
      Table table = database.createTable(TABLE);
      for (int i = 0; i < 3; i++) {
        write(table, i, "imported");
        table.flush();
      }
      database.checkpoint(disk.directory("backup"));
      table.truncate();
    }
    try (Database database = Database.open(disk.directory("db"), options)) {
      if (isImported) {
        database.table("w", "t").importTables(tableIn(disk.directory("backup")));
      }
    }
    Directory files = tableIn(disk.directory("db"));
    if (!isImported) {
      Directory backup = tableIn(disk.directory("backup"));
      for (String name : backup.files()) {
        copy(backup, files, name);
      }
    }
    byte[] bytes = bytes(files, "flushed_positions");
    bytes[0] ^= 1;
    put(files, "flushed_positions", bytes);
    DatabaseOptions lenient = options.toBuilder().lenient(true).build();
    try (Database database = Database.open(disk.directory("db"), lenient)) {
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(3);
    }
    try (Database database = Database.open(disk.directory("db"), options)) {
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(3);
    }
  }

  /** As of a volume that is not mounted. */
  @Test
  void withoutItsTablesALogIsNotReplayed() throws IOException {
    SimulatedDisk dead = killed(100);
    Directory log = dead.directory("commitlog");
    Directory other = dead.directory("other");
    Directory there = other.directory("commitlog");
    copy(dead, other, "siltstone.properties");
    for (String segment : log.files()) {
      copy(log, there, segment);
    }
    assertThatThrownBy(() -> Database.open(other, OPTIONS))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("/data: is missing, but there is a commit log");
    assertThat(there.files()).containsExactlyElementsOf(log.files());
  }

  @Test
  void aDamagedHeaderOfASegmentCostsNoRecord() throws IOException {
    SimulatedDisk dead = killed(100);
    Directory log = dead.directory("commitlog");
    String segment = log.files().get(0);
    byte[] bytes = bytes(log, segment);
    bytes[CREATED_AT] ^= 1;
    put(log, segment, bytes);
    assertThatThrownBy(() -> Database.open(dead, OPTIONS)).hasMessageContaining(segment);
    List<EngineListener.CorruptionFound> told = new ArrayList<>();
    DatabaseOptions lenient = OPTIONS.toBuilder().lenient(true).listener(collecting(told)).build();
    try (Database database = Database.open(dead, lenient)) {
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(100);
    }
    assertThat(told).hasSize(1);
  }

  private static Directory fullArchive() {
    return new FaultyDirectory(
        new MemoryDirectory(),
        1,
        Fault.on(Operation.CREATE, Operation.LINK).fails("the archive is full"));
  }

  private static EngineListener collecting(List<EngineListener.CorruptionFound> told) {
    return new EngineListener() {
      @Override
      public void corruptionFound(CorruptionFound event) {
        told.add(event);
      }
    };
  }

  /** What a process has left that wrote some rows and died. */
  private SimulatedDisk killed(int rows) throws IOException {
    Database database = Database.open(disk, OPTIONS);
    Table table = database.createTable(TABLE);
    for (int i = 0; i < rows; i++) {
      write(table, i, "x");
    }
    return died(database);
  }

  private SimulatedDisk died(Database database) {
    SimulatedDisk left = disk.processDeath();
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    return left;
  }

  private static void write(Table table, int key, String value) throws IOException {
    table.write(table.mutation(key).insert().set("v", value).build());
  }

  private static Directory tableIn(Directory database) throws IOException {
    return tableIn(database, "");
  }

  private static Directory tableIn(Directory database, String prefix) throws IOException {
    Directory keyspace = database.directory("data").directory("w");
    return keyspace.directory(
        keyspace.directories().stream()
            .filter(name -> name.startsWith(prefix))
            .findFirst()
            .orElseThrow());
  }

  private static void copy(Directory from, Directory to, String name) throws IOException {
    put(to, name, bytes(from, name));
  }

  private static byte[] bytes(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
      file.readFully(0, bytes);
      return bytes.array();
    }
  }

  private static void put(Directory directory, String name, byte[] bytes) throws IOException {
    if (directory.exists(name)) {
      directory.delete(name);
    }
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
  }
}
