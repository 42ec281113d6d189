package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.files.DirectoryListing;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.model.Contents;
import io.siltstone.model.TestKeys;
import io.siltstone.rows.LiveRows;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables that have not changed since a clean close are opened without their data, indexes,
 * summaries and filters, which are opened when they are first needed; all others are opened with
 * them.
 */
class UnchangedTablesTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).chunkCacheBytes(0).build();
  private static final int TABLES = 2;
  private static final int SSTABLES = 9;
  private static final int ROWS = 5;

  private static final List<String> COMPONENTS =
      List.of("Filter", "Summary", "Index", "Data", "CompressionInfo");

  // Fewer on a real disk, whose syncs take long.
  private static final int FEW = 3;

  @TempDir Path temporary;

  private static void fill(Directory disk) throws IOException {
    fill(disk, SSTABLES);
  }

  private static void fill(Directory disk, int sstables) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      for (int t = 0; t < TABLES; t++) {
        Table table = database.createTable("CREATE TABLE w.t" + t + " (k int PRIMARY KEY, v int)");
        for (int s = 0; s < sstables; s++) {
          for (int i = 0; i < ROWS; i++) {
            table.write(table.mutation(s * ROWS + i).insert().set("v", t).build());
          }
          table.flush();
        }
      }
      awaitLater(disk);
    }
  }

  /** Returns when a file that is written now is younger than those of the tables. */
  private static void awaitLater(Directory disk) throws IOException {
    long newest = Long.MIN_VALUE;
    for (Directory table : tables(disk)) {
      newest = Math.max(newest, DirectoryListing.of(table).lastModifiedMillis());
    }
    // The times of files have the resolution of the kernel's clock.
    while (System.currentTimeMillis() <= newest + 20) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static List<Directory> tables(Directory disk) throws IOException {
    Directory keyspace = disk.directory("data").directory("w");
    List<Directory> tables = new ArrayList<>();
    for (String name : keyspace.directories()) {
      tables.add(keyspace.directory(name));
    }
    return tables;
  }

  private static int valueOf(Database database, String name, int key) throws IOException {
    Table table = database.table("w", name);
    return (int) table.get(table.query().partition(key).build()).orElseThrow().get("v");
  }

  private Path pathOf(Path database, String tablePrefix, String file) throws IOException {
    try (var paths = Files.walk(database)) {
      return paths
          .filter(path -> path.getParent().getFileName().toString().startsWith(tablePrefix))
          .filter(path -> path.getFileName().toString().equals(file))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Damages a file, and leaves its length and time, as a disk does. */
  private static void damage(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < 8; i++) {
      bytes[i] ^= (byte) 0x5a;
    }
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, time);
  }

  @Test
  void componentsThatNoReadNeedsAreNotRead() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    fill(disk);
    disk.reset();
    try (Database database = Database.open(disk, OPTIONS)) {
      for (String component : COMPONENTS) {
        assertThat(disk.count(Operation.OPEN, "*-" + component + ".db")).as(component).isZero();
      }
      assertThat(disk.count(Operation.OPEN, "*-TOC.txt")).isZero();
      assertThat(valueOf(database, "t1", 7)).isEqualTo(1);
      for (String component : COMPONENTS) {
        assertThat(disk.count(Operation.OPEN, "*-" + component + ".db"))
            .as(component)
            .isBetween(1L, (long) SSTABLES);
      }
      awaitLater(disk);
    }
    disk.reset();
    try (Database database = Database.open(disk, OPTIONS)) {
      assertThat(disk.count(Operation.OPEN, "*-Filter.db")).isZero();
      assertThat(disk.count(Operation.OPEN, "*-Data.db")).isZero();
      assertThat(database.table("w", "t1").statistics().sstables().count()).isEqualTo(SSTABLES);
    }
  }

  @Test
  void dataWithoutCompressionIsOpenedByTheReadThatNeedsIt() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    long dataBytes;
    try (Database database = Database.open(disk, OPTIONS)) {
      Table table =
          database.createTable(
              "CREATE TABLE w.t0 (k int PRIMARY KEY, v int)"
                  + " WITH compression = {'enabled': 'false'}");
      table.write(table.mutation(1).insert().set("v", 2).build());
      table.flush();
      dataBytes = table.statistics().sstables().dataBytes();
      awaitLater(disk);
    }
    disk.reset();
    try (Database database = Database.open(disk, OPTIONS)) {
      assertThat(database.table("w", "t0").statistics().sstables().dataBytes())
          .isEqualTo(dataBytes)
          .isPositive();
      assertThat(disk.count(Operation.OPEN, "*-Data.db")).isZero();
      assertThat(disk.count(Operation.OPEN, "*-CRC.db")).isZero();
      assertThat(valueOf(database, "t0", 1)).isEqualTo(2);
      assertThat(disk.count(Operation.OPEN, "*-CRC.db")).isEqualTo(1);
    }
  }

  @Test
  void dataFileThatCannotBeOpenedIsTriedAgainByTheNextRead() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    fill(disk, FEW);
    Fault fault = Fault.on(Operation.OPEN).files("*-Data.db").call(1).fails("Too many open files");
    try (Database database = Database.open(new FaultyDirectory(disk, 1, fault), OPTIONS)) {
      assertThat(fault.fired()).isZero();
      assertThatThrownBy(() -> valueOf(database, "t1", 7))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("-Data.db")
          .hasMessageContaining("Too many open files");
      assertThat(valueOf(database, "t1", 7)).isEqualTo(1);
    }
  }

  /** The length and time of a file are those that the record has, but its content is another. */
  @Test
  void dataOfAnotherLengthThanTheRecordSaysIsRefusedByTheReadThatOpensIt() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    fill(disk, FEW);
    String record = TextFile.read(disk, "clean_close");
    String changed =
        record
            .substring(0, record.indexOf("crc32 "))
            .replaceAll("(?m)^(data oa-[0-9]+-big) ([0-9]+)", "$1 1$2");
    CRC32 crc = new CRC32();
    crc.update(changed.getBytes(StandardCharsets.UTF_8));
    changed += "crc32 " + Long.toHexString(crc.getValue()) + "\n";
    assertThat(changed).hasSizeGreaterThan(record.length() + 1);
    disk.delete("clean_close");
    write(disk, "clean_close", changed.getBytes(StandardCharsets.UTF_8));
    try (Database database = Database.open(disk, OPTIONS)) {
      assertThatThrownBy(() -> valueOf(database, "t1", 7))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining("-Data.db")
          .hasMessageContaining("has been replaced");
    }
  }

  /** A listing has the length of the encrypted file, which is greater than that of its content. */
  @Test
  void encryptedDataIsOpenedByTheReadThatNeedsIt() throws IOException {
    CountingDirectory stored = new CountingDirectory(new MemoryDirectory());
    Directory disk = EncryptedDirectory.over(stored, TestKeys.one());
    fill(disk, FEW);
    stored.reset();
    try (Database database = Database.open(disk, OPTIONS)) {
      assertThat(stored.count(Operation.OPEN, "*-Data.db")).isZero();
      assertThat(valueOf(database, "t1", 7)).isEqualTo(1);
      assertThat(stored.count(Operation.OPEN, "*-Data.db")).isPositive();
    }
  }

  @Test
  void openingSyncsNothingButTheLog() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    fill(disk);
    disk.reset();
    try (Database database = Database.open(disk, OPTIONS)) {
      // Beside the new segment the deletion of the old one.
      assertThat(disk.count(Operation.SYNC)).as(disk.report()).isLessThanOrEqualTo(2);
      assertThat(disk.count(Operation.SYNC_DIRECTORY)).as(disk.report()).isLessThanOrEqualTo(2);
      assertThat(valueOf(database, "t1", 7)).isEqualTo(1);
    }
  }

  @Test
  void closingSyncsNothingAndLooksAtNoFileOfATableThatHasNotChanged() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    fill(disk);
    Database database = Database.open(disk, OPTIONS);
    assertThat(valueOf(database, "t1", 7)).isEqualTo(1);
    awaitLater(disk);
    disk.reset();
    database.close();
    assertThat(disk.count(Operation.LOOK_UP, "*.db")).as(disk.report()).isZero();
    assertThat(disk.count(Operation.SYNC)).as(disk.report()).isZero();
    // The segment of the log that was there before may be deleted only now, by another thread.
    assertThat(disk.count(Operation.SYNC_DIRECTORY))
        .as(disk.report())
        .isLessThanOrEqualTo(disk.count(Operation.DELETE, "commitlog/*"));
    disk.reset();
    try (Database again = Database.open(disk, OPTIONS)) {
      assertThat(disk.bytes(Operation.READ, "*-Filter.db")).isZero();
      Table changed = again.table("w", "t1");
      changed.write(changed.mutation(7).insert().set("v", 70).build());
      changed.flush();
      awaitLater(disk);
      disk.reset();
    }
    assertThat(disk.count(Operation.LOOK_UP, "*-Data.db")).isPositive();
    disk.reset();
    try (Database again = Database.open(disk, OPTIONS)) {
      assertThat(disk.bytes(Operation.READ, "*-Filter.db")).as("the new line").isZero();
      assertThat(valueOf(again, "t1", 7)).isEqualTo(70);
      assertThat(valueOf(again, "t0", 7)).isZero();
    }
  }

  /** A write into an existing file does not change the time of its directory. */
  @Test
  void fileThatWasWrittenWhileTheDatabaseWasOpenIsReadAtTheNextOpening() throws IOException {
    Path path = temporary.resolve("open");
    fill(NioDirectory.open(path), FEW);
    Path file = pathOf(path, "t1-", "oa-3-big-Filter.db");
    try (Database database = Database.open(path, OPTIONS)) {
      damage(file);
      Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() - 1000));
      awaitLater(NioDirectory.open(path));
      assertThat(valueOf(database, "t0", 7)).isZero();
    }
    assertThatThrownBy(() -> Database.open(path, OPTIONS))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void damageIsReportedByTheReadThatFindsIt() throws IOException {
    for (String component : List.of("Filter", "Summary", "Index", "CompressionInfo")) {
      Path path = temporary.resolve(component);
      fill(NioDirectory.open(path), FEW);
      Path file = pathOf(path, "t1-", "oa-3-big-" + component + ".db");
      damage(file);
      ConcurrentLinkedQueue<EngineListener.CorruptionFound> found = new ConcurrentLinkedQueue<>();
      EngineListener listener =
          new EngineListener() {
            @Override
            public void corruptionFound(CorruptionFound event) {
              found.add(event);
            }
          };
      try (Database database =
          Database.open(path, OPTIONS.toBuilder().listener(listener).build())) {
        assertThat(valueOf(database, "t0", 7)).isZero();
        assertThat(found).isEmpty();
        for (int again = 0; again < 2; again++) {
          assertThatThrownBy(() -> readAll(database, "t1"))
              .isInstanceOf(CorruptSSTableException.class)
              .hasMessageContaining(file.toString());
        }
        assertThat(found).isNotEmpty();
        assertThat(found.peek().path()).isEqualTo(file.toString());
      }
      // Without the record it is found at once.
      Files.delete(path.resolve("clean_close"));
      assertThatThrownBy(() -> Database.open(path, OPTIONS))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining(file.toString());
    }
  }

  private static void readAll(Database database, String name) throws IOException {
    for (int key = 0; key < FEW * ROWS; key++) {
      var unused = valueOf(database, name, key);
    }
  }

  @Test
  void fileThatWasWrittenMeanwhileIsReadAtTheOpening() throws IOException {
    Path path = temporary.resolve("written");
    fill(NioDirectory.open(path), FEW);
    Path file = pathOf(path, "t1-", "oa-3-big-Filter.db");
    damage(file);
    Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + 1000));
    assertThatThrownBy(() -> Database.open(path, OPTIONS))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void whatALenientOpeningHasQuarantinedIsFoundByTheNextStrictOne() throws IOException {
    Path path = temporary.resolve("lenient");
    fill(NioDirectory.open(path), FEW);
    Path file = pathOf(path, "t1-", "oa-3-big-Filter.db");
    damage(file);
    try (Database database = Database.open(path, OPTIONS.toBuilder().lenient(true).build())) {
      // The log has the rows of the quarantined SSTable.
      readAll(database, "t1");
      awaitLater(NioDirectory.open(path));
    }
    assertThatThrownBy(() -> Database.open(path, OPTIONS))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void readsThatAreOpenGoOnWhenTheirTableIsDropped() throws IOException {
    Path path = temporary.resolve("dropped");
    fill(NioDirectory.open(path), FEW);
    try (Database database = Database.open(path, OPTIONS)) {
      Table table = database.table("w", "t1");
      try (LiveRows rows = table.read(table.query().build())) {
        rows.next();
        database.dropTable("w", "t1");
        int count = 1;
        while (rows.hasNext()) {
          rows.next();
          count++;
        }
        assertThat(count).isEqualTo(FEW * ROWS);
      }
      assertThat(valueOf(database, "t0", 7)).isZero();
    }
  }

  /**
   * Changes something between a clean close and the next opening, at random: it finds the same as
   * an opening without the record.
   */
  @Test
  void openingsWithAndWithoutTheRecordFindTheSame() throws IOException {
    long seed = Long.getLong("siltstone.seed", System.nanoTime());
    int cases = 20 * Integer.getInteger("siltstone.scale", 1);
    SimulatedDisk filled = new SimulatedDisk();
    fill(filled);
    for (int i = 0; i < cases; i++) {
      Random random = new Random(seed + i);
      SimulatedDisk disk = filled.processDeath();
      String change = change(disk, random);
      SimulatedDisk with = disk.processDeath();
      SimulatedDisk without = disk.processDeath();
      if (without.exists("clean_close")) {
        without.delete("clean_close");
      }
      assertThat(found(with))
          .as("%s; again with -Dsiltstone.seed=%d", change, seed + i)
          .isEqualTo(found(without));
    }
  }

  private static String change(Directory disk, Random random) throws IOException {
    List<Directory> tables = tables(disk);
    Directory table = tables.get(random.nextInt(tables.size()));
    List<String> files = table.files();
    String file = files.get(random.nextInt(files.size()));
    switch (random.nextInt(7)) {
      case 0 -> {
        cut(disk, "clean_close", random);
        return "the record is cut";
      }
      case 1 -> {
        edit(disk, "clean_close", random);
        return "the record is edited";
      }
      case 2 -> {
        table.delete(file);
        return file + " is deleted";
      }
      case 3 -> {
        cut(table, file, random);
        return file + " is cut";
      }
      case 4 -> {
        edit(table, file, random);
        return file + " is edited";
      }
      case 5 -> {
        write(table, "oa-99-big-TOC.txt.tmp", "Data.db\n".getBytes(StandardCharsets.UTF_8));
        return "a temporary file is added";
      }
      default -> {
        return "nothing";
      }
    }
  }

  private static void cut(Directory directory, String file, Random random) throws IOException {
    directory.truncate(file, random.nextInt((int) directory.length(file)));
  }

  private static void edit(Directory directory, String file, Random random) throws IOException {
    byte[] bytes = new byte[(int) directory.length(file)];
    try (var open = directory.open(file, ReadIntent.SCAN)) {
      open.readFully(0, ByteBuffer.wrap(bytes));
    }
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    directory.delete(file);
    write(directory, file, bytes);
  }

  private static void write(Directory directory, String file, byte[] bytes) throws IOException {
    try (WritableFile out = directory.create(file, WriteIntent.OTHER)) {
      out.write(ByteBuffer.wrap(bytes));
      out.sync();
    }
  }

  /** Returns the content of all tables, or why they cannot be opened or read. */
  private static List<String> found(Directory disk) {
    List<String> found = new ArrayList<>();
    try (Database database = Database.open(disk, OPTIONS)) {
      for (int t = 0; t < TABLES; t++) {
        found.addAll(Contents.of(database.table("w", "t" + t)));
      }
    } catch (IOException | RuntimeException e) {
      found.add(String.valueOf(e.getMessage()));
    }
    return found;
  }
}
