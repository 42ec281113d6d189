package io.siltstone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BulkWriterTest {
  private static final String TABLE = "CREATE TABLE w.t (k int, c int, v text, PRIMARY KEY (k, c))";
  private static final int LEAST_MEMORY = 8 << 10;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryDirectory files = new MemoryDirectory();
  private final Directory disk = leaks.watch(files);
  private final AtomicLong seconds = new AtomicLong(1_700_000_000);
  private final List<String> events = new ArrayList<>();
  private final DatabaseOptions options =
      History.OPTIONS.toBuilder()
          .clock(() -> Instant.ofEpochSecond(seconds.get()))
          .listener(
              new EngineListener() {
                @Override
                public void handleLeaked(HandleLeaked event) {
                  events.add("leaked " + event.handle());
                }

                @Override
                public void oldDataImported(OldDataImported event) {
                  events.add("old data");
                }
              })
          .build();

  private static void write(Table table, int key, int clustering, String value) throws IOException {
    table.write(table.mutation(key).insert(clustering).set("v", value).build());
  }

  private static void add(BulkWriter writer, int key, int clustering, String value)
      throws IOException {
    writer.add(writer.mutation(key).insert(clustering).set("v", value).build());
  }

  /** Adds rows that do not fit in little memory, from the last to the first. */
  private static void addMany(BulkWriter writer, int partitions) throws IOException {
    for (int k = partitions - 1; k >= 0; k--) {
      add(writer, k, 0, "many".repeat(20));
    }
  }

  private List<String> temporaryFiles() throws IOException {
    Directory data = files.directory("data").directory("w");
    List<String> found = new ArrayList<>();
    for (String table : data.directories()) {
      for (String name : data.directory(table).files()) {
        if (name.endsWith(".tmp") || name.contains("_txn_")) {
          found.add(name);
        }
      }
    }
    return found;
  }

  @Test
  void nothingIsSeenBeforeTheCommitAndAllOfItAfterwards() throws IOException {
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable(TABLE);
      write(table, 1, 1, "old");
      write(table, 1, 2, "kept");
      try (BulkWriter writer = BulkWriter.into(table).memoryBytes(LEAST_MEMORY).open()) {
        addMany(writer, 500);
        seconds.incrementAndGet();
        add(writer, 1, 1, "first");
        add(writer, 1, 1, "second");
        assertThat(temporaryFiles()).isNotEmpty();
        assertThat(Contents.of(table)).containsExactly("1 1 old", "1 2 kept");
        BulkWriter.Result result = writer.commit();
        assertThat(Contents.of(table)).contains("1 1 second", "1 2 kept").hasSize(502);
        assertThat(result.partitions()).isEqualTo(500);
        assertThat(result.rows()).isEqualTo(501);
        assertThat(result.runs()).isGreaterThan(3);
        assertThat(result.passes()).isGreaterThan(1);
        assertThat(result.dataBytes()).isPositive();
        assertThat(result.sstables()).hasSize(1);
        assertThat(table.sstables()).hasSize(1);
        assertThat(table.sstables().get(0).descriptor()).isEqualTo(result.sstables().get(0));
      }
      assertThat(temporaryFiles()).isEmpty();
    }
    try (Database database = Database.open(disk, options)) {
      assertThat(Contents.of(database.table("w", "t"))).contains("1 1 second").hasSize(502);
    }
    assertThat(events).isEmpty();
  }

  @Test
  void timestampsDecideBetweenLoadedAndWritten() throws IOException {
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable(TABLE);
      write(table, 1, 1, "before");
      write(table, 1, 2, "before");
      try (BulkWriter writer = BulkWriter.into(table).open()) {
        seconds.incrementAndGet();
        add(writer, 1, 1, "loaded");
        add(writer, 1, 3, "loaded");
        writer.add(writer.mutation(1).timestamp(5).insert(2).set("v", "old").build());
        writer.add(table.mutation(1).insert(4).set("v", "of the table").build());
        seconds.incrementAndGet();
        write(table, 1, 3, "meanwhile");
        writer.commit();
      }
      assertThat(Contents.of(table))
          .containsExactly("1 1 loaded", "1 2 before", "1 3 meanwhile", "1 4 of the table");
    }
  }

  @Test
  void whatIsLoadedBehindDisplacesNothing() throws IOException {
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable(TABLE);
      write(table, 1, 1, "flushed");
      table.write(table.mutation(2).deletePartition().build());
      table.flush();
      write(table, 1, 2, "in memory");
      for (String value : List.of("first load", "second load")) {
        try (BulkWriter writer = BulkWriter.into(table).behind().open()) {
          add(writer, 1, 1, value);
          add(writer, 1, 2, value);
          add(writer, 1, 3, "replaced");
          add(writer, 1, 3, value);
          add(writer, 2, 1, value);
          writer.add(table.mutation(1).insert(4).set("v", value).build());
          writer.add(writer.mutation(1).deleteRow(1).build());
          writer.commit();
        }
      }
      assertThat(Contents.of(table))
          .containsExactly("1 1 flushed", "1 2 in memory", "1 3 first load", "1 4 first load");
      write(table, 1, 3, "later");
      assertThat(Contents.of(table)).contains("1 3 later");
      table.truncate();
      table.write(table.mutation(1).timestamp(7).insert(1).set("v", "x").build());
      assertThatThrownBy(() -> BulkWriter.into(table).behind().open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("w.t has data of the timestamp 7, behind which nothing");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String get(KeyValueStore store, String key) throws IOException {
    byte[] found = store.get(bytes(key));
    return found == null ? "none" : new String(found, UTF_8);
  }

  @Test
  void entriesOfAStore() throws IOException {
    try (KeyValueStore store = KeyValueStore.open(disk, options)) {
      Table table = store.table();
      store.put(bytes("a"), bytes("old"));
      store.put(bytes("b"), bytes("old"));
      // Far ahead of the clock: a store goes beyond it all the same.
      long future = 5_000_000_000_000_000L;
      table.write(
          table
              .mutation(ByteBuffer.wrap(bytes("f")))
              .timestamp(future)
              .insert()
              .set("value", ByteBuffer.wrap(bytes("old")))
              .build());
      try (BulkWriter writer = BulkWriter.into(store).memoryBytes(LEAST_MEMORY).open()) {
        for (int i = 999; i >= 0; i--) {
          writer.put(bytes("many" + i), bytes("value" + i));
        }
        writer.put(bytes("a"), bytes("new"));
        writer.delete(bytes("b"));
        writer.put(bytes("c"), bytes("gone"));
        writer.delete(bytes("c"));
        writer.delete(bytes("d"));
        writer.put(bytes("d"), bytes("back"));
        writer.put(bytes("e"), bytes("expires"), 10);
        writer.put(bytes("f"), bytes("new"));
        writer.put(bytes("empty"), new byte[0]);
        assertThat(writer.commit().partitions()).isEqualTo(1007);
      }
      assertThat(List.of(get(store, "a"), get(store, "b"), get(store, "c"), get(store, "d")))
          .containsExactly("new", "none", "none", "back");
      assertThat(List.of(get(store, "f"), get(store, "empty"), get(store, "many500")))
          .containsExactly("new", "", "value500");
      assertThat(get(store, "e")).isEqualTo("expires");
      seconds.addAndGet(11);
      assertThat(get(store, "e")).isEqualTo("none");
      store.put(bytes("a"), bytes("later"));
      assertThat(get(store, "a")).isEqualTo("later");
      try (BulkWriter writer = BulkWriter.into(store).behind().open()) {
        writer.put(bytes("a"), bytes("behind"));
        writer.put(bytes("g"), bytes("behind"));
        writer.commit();
      }
      assertThat(List.of(get(store, "a"), get(store, "g"))).containsExactly("later", "behind");
      assertThat(events).containsExactly("old data");
    }
  }

  @Test
  void theOutputIsDividedByTokensAndSize() throws IOException {
    TableSchema schema = SchemaParser.parse(TABLE).onlyTable();
    try (BulkWriter writer =
        BulkWriter.into(disk, schema)
            .partitioner(Partitioner.BYTE_ORDERED)
            .version(FormatVersion.NB)
            .divideAt(List.of(token(200), token(100)))
            .maxSSTableBytes(3000)
            .memoryBytes(LEAST_MEMORY)
            .open()) {
      addMany(writer, 300);
      BulkWriter.Result result = writer.commit();
      assertThat(result.sstables()).hasSizeGreaterThan(8);
      assertThat(result.sstables().get(0).version()).isEqualTo(FormatVersion.NB);
    }
    try (OfflineTable table =
        OfflineTable.open(disk, null, null, options.toBuilder().readOnly(true).build())) {
      TreeMap<Long, Long> ends = new TreeMap<>();
      table
          .live()
          .tables()
          .forEach(
              each -> {
                long first = each.keys().first().token();
                long last = each.keys().last().token();
                ends.put(first, last);
                for (int end : List.of(100, 200)) {
                  assertThat(first <= token(end)).isEqualTo(last <= token(end));
                }
              });
      assertThat(ends).hasSize(table.sstables().size());
      ends.forEach(
          (first, last) -> {
            Long after = ends.higherKey(first);
            assertThat(after == null || after > last).isTrue();
          });
      assertThat(table.sstables()).allMatch(each -> each.partitions() < 100);
    }
  }

  private static long token(int key) {
    byte[] bytes = {0, 0, (byte) (key >> 8), (byte) key};
    return Partitioner.BYTE_ORDERED.token(bytes, 0, bytes.length);
  }

  @Test
  void aRowWithManyVersionsAndRangesThatOverlapDeeply() throws IOException {
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable(TABLE);
      Table written = database.createTable(TABLE.replace("w.t", "w.written"));
      try (BulkWriter writer = BulkWriter.into(table).memoryBytes(1 << 20).open()) {
        for (int i = 0; i < 600; i++) {
          for (Table each : List.of(table, written)) {
            MutationBuilder row = each.mutation(1).timestamp(3L * i).insert(700);
            row.set("v", "version " + i);
            MutationBuilder range =
                each.mutation(1)
                    .timestamp(1 + i)
                    .deleteRange(ClusteringRange.all().from(i).to(1200 - i));
            MutationBuilder covered = each.mutation(1).timestamp(300).insert(i).set("v", "x");
            for (MutationBuilder change : List.of(row, range, covered)) {
              if (each == table) {
                writer.add(change.build());
              } else {
                written.write(change.build());
              }
            }
          }
        }
        assertThat(writer.commit().rows()).isPositive();
      }
      assertThat(Contents.of(table))
          .contains("1 700 version 599")
          .hasSizeGreaterThan(100)
          .isEqualTo(Contents.of(written));
    }
  }

  @Test
  void laterRowsWin() throws IOException {
    try (Database database = Database.open(disk, options)) {
      Table table =
          database.createTable(
              "CREATE TABLE w.l (k int PRIMARY KEY, a text, b text, m map<int, text>)");
      try (BulkWriter writer =
          BulkWriter.into(table).laterRowsWin().memoryBytes(LEAST_MEMORY).open()) {
        for (int i = 0; i < 400; i++) {
          MutationBuilder row = writer.mutation(i % 7).timestamp(1000 - i).insert();
          row.set(i % 2 == 0 ? "a" : "b", "value " + i);
          if (i % 3 == 0) {
            row.set("m", Map.of(i, "x"));
          }
          writer.add(row.build());
        }
        assertThatThrownBy(() -> writer.add(writer.mutation(1).deletePartition().build()))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("later rows do not win over");
        assertThatThrownBy(() -> writer.add(writer.mutation(1).deleteRow().build()))
            .isInstanceOf(IllegalArgumentException.class);
        assertThat(writer.commit().runs()).isGreaterThan(2);
      }
      assertThat(Contents.of(table))
          .contains("0 value 392 value 399 {399=x}", "6 value 398 value 391 {384=x}")
          .hasSize(7);
    }
  }

  @Test
  void aWriterThatIsClosedWithoutACommitLeavesNothing() throws IOException {
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable(TABLE);
      BulkWriter writer = BulkWriter.into(table).memoryBytes(LEAST_MEMORY).open();
      addMany(writer, 500);
      assertThat(temporaryFiles()).isNotEmpty();
      writer.close();
      writer.close();
      assertThat(temporaryFiles()).isEmpty();
      assertThat(Contents.of(table)).isEmpty();
      assertThatThrownBy(() -> add(writer, 1, 1, "x"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("bulk writer of w.t is closed");
      try (BulkWriter empty = BulkWriter.into(table).open()) {
        assertThat(empty.commit().sstables()).isEmpty();
        assertThatThrownBy(() -> add(empty, 1, 1, "x"))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("bulk writer of w.t is committed");
        assertThatThrownBy(empty::commit).isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void closingTheDatabaseEndsWritersThatAreOpen() throws IOException {
    Database database = Database.open(disk, options);
    Table table = database.createTable(TABLE);
    BulkWriter writer = BulkWriter.into(table).memoryBytes(LEAST_MEMORY).open();
    addMany(writer, 500);
    database.close();
    assertThat(temporaryFiles()).isEmpty();
    assertThat(events).containsExactly("leaked a bulk writer of w.t");
    assertThatThrownBy(() -> add(writer, 1, 1, "x")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    writer.close();
  }

  @Test
  void changesOfTheTableMeanwhile() throws IOException {
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable(TABLE);
      List<Runnable> meanwhile = new ArrayList<>();
      try (BulkWriter writer =
          BulkWriter.into(table)
              .memoryBytes(LEAST_MEMORY)
              .progress(
                  rows -> {
                    if (rows > 0) {
                      meanwhile.forEach(Runnable::run);
                      meanwhile.clear();
                    }
                  })
              .open()) {
        addMany(writer, 2000);
        // Before the first SSTable is begun, this makes no difference.
        write(table, 1, 9, "truncated");
        table.truncate();
        database.alterTable("w", "t", "ALTER TABLE w.t ADD added int");
        writer.add(writer.mutation(1).insert(7).set("v", "x").build());
        meanwhile.add(
            () -> {
              try {
                table.truncate();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
        assertThatThrownBy(writer::commit)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("was truncated after the load had begun to write");
        assertThat(meanwhile).isEmpty();
      }
      assertThat(temporaryFiles()).isEmpty();
      assertThat(Contents.of(table)).isEmpty();
      try (BulkWriter writer = BulkWriter.into(table).memoryBytes(LEAST_MEMORY).open()) {
        addMany(writer, 500);
        database.dropTable("w", "t");
        assertThatThrownBy(() -> add(writer, 1, 1, "x"))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("w.t was dropped");
        assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
      }
      // The directory went with the last claim.
      assertThat(files.directory("data").directory("w").directories()).isEmpty();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // null is refused
  void wrongInputIsRefusedAndTheRestIsLoaded() throws IOException {
    try (Database database = Database.open(disk, options)) {
      Table table = database.createTable(TABLE);
      Table other = database.createTable(TABLE.replace("w.t", "w.other"));
      Table counters = database.createTable("CREATE TABLE w.n (k int PRIMARY KEY, n counter)");
      assertThatThrownBy(() -> BulkWriter.into(counters).memoryBytes(1).maxSSTableBytes(0).open())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("memoryBytes 1, allowed 8192 to 1099511627776")
          .hasMessageContaining("maxSSTableBytes 0, allowed 1 or more")
          .hasMessageContaining("w.n has counters");
      assertThatThrownBy(() -> BulkWriter.into(table).partitioner(Partitioner.BYTE_ORDERED).open())
          .hasMessageContaining("partitioner BYTE_ORDERED, allowed MURMUR3");
      assertThatThrownBy(
              () -> BulkWriter.into(new MemoryDirectory(), table.schema()).behind().open())
          .hasMessageContaining("behind, allowed for a table of an open database");
      try (BulkWriter writer = BulkWriter.into(table).open()) {
        add(writer, 1, 1, "x");
        assertThatThrownBy(() -> writer.add(other.mutation(1).insert(1).build()))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("w.other");
        assertThatThrownBy(() -> writer.put(new byte[1], new byte[1]))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("takes no entries");
        assertThatThrownBy(() -> writer.add((Mutation) null))
            .isInstanceOf(NullPointerException.class);
        writer.commit();
      }
      assertThat(Contents.of(table)).containsExactly("1 1 x");
    }
  }

  @Test
  void aDirectoryContainsOneTableAndHasOneWriter() throws IOException {
    TableSchema schema = SchemaParser.parse(TABLE).onlyTable();
    TableSchema other = SchemaParser.parse(TABLE.replace("v text", "x int")).onlyTable();
    for (int i = 1; i <= 2; i++) {
      try (BulkWriter writer = BulkWriter.into(disk, schema).open()) {
        assertThatThrownBy(() -> BulkWriter.into(disk, schema).open())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("cannot be locked");
        add(writer, i, 1, "x");
        assertThat(writer.commit().sstables().get(0)).hasToString("oa-" + i + "-big");
      }
    }
    assertThatThrownBy(() -> BulkWriter.into(disk, other).open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a directory contains one table");
    assertThatThrownBy(
            () -> BulkWriter.into(disk, schema).partitioner(Partitioner.BYTE_ORDERED).open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("oa-1-big-Data.db");
    assertThat(files.files()).noneMatch(name -> name.endsWith(".lock"));
    try (Database database = Database.open(disk.directory("database"), options)) {
      assertThat(database.tables()).isEmpty();
      assertThatThrownBy(() -> BulkWriter.into(disk.directory("database"), schema).open())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is a database");
    }
  }
}
