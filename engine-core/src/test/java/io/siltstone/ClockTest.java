package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.mutation.Condition;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.Row;
import io.siltstone.schema.TableOptions;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes take effect whatever the clock says: it ran ahead, stood still, or was set back. */
class ClockTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final String MARK = "automatic_timestamps";

  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
  private final List<EngineListener.ClockBehind> behind = new ArrayList<>();
  private final List<EngineListener.OldDataImported> old = new ArrayList<>();
  private final DatabaseOptions options =
      DatabaseOptions.builder()
          .memoryBytes(32 << 20)
          .memtableBytes(4 << 20)
          .chunkCacheBytes(1 << 20)
          .compaction(Compaction.none())
          .clock(now::get)
          .listener(
              new EngineListener() {
                @Override
                public void clockBehind(ClockBehind event) {
                  behind.add(event);
                }

                @Override
                public void oldDataImported(OldDataImported event) {
                  old.add(event);
                }
              })
          .build();

  /** How a database comes to be opened again. */
  enum Ending {
    STILL_OPEN,
    CLOSED,
    CLOSED_WITHOUT_LOG,
    CRASHED,
    CRASHED_WITHOUT_LOG,
    FLUSHED_AND_CRASHED_WITHOUT_LOG
  }

  /** A process is killed at each operation while it creates a database. */
  @Test
  void aDatabaseThatWasKilledWhileItWasCreatedGoesByTheClock() throws IOException {
    boolean isCreated = false;
    for (int operations = 1; !isCreated; operations++) {
      Directory disk = new MemoryDirectory();
      Fault kill =
          Fault.on(Operation.CREATE, Operation.values()).fromCall(operations).fails("kill");
      try {
        Database.open(new FaultyDirectory(disk, 1, kill), options).close();
        isCreated = kill.fired() == 0;
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("kill");
      }
      try (Database database = Database.open(disk, options)) {
        Table table = database.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v int)");
        table.write(table.mutation(1).insert().set("v", 1).build());
        Row row = table.get(table.query().partition(1).build()).orElseThrow();
        assertThat(row.timestamp("v").orElseThrow())
            .as("after %d operations", operations)
            .isLessThan(TimeUnit.SECONDS.toMicros(NOON.getEpochSecond() + 1));
      }
    }
  }

  private static void removeLog(Directory root) throws IOException {
    Directory log = root.directory("commitlog");
    for (String file : log.files()) {
      log.delete(file);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void everyWriteToAStoreTakesEffectAfterTheClockRanAheadAndWasSetRight(Ending ending)
      throws IOException {
    for (Duration ahead : List.of(Duration.ofHours(1), Duration.ofDays(2), Duration.ofDays(3650))) {
      behind.clear();
      now.set(NOON.plus(ahead));
      SimulatedDisk disk = new SimulatedDisk();
      Directory root = disk;
      KeyValueStore store = KeyValueStore.open(root, options);
      for (String key : List.of("put", "delete", "range1", "range2", "replace", "absent")) {
        store.put(bytes(key), bytes("ahead"));
      }
      store.delete(bytes("absent"));
      if (ending == Ending.STILL_OPEN) {
        now.set(NOON);
      } else {
        if (ending == Ending.FLUSHED_AND_CRASHED_WITHOUT_LOG
            || ending == Ending.CRASHED_WITHOUT_LOG) {
          store.database().flush();
        }
        store.database().sync();
        boolean isClosed = ending == Ending.CLOSED || ending == Ending.CLOSED_WITHOUT_LOG;
        SimulatedDisk next = disk;
        if (isClosed) {
          store.close();
        } else {
          next = disk.powerLoss(1);
          closeQuietly(store);
        }
        root = next;
        if (ending.name().endsWith("WITHOUT_LOG")) {
          removeLog(root);
        }
        now.set(NOON);
        store = KeyValueStore.open(root, options);
        assertThat(behind).as("%s", ahead).hasSize(1);
        assertThat(behind.get(0).behind()).isBetween(ahead.minusSeconds(2), ahead.plusSeconds(660));
      }
      try (KeyValueStore again = store) {
        again.put(bytes("put"), bytes("now"));
        assertThat(again.get(bytes("put"))).isEqualTo(bytes("now"));
        again.delete(bytes("delete"));
        assertThat(again.get(bytes("delete"))).isNull();
        again.deleteRange(bytes("range"), bytes("rangf"));
        assertThat(again.contains(bytes("range1"))).isFalse();
        assertThat(again.contains(bytes("range2"))).isFalse();
        assertThat(again.replace(bytes("replace"), bytes("ahead"), bytes("now"))).isTrue();
        assertThat(again.get(bytes("replace"))).isEqualTo(bytes("now"));
        assertThat(again.putIfAbsent(bytes("absent"), bytes("now"))).isTrue();
        assertThat(again.get(bytes("absent"))).isEqualTo(bytes("now"));
        again.write(new KeyValueBatch().delete(bytes("put")).put(bytes("range1"), bytes("batch")));
        assertThat(again.get(bytes("put"))).isNull();
        assertThat(again.get(bytes("range1"))).isEqualTo(bytes("batch"));
        again.database().flush();
        assertThat(again.get(bytes("put"))).isNull();
        assertThat(again.get(bytes("range1"))).isEqualTo(bytes("batch"));
      }
    }
  }

  private static void closeQuietly(KeyValueStore store) {
    try {
      store.close();
    } catch (IOException | RuntimeException e) {
      // Its disk has lost power.
    }
  }

  @Test
  void automaticTimestampsOfTablesContinueAfterTheLastOne() throws IOException {
    for (boolean isLogLost : new boolean[] {false, true}) {
      MemoryDirectory disk = new MemoryDirectory();
      now.set(NOON.plus(Duration.ofDays(400)));
      try (Database database = Database.open(disk, options)) {
        Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
        table.write(table.mutation(1).insert().set("v", 1).build());
      }
      if (isLogLost) {
        removeLog(disk);
      }
      now.set(NOON);
      for (int value = 2; value < 5; value++) {
        try (Database database = Database.open(disk, options)) {
          Table table = database.table("w", "t");
          table.write(table.mutation(1).insert().set("v", value).build());
          assertThat(value(table, 1)).isEqualTo(value);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, 4_000_000_000_000_000L})
  void timestampsOfUsersDoNotMoveTheClock(long foreign) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      table.write(table.mutation(1).timestamp(foreign).insert().set("v", 1).build());
    }
    for (boolean isLogLost : new boolean[] {false, true}) {
      if (isLogLost) {
        removeLog(disk);
      }
      behind.clear();
      try (Database database = Database.open(disk, options)) {
        assertThat(behind).hasSize(1);
        assertThat(behind.get(0).newestMicros()).isEqualTo(foreign);
        assertThat(behind.get(0).tables()).containsExactly(database.table("w", "t").id());
        Table table = database.table("w", "t");
        table.write(table.mutation(2).insert().set("v", 2).build());
        // Not more than what is reserved ahead of the clock's time.
        long soon =
            TimeUnit.SECONDS.toMicros(NOON.getEpochSecond()) + TimeUnit.MINUTES.toMicros(11);
        table.write(table.mutation(2).timestamp(soon).insert().set("v", 3).build());
        assertThat(value(table, 2)).isEqualTo(3);
        table.truncate();
        table.write(table.mutation(1).timestamp(foreign).insert().set("v", 1).build());
        database.flush();
      }
    }
  }

  @Test
  void importedTimestampsDoNotMoveTheClockAndAreTold() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory other = disk.directory("other");
    long foreign = Long.MAX_VALUE - 5;
    try (Database database = Database.open(other, options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      table.write(table.mutation(1).timestamp(foreign).insert().set("v", 1).build());
    }
    try (Database database = Database.open(disk.directory("main"), options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      table.importTables(onlyTable(other, "w"));
      assertThat(behind).hasSize(1);
      assertThat(behind.get(0).newestMicros()).isEqualTo(foreign);
      table.write(table.mutation(2).insert().set("v", 2).build());
      table.write(
          table
              .mutation(2)
              .timestamp(TimeUnit.SECONDS.toMicros(NOON.getEpochSecond() + 1))
              .insert()
              .set("v", 3)
              .build());
      assertThat(value(table, 2)).isEqualTo(3);
    }
  }

  private static Directory onlyTable(Directory root, String keyspace) throws IOException {
    Directory parent = root.directory("data").directory(keyspace);
    return parent.directory(parent.directories().get(0));
  }

  @Test
  void aConditionalWriteIsLaterThanWhatItHasRead() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table =
          database.createTable(
              "CREATE TABLE w.t (k int, c int, s int static, v int, l list<int>, PRIMARY KEY (k, c))");
      long future = 4_000_000_000_000_000L;
      table.write(
          table.mutation(1).timestamp(future).insert(1).set("v", 1).set("l", List.of(1)).build());
      assertThat(
              table.writeIf(
                  table.mutation(1).insert(1).set("v", 2).set("l", List.of(2)).build(),
                  List.of(1),
                  Condition.equal("v", 1)))
          .isTrue();
      Row row = table.get(table.query().partition(1).row(1).build()).orElseThrow();
      assertThat(row.getInt("v")).isEqualTo(2);
      assertThat(row.getList("l", Integer.class)).containsExactly(2);
      // What deletes it is read, too.
      table.write(table.mutation(2).timestamp(future).deletePartition().build());
      table.write(table.mutation(3).timestamp(future).deleteRow(7).build());
      for (int key = 2; key <= 3; key++) {
        assertThat(
                table.writeIf(
                    table.mutation(key).insert(7).set("v", key).build(),
                    List.of(7),
                    Condition.notExists()))
            .isTrue();
        assertThat(table.get(table.query().partition(key).row(7).build()).orElseThrow().getInt("v"))
            .isEqualTo(key);
      }
      table.write(table.mutation(4).timestamp(future).set("s", 1).build());
      assertThat(
              table.writeIf(
                  table.mutation(4).set("s", 2).build(), List.of(), Condition.equal("s", 1)))
          .isTrue();
      assertThat(table.get(table.query().partition(4).build()).orElseThrow().getInt("s"))
          .isEqualTo(2);
      // Of partitions that are not there, beside others that are newer.
      for (int key = 1000; key < 1100; key++) {
        assertThat(
                table.writeIf(
                    table.mutation(key).insert(7).build(), List.of(7), Condition.notExists()))
            .isTrue();
      }
      // The clock has not followed.
      table.write(table.mutation(5).insert(1).set("v", 1).build());
      table.write(
          table
              .mutation(5)
              .timestamp(TimeUnit.SECONDS.toMicros(NOON.getEpochSecond() + 1))
              .insert(1)
              .set("v", 2)
              .build());
      assertThat(table.get(table.query().partition(5).row(1).build()).orElseThrow().getInt("v"))
          .isEqualTo(2);
    }
  }

  @Test
  void aConditionalWriteThatCannotBeLaterIsRefused() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      table.write(table.mutation(1).timestamp(Long.MAX_VALUE).insert().set("v", 1).build());
      assertThatThrownBy(
              () ->
                  table.writeIf(
                      table.mutation(1).update().set("v", 2).build(),
                      List.of(),
                      Condition.equal("v", 1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(Long.toString(Long.MAX_VALUE));
      assertThat(
              table.writeIf(
                  table.mutation(1).update().set("v", 2).build(),
                  List.of(),
                  Condition.equal("v", 3)))
          .isFalse();
      assertThat(value(table, 1)).isEqualTo(1);
    }
  }

  @Test
  void aStoreGoesBeyondWhatIsImportedOrWrittenThroughItsTable() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory other = disk.directory("other");
    long future = 8_000_000_000_000_000_000L;
    try (KeyValueStore store = KeyValueStore.open(other, options)) {
      Table table = store.table();
      table.write(
          table.mutation(key("a")).timestamp(future).insert().set("value", key("x")).build());
    }
    try (KeyValueStore store = KeyValueStore.open(disk.directory("main"), options)) {
      store.table().importTables(onlyTable(other, "kv"));
      store.put(bytes("a"), bytes("y"));
      assertThat(store.get(bytes("a"))).isEqualTo(bytes("y"));
      Table table = store.table();
      table.write(
          table.mutation(key("b")).timestamp(future + 99).insert().set("value", key("x")).build());
      assertThat(store.replace(bytes("b"), bytes("x"), bytes("y"))).isTrue();
      assertThat(store.get(bytes("b"))).isEqualTo(bytes("y"));
      store.deleteRange(null, null);
      assertThat(store.get(bytes("a"))).isNull();
      assertThat(store.get(bytes("b"))).isNull();
    }
    // A directory whose files were put there.
    try (KeyValueStore store = KeyValueStore.open(other, options)) {
      store.delete(bytes("a"));
      assertThat(store.get(bytes("a"))).isNull();
    }
  }

  private static java.nio.ByteBuffer key(String text) {
    return java.nio.ByteBuffer.wrap(bytes(text));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1000})
  void aStoreRefusesDataBehindWhichThereIsNoTimestamp(long before) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory other = disk.directory("other");
    try (Database database =
        Database.open(other, options.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build())) {
      Table table =
          database.createTable("CREATE TABLE kv.pairs (key blob PRIMARY KEY, value blob)");
      table.write(
          table
              .mutation(key("a"))
              .timestamp(Long.MAX_VALUE - before)
              .insert()
              .set("value", key("x"))
              .build());
    }
    try (KeyValueStore store = KeyValueStore.open(disk.directory("main"), options)) {
      assertThatThrownBy(() -> store.table().importTables(onlyTable(other, "kv")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Long.toString(Long.MAX_VALUE - before));
      store.put(bytes("a"), bytes("y"));
      assertThat(store.get(bytes("a"))).isEqualTo(bytes("y"));
    }
    // It can be read, and says why it cannot be written.
    try (KeyValueStore store = KeyValueStore.open(other, options)) {
      assertThat(store.get(bytes("a"))).isEqualTo(bytes("x"));
      assertThatThrownBy(() -> store.put(bytes("a"), bytes("y")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("kv.pairs")
          .hasMessageContaining(Long.toString(Long.MAX_VALUE - before));
      assertThatThrownBy(() -> store.deleteRange(null, null))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void olderDataImportedIntoAStoreIsTold() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory other = disk.directory("other");
    try (KeyValueStore store = KeyValueStore.open(other, options)) {
      store.put(bytes("a"), bytes("old"));
    }
    now.set(NOON.plusSeconds(60));
    try (KeyValueStore store = KeyValueStore.open(disk.directory("main"), options)) {
      // Into an empty one it is a restoration.
      store.table().importTables(onlyTable(other, "kv"));
      assertThat(old).isEmpty();
      store.table().truncate();
      store.put(bytes("b"), bytes("new"));
      store.table().importTables(onlyTable(other, "kv"));
      assertThat(old).hasSize(1);
      assertThat(old.get(0).oldestMicros())
          .isEqualTo(TimeUnit.SECONDS.toMicros(NOON.getEpochSecond()));
      assertThat(old.get(0).table()).isEqualTo(store.table().id());
    }
  }

  @Test
  void newStoresPurgeDeletionsAtOnceAndOthersKeepTheirGrace() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (KeyValueStore store = KeyValueStore.open(disk, options)) {
      assertThat(store.table().schema().options().gcGraceSeconds()).isZero();
      store.database().alterTable("kv", "pairs", "ALTER TABLE kv.pairs WITH gc_grace_seconds = 77");
    }
    TableOptions given = TableOptions.builder().comment("mine").build();
    for (TableOptions others : List.of(given, given, KeyValueStore.DEFAULT_TABLE_OPTIONS)) {
      try (KeyValueStore store = KeyValueStore.open(disk, options)) {
        assertThat(store.table().schema().options().gcGraceSeconds()).isEqualTo(77);
      }
      try (KeyValueStore store = KeyValueStore.open(disk, options, others)) {
        assertThat(store.table().schema().options().gcGraceSeconds())
            .isEqualTo(others.comment().equals("mine") ? 77 : 0);
        assertThat(store.table().schema().options().comment()).isEqualTo(others.comment());
      }
    }
    try (KeyValueStore store = KeyValueStore.open(new MemoryDirectory(), options, given)) {
      assertThat(store.table().schema().options().gcGraceSeconds()).isZero();
    }
    TableOptions chosen = TableOptions.builder().gcGraceSeconds(60).build();
    try (KeyValueStore store = KeyValueStore.open(new MemoryDirectory(), options, chosen)) {
      assertThat(store.table().schema().options().gcGraceSeconds()).isEqualTo(60);
    }
  }

  @Test
  void aCheckpointContinuesAfterTheTimestampsOfItsDatabase() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    now.set(NOON.plus(Duration.ofDays(5)));
    try (Database database = Database.open(disk.directory("main"), options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      table.write(table.mutation(1).insert().set("v", 1).build());
      database.checkpoint(disk.directory("copy"));
    }
    now.set(NOON);
    try (Database database = Database.open(disk.directory("copy"), options)) {
      Table table = database.table("w", "t");
      table.write(table.mutation(1).insert().set("v", 2).build());
      assertThat(value(table, 1)).isEqualTo(2);
    }
  }

  @Test
  void aDamagedMarkIsRefusedAndALenientOpeningUsesTheLog() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    now.set(NOON.plus(Duration.ofDays(400)));
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      table.write(table.mutation(1).insert().set("v", 1).build());
    }
    String mark = TextFile.read(disk, MARK);
    TextFile.replace(disk, MARK, mark.replace("up_to 1", "up_to 3"));
    assertThatThrownBy(() -> Database.open(disk, options))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(MARK);
    now.set(NOON);
    try (Database database = Database.open(disk, options.toBuilder().lenient(true).build())) {
      Table table = database.table("w", "t");
      table.write(table.mutation(1).insert().set("v", 2).build());
      assertThat(value(table, 1)).isEqualTo(2);
    }
    assertThat(TextFile.read(disk, MARK)).startsWith("up_to 1");
  }

  /** As one that an earlier version has left. */
  @Test
  void aDatabaseWithoutAMarkContinuesAfterItsLog() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    now.set(NOON.plus(Duration.ofDays(400)));
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      now.set(NOON.plus(Duration.ofDays(400)).plusSeconds(3600));
      table.write(table.mutation(1).insert().set("v", 1).build());
      table.write(table.mutation(2).timestamp(Long.MAX_VALUE).insert().set("v", 1).build());
    }
    disk.delete(MARK);
    now.set(NOON);
    try (Database database = Database.open(disk, options)) {
      Table table = database.table("w", "t");
      table.write(table.mutation(1).insert().set("v", 2).build());
      assertThat(value(table, 1)).isEqualTo(2);
    }
  }

  @Test
  void aClockThatIsRightIsNotMovedAheadByAnotherOpening() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, options);
    Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
    table.write(table.mutation(1).insert().set("v", 1).build());
    database.sync();
    SimulatedDisk next = disk.powerLoss(1);
    try {
      database.close();
    } catch (IOException | RuntimeException e) {
      // Its disk has lost power.
    }
    now.set(NOON.plusSeconds(1));
    try (Database again = Database.open(next, options)) {
      assertThat(behind).isEmpty();
      Table reopened = again.table("w", "t");
      reopened.write(reopened.mutation(1).insert().set("v", 2).build());
      long soon = TimeUnit.SECONDS.toMicros(NOON.plusSeconds(2).getEpochSecond());
      reopened.write(reopened.mutation(1).timestamp(soon).insert().set("v", 3).build());
      assertThat(value(reopened, 1)).isEqualTo(3);
    }
  }

  private static int value(Table table, int key) throws IOException {
    Optional<Row> row = table.get(table.query().partition(key).build());
    return row.orElseThrow().getInt("v");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2261-01-01T00:00:00Z", "2300-01-01T00:00:00Z", "+100000-01-01T00:00:00Z"})
  void aClockThatLeapedFarAheadOnceKeepsNoDatabaseFromOpening(String ahead) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    try (KeyValueStore store = KeyValueStore.open(disk, options)) {
      store.put(bytes("key"), bytes("before"));
      now.set(Instant.parse(ahead));
      store.put(bytes("key"), bytes("ahead"));
      now.set(NOON);
      store.put(bytes("key"), bytes("right"));
    }
    try (KeyValueStore store = KeyValueStore.open(disk, options)) {
      assertThat(store.get(bytes("key"))).isEqualTo(bytes("right"));
      store.put(bytes("key"), bytes("again"));
      assertThat(store.get(bytes("key"))).isEqualTo(bytes("again"));
    }
    now.set(Instant.parse(ahead));
    try (KeyValueStore store = KeyValueStore.open(new SimulatedDisk(), options)) {
      store.put(bytes("key"), bytes("new"));
      assertThat(store.get(bytes("key"))).isEqualTo(bytes("new"));
    }
  }

  @Test
  void whatIsCutOffOfTheLogIsKeptAside() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    KeyValueStore store = KeyValueStore.open(disk, options);
    for (int i = 0; i < 100; i++) {
      store.put(bytes("key" + i), bytes("value"));
    }
    SimulatedDisk left = disk.processDeath();
    closeQuietly(store);
    Directory log = left.directory("commitlog");
    String name = log.files().get(0);
    byte[] whole;
    try (ReadableFile file = log.open(name, ReadIntent.SCAN)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) file.length());
      file.readFully(0, buffer);
      whole = buffer.array();
    }
    whole[whole.length / 2] ^= 1;
    log.delete(name);
    try (WritableFile file = log.create(name, WriteIntent.LOG)) {
      file.write(ByteBuffer.wrap(whole));
    }
    try (KeyValueStore again = KeyValueStore.open(left, options)) {
      assertThat(again.contains(bytes("key0"))).isTrue();
      assertThat(again.contains(bytes("key99"))).isFalse();
    }
    Directory aside = left.directory("commitlog-quarantine");
    assertThat(aside.files()).containsExactly(name);
    assertThat(aside.length(name)).isEqualTo(whole.length);
  }
}
