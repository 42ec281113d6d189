package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.event.EngineListener;
import io.siltstone.explain.ReadTrace;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Condition;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseTest {
  private static final String READINGS =
      "CREATE TABLE w.readings (station text, at int, celsius double, town text static,"
          + " PRIMARY KEY (station, at))";

  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).build();

  @TempDir private Path temporary;

  private static DatabaseOptions.Builder options() {
    return OPTIONS.toBuilder();
  }

  private static List<String> rows(Table table, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (LiveRows found = table.read(query)) {
      while (found.hasNext()) {
        Row row = found.next();
        rows.add(row.get("station") + " " + row.get("at") + " " + row.get("celsius"));
      }
    }
    return rows;
  }

  private static List<String> all(Table table) throws IOException {
    return rows(table, table.query().build());
  }

  private static void put(Table table, String station, int at, double celsius) throws IOException {
    table.write(table.mutation(station).insert(at).set("celsius", celsius).build());
  }

  @Test
  void whatIsWrittenIsThereAfterReopening() throws IOException {
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      put(readings, "Cologne", 1, 21.5);
      put(readings, "Cologne", 2, 22.5);
      readings.flush();
      put(readings, "Bonn", 1, 20);
      assertThat(all(readings))
          .containsExactlyInAnyOrder("Cologne 1 21.5", "Cologne 2 22.5", "Bonn 1 20.0");
      assertThat(rows(readings, readings.query().partition("Cologne").reversed().build()))
          .containsExactly("Cologne 2 22.5", "Cologne 1 21.5");
    }
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table readings = database.table("w", "readings");
      assertThat(all(readings))
          .containsExactlyInAnyOrder("Cologne 1 21.5", "Cologne 2 22.5", "Bonn 1 20.0");
    }
  }

  @Test
  void replaysTheLogOfADatabaseThatWasNotClosed() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    DatabaseOptions batch =
        options().commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build()).build();
    Database lost = Database.open(disk, batch);
    Table readings = lost.createTable(READINGS);
    put(readings, "Cologne", 1, 21.5);
    readings.flush();
    put(readings, "Cologne", 2, 22.5);
    lost.write(
        Batch.of(
            readings.mutation("Bonn").insert(1).set("celsius", 20.0).build(),
            readings.mutation("Cologne").deleteRow(1).build()));
    try (Database readOnly = Database.open(disk, options().readOnly(true).build())) {
      assertThat(all(readOnly.table("w", "readings")))
          .containsExactlyInAnyOrder("Cologne 2 22.5", "Bonn 1 20.0");
      assertThatThrownBy(readOnly::flush).isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(() -> Database.open(disk, OPTIONS)).hasMessageContaining("open already");
    lost.close();
    try (Database database = Database.open(disk, OPTIONS)) {
      assertThat(all(database.table("w", "readings")))
          .containsExactlyInAnyOrder("Cologne 2 22.5", "Bonn 1 20.0");
    }
  }

  @Test
  void truncates() throws IOException {
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      put(readings, "Cologne", 1, 21.5);
      readings.flush();
      put(readings, "Cologne", 2, 21.5);
      readings.truncate();
      assertThat(all(readings)).isEmpty();
      put(readings, "Cologne", 3, 21.5);
      assertThat(all(readings)).containsExactly("Cologne 3 21.5");
    }
    try (Database database = Database.open(temporary, OPTIONS)) {
      assertThat(all(database.table("w", "readings"))).containsExactly("Cologne 3 21.5");
    }
  }

  @Test
  void whatIsPutBackByHandAfterATruncationStays() throws IOException {
    Path data = temporary.resolve("data");
    Path kept = temporary.resolve("kept");
    Path home;
    try (Database database = Database.open(data, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      put(readings, "Cologne", 1, 21.5);
      readings.flush();
      try (Stream<Path> files = Files.walk(data)) {
        home = files.filter(file -> file.toString().endsWith("-Data.db")).findAny().orElseThrow();
      }
      copy(home.resolveSibling(""), kept);
      readings.truncate();
    }
    copy(kept, home.resolveSibling(""));
    try (Database database = Database.open(data, OPTIONS)) {
      assertThat(all(database.table("w", "readings"))).containsExactly("Cologne 1 21.5");
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Test
  void altersAndDrops() throws IOException {
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      put(readings, "Cologne", 1, 21.5);
      database.alterTable("w", "readings", "ALTER TABLE w.readings ADD wind int");
      readings.write(readings.mutation("Cologne").update(1).set("wind", 7).build());
      Row row = readings.get(readings.query().partition("Cologne").build()).orElseThrow();
      assertThat(row.get("wind")).isEqualTo(7);
      assertThat(row.get("celsius")).isEqualTo(21.5);
      database.alterTable("w", "readings", "ALTER TABLE w.readings DROP celsius");
      assertThat(readings.schema().column("celsius")).isEmpty();
      database.dropTable("w", "readings");
      assertThat(database.tables()).isEmpty();
      assertThatThrownBy(() -> readings.write(readings.mutation("Cologne").insert(9).build()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("dropped");
      assertThatThrownBy(() -> all(readings)).hasMessageContaining("dropped");
      database.createTable(READINGS);
    }
    try (Database database = Database.open(temporary, OPTIONS)) {
      assertThat(all(database.table("w", "readings"))).isEmpty();
    }
  }

  @Test
  void readsThatAreOpenGoOnWhenTheirTableIsDropped() throws IOException {
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      // Three SSTables one behind the other, of which a scan opens one after the other.
      List<String> stations = new ArrayList<>(List.of("Cologne", "Bonn", "Aachen"));
      stations.sort(
          Comparator.comparing(
              name -> readings.query().partition(name).build().partitionKey().orElseThrow()));
      for (String station : stations) {
        for (int at = 0; at < 100; at++) {
          put(readings, station, at, 20);
        }
        readings.flush();
      }
      try (LiveRows rows = readings.read(readings.query().build())) {
        rows.next();
        database.dropTable("w", "readings");
        int count = 1;
        while (rows.hasNext()) {
          rows.next();
          count++;
        }
        assertThat(count).isEqualTo(300);
      }
    }
  }

  @Test
  void aTableThatHasTheIdOfOneThatWasDroppedIsAnother() throws IOException {
    String table = READINGS + " WITH id = 5bc52802-de25-35ed-aeab-188eecebb090";
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table dropped = database.createTable(table);
      put(dropped, "Cologne", 1, 21.5);
      database.dropTable("w", "readings");
      put(database.createTable(table), "Bonn", 1, 20.5);
    }
    try (Database database = Database.open(temporary, OPTIONS)) {
      assertThat(all(database.table("w", "readings"))).containsExactly("Bonn 1 20.5");
    }
  }

  @Test
  void writesOnConditions() throws IOException {
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      assertThat(
              readings.writeIf(
                  readings.mutation("Cologne").insert(1).set("celsius", 1.0).build(),
                  List.of(1),
                  Condition.notExists()))
          .isTrue();
      assertThat(
              readings.writeIf(
                  readings.mutation("Cologne").insert(1).set("celsius", 2.0).build(),
                  List.of(1),
                  Condition.notExists()))
          .isFalse();
      assertThat(
              readings.writeIf(
                  readings.mutation("Cologne").insert(1).set("celsius", 3.0).build(),
                  List.of(1),
                  Condition.equal("celsius", 1.0)))
          .isTrue();
      assertThat(all(readings)).containsExactly("Cologne 1 3.0");
      assertThat(
              readings.writeIf(
                  readings.mutation("Cologne").build(), List.of(1), Condition.exists()))
          .isTrue();
      assertThat(
              readings
                  .writeIfAsync(
                      readings.mutation("Cologne").set("town", "Deutz").build(),
                      List.of(),
                      Condition.equal("town", null))
                  .toCompletableFuture()
                  .join())
          .isTrue();
      assertThat(
              readings.writeIf(
                  readings.mutation("Cologne").insert(2).build(),
                  List.of(2),
                  Condition.notExists(),
                  Condition.equal("town", "Deutz")))
          .isTrue();
      assertThatThrownBy(
              () ->
                  readings.writeIf(
                      readings.mutation("Cologne").timestamp(5).insert(3).build(),
                      List.of(3),
                      Condition.notExists()))
          .hasMessageContaining("timestamps of its own");
      // Of which row? Not of whichever comes first.
      assertThatThrownBy(
              () ->
                  readings.writeIf(
                      readings.mutation("Cologne").insert(3).build(),
                      List.of(),
                      Condition.equal("town", "Deutz"),
                      Condition.equal("celsius", 3.0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("celsius")
          .hasMessageContaining("0 of 1 clustering values");
      assertThat(
              readings.writeIf(
                  readings.mutation("Cologne").insert(4).build(), List.of(), Condition.notExists()))
          .isFalse();
    }
  }

  @Test
  void theLaterWriteWinsAlsoIfTheClockWasTurnedBack() throws IOException {
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");
    Instant eleven = Instant.parse("2026-03-01T11:00:00Z");
    try (Database database =
        Database.open(temporary, options().clock(InstantSource.fixed(noon)).build())) {
      put(database.createTable(READINGS), "Cologne", 1, 1);
    }
    try (Database database =
        Database.open(temporary, options().clock(InstantSource.fixed(eleven)).build())) {
      Table readings = database.table("w", "readings");
      put(readings, "Cologne", 1, 2);
      assertThat(all(readings)).containsExactly("Cologne 1 2.0");
      // What a user says of the year 2100 is no clock's.
      long later =
          TimeUnit.SECONDS.toMicros(Instant.parse("2100-01-01T00:00:00Z").getEpochSecond());
      readings.write(
          readings.mutation("Bonn").timestamp(later).insert(1).set("celsius", 3.0).build());
    }
    try (Database database =
        Database.open(temporary, options().clock(InstantSource.fixed(eleven)).build())) {
      Table readings = database.table("w", "readings");
      put(readings, "Bonn", 1, 4);
      assertThat(rows(readings, readings.query().partition("Bonn").build()))
          .containsExactly("Bonn 1 3.0");
    }
  }

  @Test
  void whatTheFormatVersionCannotHoldIsRefusedBeforeItIsLogged() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    DatabaseOptions in2040 =
        options()
            .formatVersion(FormatVersion.NB)
            .clock(InstantSource.fixed(Instant.parse("2040-01-01T00:00:00Z")))
            .build();
    try (Database database = Database.open(disk, in2040)) {
      Table readings = database.createTable(READINGS);
      List<ThrowingCallable> deletions =
          List.of(
              () -> readings.write(readings.mutation("Bonn").deletePartition().build()),
              () -> readings.write(readings.mutation("Bonn").deleteRow(1).build()),
              () ->
                  readings.write(
                      readings.mutation("Bonn").deleteRange(ClusteringRange.all()).build()));
      for (ThrowingCallable deletion : deletions) {
        assertThatThrownBy(deletion)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("2208988800")
            .hasMessageContaining(Long.toString(FormatVersion.NB.maxLocalDeletionTime()));
      }
      put(readings, "Bonn", 1, 20);
    }
    try (Database database = Database.open(disk, in2040)) {
      assertThat(all(database.table("w", "readings"))).containsExactly("Bonn 1 20.0");
    }
  }

  @Test
  void aQueryOfAnotherTableIsRefused() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      Table like = database.createTable(READINGS.replace("w.readings", "w.others"));
      put(like, "Bonn", 1, 20);
      Query foreign = like.query().partition("Bonn").build();
      List<ThrowingCallable> reads =
          List.of(
              () -> readings.read(foreign).close(),
              () -> readings.read(foreign, new ReadTrace()).close(),
              () -> readings.get(foreign),
              () -> readings.explain(foreign, finding -> true));
      for (ThrowingCallable read : reads) {
        assertThatThrownBy(read)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("is not of w.readings");
      }
      Query otherOrder =
          Query.builder(readings.schema(), Partitioner.BYTE_ORDERED).partition("Bonn").build();
      assertThatThrownBy(() -> readings.get(otherOrder))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("w.readings is partitioned by");

      // One that was made before the table was altered is its own, one of a namesake is not.
      Query before = readings.query().partition("Bonn").build();
      put(readings, "Bonn", 1, 4);
      database.alterTable("w", "readings", "ALTER TABLE w.readings ADD note text");
      assertThat(readings.get(before)).isPresent();
      database.dropTable("w", "readings");
      Table again = database.createTable(READINGS);
      assertThatThrownBy(() -> again.get(before)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTableThatIsGoneIsNeitherCompactedNorFlushed() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    CompactionRequest major = CompactionRequest.of(CompactionRequest.Operation.MAJOR);
    Table other;
    try (Database database = Database.open(disk, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      other = database.createTable(READINGS.replace("w.readings", "w.others"));
      database.dropTable("w", "readings");
      assertThatThrownBy(() -> readings.compact(major))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was dropped");
      assertThatThrownBy(readings::flush)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was dropped");
    }
    assertThatThrownBy(() -> other.compact(major)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(other::flush).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whoChangesTheKeyThatAQueryGivesDoesNotChangeTheQuery() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
      Table readings = database.createTable(READINGS);
      put(readings, "Cologne", 1, 21.5);
      Query query = readings.query().partition("Cologne").build();
      PartitionKey given = query.partitionKey().orElseThrow();
      Arrays.fill(given.bytes(), given.offset(), given.offset() + given.length(), (byte) 'x');
      assertThat(readings.get(query)).isPresent();
    }
  }

  @Test
  void aLogThatTheFormatVersionCannotHoldIsRefusedWithTableAndOption() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database lost = Database.open(disk, OPTIONS);
    Table readings = lost.createTable(READINGS);
    readings.write(readings.mutation("Bonn").ttl(TableOptions.MAX_TIME_TO_LIVE).insert(1).build());
    lost.sync();
    SimulatedDisk found = disk.processDeath();
    assertThatThrownBy(lost::close).isInstanceOf(IOException.class);
    assertThatThrownBy(
            () -> Database.open(found, options().formatVersion(FormatVersion.NB).build()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("w.readings")
        .hasMessageContaining("formatVersion nb");
    try (Database database = Database.open(found, OPTIONS)) {
      assertThat(all(database.table("w", "readings"))).containsExactly("Bonn 1 null");
    }
  }

  @Test
  void whatIsWrittenToAColumnAddedAgainStaysAlsoIfTheClockWasTurnedBack() throws IOException {
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");
    try (Database database =
        Database.open(temporary, options().clock(InstantSource.fixed(noon)).build())) {
      database.createTable(READINGS);
      database.alterTable("w", "readings", "ALTER TABLE w.readings DROP celsius");
    }
    Instant eleven = noon.minusSeconds(3600);
    try (Database database =
        Database.open(temporary, options().clock(InstantSource.fixed(eleven)).build())) {
      Table readings =
          database.alterTable("w", "readings", "ALTER TABLE w.readings ADD celsius double");
      put(readings, "Cologne", 1, 2);
      assertThat(all(readings)).containsExactly("Cologne 1 2.0");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLaterWriteWinsAlsoIfTheClockWasTurnedBackAndAUserWroteOfTheFuture(boolean shortened)
      throws IOException {
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");
    AtomicReference<Instant> now = new AtomicReference<>(noon);
    long future = 4_000_000_000_000_000L;
    DatabaseOptions options =
        options()
            .clock(now::get)
            .commitLog(CommitLogOptions.builder().segmentBytes(64 << 10).build())
            .build();
    MemoryDirectory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, options)) {
      Table t = database.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, a int, b blob)");
      now.set(noon.plusSeconds(60));
      // Of one change, so that its greatest timestamp says nothing.
      t.write(t.mutation(1).insert().set("a", 1).timestamp(future).set("b", null).build());
      for (int i = 0; shortened && i < 10; i++) {
        t.write(t.mutation(2).timestamp(5).insert().set("b", new byte[20_000]).build());
      }
    }
    now.set(noon.minusSeconds(3600));
    for (int value = 2; value < 5; value++) {
      try (Database database = Database.open(disk, options)) {
        Table again = database.table("ks", "t");
        again.write(again.mutation(1).update().set("a", value).build());
        Query one = again.query().partition(1).build();
        assertThat(again.get(one).orElseThrow().getInt("a")).isEqualTo(value);
      }
    }
  }

  /** As files of before an ALTER, which this table could read if they were its own. */
  @Test
  void whatTypesHaveGrownFromIsImported() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    String table = "CREATE TABLE w.t (k int, c frozen<u>, v text, w text, PRIMARY KEY (k, c))";
    try (Database old = Database.open(disk.directory("old"), OPTIONS)) {
      Table before =
          old.createTable(
              "CREATE TYPE w.u (a int); " + table.replace("v text, w text", "v ascii, w ascii"));
      before.write(before.mutation(1).insert(Map.of("a", 7)).set("v", "x").set("w", "y").build());
    }
    Directory keyspace = disk.directory("old").directory("data").directory("w");
    try (Database database = Database.open(disk.directory("new"), OPTIONS)) {
      database.createTable("CREATE TYPE w.u (a int, b int); " + table);
      database.alterTable("w", "t", "ALTER TABLE w.t DROP w USING TIMESTAMP 1");
      Table grown = database.alterTable("w", "t", "ALTER TABLE w.t ADD w text");
      grown.importTables(keyspace.directory(keyspace.directories().get(0)));
      assertThat(Contents.of(grown)).hasSize(1).allMatch(row -> row.endsWith(" x y"));
      Query partition = grown.query().partition(1).build();
      try (LiveRows rows = grown.read(partition)) {
        assertThat(rows.next().getString("w")).isEqualTo("y");
      }
    }
  }

  @Test
  void whatIsOfAnotherKeyspaceIsImportedWithItsUserTypes() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    String table = "(k frozen<u>, c frozen<list<frozen<u>>>, v frozen<u>, PRIMARY KEY (k, c));";
    Map<String, Integer> seven = Map.of("a", 7);
    try (Database old = Database.open(disk.directory("old"), OPTIONS)) {
      Table before = old.createTable("CREATE TYPE w.u (a int); CREATE TABLE w.t " + table);
      before.write(before.mutation(seven).insert(List.of(seven)).set("v", seven).build());
    }
    Directory keyspace = disk.directory("old").directory("data").directory("w");
    Directory files = keyspace.directory(keyspace.directories().get(0));
    try (Database database = Database.open(disk.directory("new"), OPTIONS)) {
      Table renamed =
          database.createTable("CREATE TYPE other.u (b int); CREATE TABLE other.t " + table);
      renamed.importTables(files);
      Row row = renamed.get(renamed.query().partition(Map.of("b", 7)).build()).orElseThrow();
      assertThat(row.get("v")).isEqualTo(Map.of("b", 7));
      Table grown =
          database.createTable("CREATE TYPE more.u (a int, b int); CREATE TABLE more.t " + table);
      // A key with another field would be another key.
      assertThatThrownBy(() -> grown.importTables(files))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("partition key");
    }
  }

  /** Types that can be named by their class, and not in the text that is kept. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SetType(DurationType)",
        "MapType(DurationType,Int32Type)",
        "FrozenType(SetType(DurationType))",
        "FrozenType(UserType(w,75))"
      })
  void aTableThatCqlCannotExpressIsRefused(String type) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (Database database = Database.open(disk.directory("db"), OPTIONS)) {
      assertThatThrownBy(
              () -> database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v '" + type + "')"))
          .isInstanceOf(SchemaException.class);
      assertThat(database.tables()).isEmpty();
      Table fine = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      assertThatThrownBy(
              () -> database.alterTable("w", "t", "ALTER TABLE w.t ADD x '" + type + "'"))
          .isInstanceOf(SchemaException.class);
      fine.write(fine.mutation(1).insert().set("v", 1).build());
    }
    try (Database database = Database.open(disk.directory("db"), OPTIONS)) {
      assertThat(database.tables()).hasSize(1);
    }
  }

  @Test
  void aTableWithTheIdOfAnotherIsRefused() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    String id = "5bc52802-de25-35ed-aeab-188eecebb090";
    try (Database database = Database.open(disk, OPTIONS)) {
      Table readings = database.createTable(READINGS + " WITH id = " + id);
      put(readings, "Cologne", 1, 2);
      assertThatThrownBy(
              () -> database.createTable("CREATE TABLE x.b (k int PRIMARY KEY) WITH id = " + id))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("x.b")
          .hasMessageContaining("w.readings")
          .hasMessageContaining(id);
      assertThat(database.tables()).extracting(Table::toString).containsExactly("w.readings");
      put(readings, "Cologne", 2, 2);
    }
    try (Database database = Database.open(disk, OPTIONS)) {
      assertThat(all(database.table("w", "readings")))
          .containsExactly("Cologne 1 2.0", "Cologne 2 2.0");
    }
  }

  /** As where the table's definition is given, and is not that of who wrote the files. */
  @Test
  void aValueThatIsNoneNamesTableAndColumn() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, OPTIONS)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v blob)");
      table.write(table.mutation(1).insert().set("v", new byte[] {(byte) 0xc3, 0x28}).build());
    }
    Directory keyspace = disk.directory("data").directory("w");
    TableSchema schema =
        SchemaParser.parse("CREATE TABLE w.t (k int PRIMARY KEY, v text)").onlyTable();
    try (Database database =
        Database.openTable(
            keyspace.directory(keyspace.directories().get(0)),
            schema,
            options().readOnly(true).build())) {
      Table table = database.table("w", "t");
      Row row = table.get(table.query().partition(1).build()).orElseThrow();
      assertThatThrownBy(() -> row.get("v"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("column 'v' of w.t is none of type text");
    }
  }

  @Test
  void writesGoOnWhileAnotherTableIsDroppedThoughMemoryIsShort() throws IOException {
    List<String> outcome = new ArrayList<>();
    AtomicReference<Database> opened = new AtomicReference<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void tableDropped(TableDropped event) {
            Table kept = Objects.requireNonNull(opened.get()).table("w", "kept");
            try {
              kept.write(kept.mutation(0).insert().set("v", new byte[6_000_000]).build());
              outcome.add("written");
            } catch (IOException | RuntimeException e) {
              outcome.add(e.toString());
            }
          }
        };
    DatabaseOptions small =
        options()
            .memoryBytes(11 << 20)
            .memtableBytes(6 << 20)
            .chunkCacheBytes(0)
            .listener(listener)
            .build();
    try (Database database = Database.open(new MemoryDirectory(), small)) {
      opened.set(database);
      Table kept = database.createTable("CREATE TABLE w.kept (k int PRIMARY KEY, v blob)");
      database.createTable("CREATE TABLE w.gone (k int PRIMARY KEY, v blob)");
      for (int i = 1; i <= 20; i++) {
        kept.write(kept.mutation(i).insert().set("v", new byte[100_000]).build());
      }
      database.dropTable("w", "gone");
      assertThat(outcome).containsExactly("written");
    }
  }

  @Test
  void readsThatMeetDamageFailAndTellOfEachFileOnce() throws IOException {
    List<String> told = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void corruptionFound(CorruptionFound event) {
            told.add(event.table() + " " + event.path() + ": " + event.cause().getMessage());
          }
        };
    try (Database database =
        Database.open(temporary, options().chunkCacheBytes(0).listener(listener).build())) {
      Table readings = database.createTable(READINGS);
      put(readings, "Cologne", 1, 21.5);
      readings.flush();
      put(readings, "Bonn", 1, 21.5);
      readings.flush();
      Path data;
      try (var files = Files.walk(temporary)) {
        data = files.filter(file -> file.endsWith("oa-1-big-Data.db")).findFirst().orElseThrow();
      }
      try (FileChannel file = FileChannel.open(data, StandardOpenOption.WRITE)) {
        file.write(ByteBuffer.wrap(new byte[] {77}), file.size() / 2);
      }
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> all(readings)).hasCauseInstanceOf(CorruptSSTableException.class);
        assertThatThrownBy(() -> readings.get(readings.query().partition("Cologne").build()))
            .isInstanceOf(CorruptSSTableException.class);
      }
      assertThat(readings.get(readings.query().partition("Bonn").build())).isPresent();
      assertThat(told)
          .singleElement()
          .asString()
          .startsWith("w.readings ")
          .contains(" " + data + ": corrupt SSTable: " + data);
    }
  }

  @Test
  void damageIsRefusedUnlessLeniencyIsAskedFor() throws IOException {
    Path table;
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table readings = database.createTable(READINGS);
      put(readings, "Cologne", 1, 21.5);
      readings.flush();
      put(readings, "Bonn", 1, 21.5);
      readings.flush();
    }
    Path keyspace = temporary.resolve("data").resolve("w");
    try (var tables = Files.list(keyspace)) {
      table = tables.findFirst().orElseThrow();
    }
    Path statistics = table.resolve("oa-1-big-Statistics.db");
    byte[] bytes = Files.readAllBytes(statistics);
    bytes[bytes.length / 2] ^= 1;
    Files.write(statistics, bytes);
    assertThatThrownBy(() -> Database.open(temporary, OPTIONS))
        .hasMessageContaining("oa-1-big-Statistics.db");
    List<String> told = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void corruptionFound(CorruptionFound event) {
            told.add(event.table() + " " + event.path());
          }
        };
    try (Database database =
        Database.open(temporary, options().lenient(true).listener(listener).build())) {
      // The commit log still has what the damaged table had.
      assertThat(all(database.table("w", "readings")))
          .containsExactly("Cologne 1 21.5", "Bonn 1 21.5");
      // It would be back when it is mended.
      Table readings = database.table("w", "readings");
      assertThatThrownBy(readings::truncate)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("oa-1-big-Data.db is quarantined");
      assertThat(all(readings)).hasSize(2);
    }
    assertThat(told).singleElement().asString().contains("w.readings", "oa-1-big-Data.db");
  }

  @Test
  void aCheckpointIsADatabaseOfItsOwn() throws IOException {
    Path target = temporary.resolve("checkpoint");
    try (Database database = Database.open(temporary.resolve("database"), OPTIONS)) {
      Table readings = database.createTable(READINGS);
      put(readings, "Cologne", 1, 21.5);
      readings.flush();
      put(readings, "Cologne", 2, 22.5);
      database.checkpoint(target);
      put(readings, "Cologne", 3, 23.5);
    }
    try (Database database = Database.open(target, OPTIONS)) {
      Table readings = database.table("w", "readings");
      assertThat(all(readings)).containsExactly("Cologne 1 21.5", "Cologne 2 22.5");
      put(readings, "Cologne", 4, 24.5);
    }
    try (Database database = Database.open(target, OPTIONS)) {
      Table readings = database.table("w", "readings");
      assertThat(all(readings))
          .containsExactly("Cologne 1 21.5", "Cologne 2 22.5", "Cologne 4 24.5");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "checkpoint",
        "checkpoint/*",
        "checkpoint/data/*",
        "checkpoint/data/w/*",
        "checkpoint/data/w/*/*"
      })
  void aCheckpointThatFailsLeavesNothing(String files) throws IOException {
    for (int call = 1; failsToMakeACheckpoint(files, call); call++) {
      assertThat(call).isLessThan(1000);
    }
  }

  /** Tries a second time what has failed. Whether there was such a call. */
  private static boolean failsToMakeACheckpoint(String files, int call) throws IOException {
    Fault fault =
        Fault.on(
                Operation.LINK,
                Operation.CREATE,
                Operation.WRITE,
                Operation.RENAME,
                Operation.SYNC,
                Operation.SYNC_DIRECTORY)
            .files(files)
            .call(call)
            .fails("bad sector");
    Directory root = new FaultyDirectory(new MemoryDirectory(), 1, fault);
    Directory target = root.directory("checkpoint");
    try (Database database = Database.open(root.directory("database"), OPTIONS)) {
      put(database.createTable(READINGS), "Cologne", 1, 21.5);
      database.createTable("CREATE TABLE w.other (k int PRIMARY KEY)");
      try {
        database.checkpoint(target);
      } catch (IOException e) {
        assertThat(e).as("%s", fault).hasMessageContaining("bad sector");
        assertThat(target.files()).as("files left after %s", fault).isEmpty();
        assertThat(target.directories()).as("left after %s", fault).isEmpty();
        database.checkpoint(target);
      }
    }
    assertThat(target.files()).contains("siltstone.properties");
    return fault.fired() > 0;
  }

  @Test
  void theSmallestSegmentsTakeTablesOfAnyDefinition() throws IOException {
    CommitLogOptions smallest =
        CommitLogOptions.builder().syncMode(SyncMode.BATCH).segmentBytes(1024).build();
    DatabaseOptions options = options().commitLog(smallest).build();
    SimulatedDisk disk = new SimulatedDisk();
    Database lost = Database.open(disk, options);
    Table readings = lost.createTable(READINGS);
    for (int at = 0; at < 5; at++) {
      put(readings, "Bonn", at, 20);
    }
    SimulatedDisk found = disk.processDeath();
    assertThatThrownBy(lost::close).isInstanceOf(IOException.class);
    try (Database database = Database.open(found, options)) {
      assertThat(all(database.table("w", "readings"))).hasSize(5);
    }
  }

  @Test
  void saysWhatIsWrongWithADirectory() throws IOException {
    assertThatThrownBy(
            () -> Database.open(temporary.resolve("none"), options().readOnly(true).build()))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Database.open(temporary, options().createIfMissing(false).build()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no database");
    assertThat(temporary).isEmptyDirectory();
    Files.createDirectory(temporary.resolve("lock"));
    assertThatThrownBy(() -> Database.open(temporary, OPTIONS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be locked")
        .hasMessageContaining("lock is a directory");
    assertThatThrownBy(() -> Database.open(temporary.resolve("found"), DatabaseOptions.DEFAULT))
        .hasMessageContaining("add engine-compaction");
  }

  @Test
  void whatIsNoDatabaseIsLeftAsItWas() throws IOException {
    for (int i = 9; i > 0; i--) {
      Files.createFile(temporary.resolve("picture" + i));
    }
    assertThatThrownBy(() -> Database.open(temporary, OPTIONS))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith(
            "is neither empty nor a database: it has picture1, picture2, picture3, picture4,"
                + " picture5 and 4 more");
    assertThat(temporary.resolve("lock")).doesNotExist();
  }

  @Test
  void theRootOfAVolumeBecomesADatabase() throws IOException {
    Files.createDirectory(temporary.resolve("lost+found"));
    for (int i = 0; i < 2; i++) {
      try (Database database = Database.open(temporary, OPTIONS)) {
        assertThat(database.tables()).isEmpty();
      }
    }
    assertThat(temporary.resolve("lost+found")).isEmptyDirectory();
  }

  @Test
  void saysHowTheDirectoryOfATableIsOpened() throws IOException {
    MemoryDirectory table = new MemoryDirectory();
    for (String name : List.of("oa-1-big-Data.db", "schema.cql")) {
      table.create(name, WriteIntent.FLUSH).close();
      String way = name.equals("schema.cql") ? "readOnly(true)" : "Database.openTable";
      for (boolean create : new boolean[] {true, false}) {
        assertThatThrownBy(() -> Database.open(table, options().createIfMissing(create).build()))
            .isInstanceOf(create ? IOException.class : NoSuchFileException.class)
            .hasMessageContainingAll("the directory of a table", way, "Table.importTables");
      }
    }
    assertThat(table.files()).containsExactly("oa-1-big-Data.db", "schema.cql");
  }

  @Test
  void whatIsLeftOpenIsClosedWithTheDatabase() throws IOException {
    Database database = Database.open(temporary, OPTIONS);
    Table readings = database.createTable(READINGS);
    put(readings, "Cologne", 1, 21.5);
    readings.flush();
    put(readings, "Cologne", 2, 21.5);
    LiveRows rows = readings.read(readings.query().build());
    rows.next();
    database.close();
    database.close();
    assertThatThrownBy(rows::next).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> all(readings)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(database::tables).isInstanceOf(IllegalStateException.class);
  }
}
