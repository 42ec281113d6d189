package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.explain.Explained;
import io.siltstone.explain.Finding;
import io.siltstone.explain.Item;
import io.siltstone.explain.Verdict;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Condition;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.Query;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The retention floor of a table: what hides it, where it is kept, and what goes with it. */
class RetentionFloorTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).build();
  private static final String TABLE =
      "CREATE TABLE ks.t (k int, at bigint, v text, PRIMARY KEY (k, at))";

  private final Directory disk = new MemoryDirectory();

  private Database open() throws IOException {
    return Database.open(disk.directory("db"), OPTIONS);
  }

  private static void write(Table table, long... times) throws IOException {
    for (long at : times) {
      table.write(table.mutation(1).insert(at).set("v", "v" + at).build());
    }
  }

  /** Returns the directory of the only table of a database, or of the first one. */
  private static Directory directoryOf(Directory database) throws IOException {
    Directory keyspace = database.directory("data").directory("ks");
    return keyspace.directory(keyspace.directories().get(0));
  }

  @Test
  void itHidesAtOnceAndIsNeverLowered() throws IOException {
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      write(table, 1, 5);
      table.flush();
      write(table, 3, 7);
      assertThat(table.retentionFloor()).isEmpty();
      assertThat(table.raiseRetentionFloor(5)).isTrue();
      assertThat(Contents.of(table)).containsExactly("1 5 v5", "1 7 v7");
      assertThat(table.raiseRetentionFloor(5L)).isFalse();
      assertThat(table.raiseRetentionFloor(4)).isFalse();
      assertThat(table.retentionFloor()).contains(5L);
      write(table, 4);
      assertThat(Contents.of(table)).containsExactly("1 5 v5", "1 7 v7");
    }
    try (Database database = open()) {
      assertThat(database.table("ks", "t").retentionFloor()).contains(5L);
      assertThat(Contents.of(database.table("ks", "t"))).containsExactly("1 5 v5", "1 7 v7");
    }
    DatabaseOptions readOnly = OPTIONS.toBuilder().readOnly(true).build();
    try (Database database = Database.open(disk.directory("db"), readOnly)) {
      Table table = database.table("ks", "t");
      assertThat(Contents.of(table)).containsExactly("1 5 v5", "1 7 v7");
      assertThatThrownBy(() -> table.raiseRetentionFloor(6))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aReaderBesideTheWriterHasItFromItsNextRefreshOn() throws IOException {
    DatabaseOptions readOnly = OPTIONS.toBuilder().readOnly(true).build();
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      write(table, 1, 5, 9);
      table.flush();
      table.raiseRetentionFloor(5);
      try (Database reader = Database.open(disk.directory("db"), readOnly)) {
        reader.refresh();
        assertThat(reader.refresh()).isFalse();
        // The file of the floor is as long as before.
        table.raiseRetentionFloor(9);
        assertThat(Contents.of(reader.table("ks", "t"))).containsExactly("1 5 v5", "1 9 v9");
        assertThat(reader.refresh()).isTrue();
        assertThat(reader.table("ks", "t").retentionFloor()).contains(9L);
        assertThat(Contents.of(reader.table("ks", "t"))).containsExactly("1 9 v9");
      }
    }
  }

  /** A bulk load brings nothing back: the floor holds for whatever comes into the table. */
  @Test
  void itHidesWhatIsLoadedBelowIt() throws IOException {
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      table.raiseRetentionFloor(5);
      try (BulkWriter writer = BulkWriter.into(table).open()) {
        for (long at : new long[] {3, 5, 8}) {
          writer.add(writer.mutation(1).insert(at).set("v", "v" + at).build());
        }
        writer.commit();
      }
      assertThat(Contents.of(table)).containsExactly("1 5 v5", "1 8 v8");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ASC", "DESC"})
  void theTimeColumnHasTheTypeOfATime(String order) throws IOException {
    Instant noon = Instant.parse("2026-01-01T12:00:00Z");
    try (Database database = open()) {
      requireHidden(database, order, "timestamp", noon.minusMillis(1), noon, noon);
      LocalDate day = LocalDate.of(1969, 12, 31);
      requireHidden(database, order, "date", day.minusDays(1), day, day);
      requireHidden(database, order, "int", -7, -6, -6);
      UUID earlier = UUID.fromString("13813fff-1dd2-11b2-ffff-ffffffffffff");
      UUID first = UUID.fromString("13814000-1dd2-11b2-8080-808080808080");
      requireHidden(database, order, "timeuuid", earlier, first, Instant.EPOCH);
    }
  }

  private static void requireHidden(
      Database database, String order, String type, Object hidden, Object shown, Object floor)
      throws IOException {
    Table table =
        database.createTable(
            "CREATE TABLE ks.%s_%s (k int, at %s, v text, PRIMARY KEY (k, at)) WITH CLUSTERING ORDER BY (at %s)"
                .formatted(type, order, type, order));
    for (Object at : List.of(hidden, shown)) {
      table.write(table.mutation(1).insert(at).set("v", at.toString()).build());
    }
    assertThat(table.raiseRetentionFloor(floor)).isTrue();
    assertThat(Contents.of(table)).hasSize(1).allMatch(row -> row.endsWith(shown.toString()));
    Query query = table.query().partition(1).rows(ClusteringRange.of(hidden)).build();
    assertThat(table.get(query)).isEmpty();
    assertThat(table.raiseRetentionFloor(hidden)).isFalse();
  }

  @Test
  void otherColumnsAndValuesAreRefused() throws IOException {
    try (Database database = open()) {
      Table text = database.createTable("CREATE TABLE ks.text (k int, c text, PRIMARY KEY (k, c))");
      assertThatThrownBy(() -> text.raiseRetentionFloor("a"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("first clustering column has to be of type timestamp")
          .hasMessageContaining("'c' of type text");
      Table none = database.createTable("CREATE TABLE ks.none (k int PRIMARY KEY, v int)");
      assertThatThrownBy(() -> none.raiseRetentionFloor(1))
          .hasMessageContaining("the table has no clustering column");
      Table table = database.createTable(TABLE);
      assertThatThrownBy(() -> table.raiseRetentionFloor("soon")).hasMessageContaining("'at'");
      assertThatThrownBy(() -> table.raiseRetentionFloor(LocalDate.EPOCH))
          .hasMessageContaining("'at'");
      assertThat(table.retentionFloor()).isEmpty();
      assertThat(directoryOf(disk.directory("db")).files()).doesNotContain("retention_floor");
    }
  }

  @Test
  void aStoreOfByteArraysHasNone() throws IOException {
    try (KeyValueStore store = KeyValueStore.open(disk.directory("kv"), OPTIONS)) {
      assertThatThrownBy(() -> store.table().raiseRetentionFloor(1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has no time column");
      assertThat(store.table().retentionFloor()).isEmpty();
    }
  }

  @Test
  void aFloorCanBeGivenAsText() throws IOException {
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      assertThat(table.raiseRetentionFloor(" 5 ")).isTrue();
      assertThat(table.retentionFloor()).contains(5L);
      assertThat(table.statistics().retentionFloor()).contains(5L);
      Table days =
          database.createTable("CREATE TABLE ks.days (k int, at date, PRIMARY KEY (k, at))");
      assertThat(days.raiseRetentionFloor("2026-03-01")).isTrue();
      assertThat(days.retentionFloor()).contains(LocalDate.of(2026, 3, 1));
      Table uuids =
          database.createTable("CREATE TABLE ks.uuids (k int, at timeuuid, PRIMARY KEY (k, at))");
      Instant at = Instant.parse("2026-03-01T10:00:00Z");
      assertThat(uuids.raiseRetentionFloor(at.toString())).isTrue();
      assertThat(uuids.raiseRetentionFloor(at)).isFalse();
      assertThat(uuids.raiseRetentionFloor(uuids.retentionFloor().orElseThrow().toString()))
          .isFalse();
    }
  }

  @Test
  void flushesLeaveOutWhatIsHidden() throws IOException {
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      write(table, 1, 2, 3);
      table.raiseRetentionFloor(3);
      table.flush();
      assertThat(table.sstables()).hasSize(1).allMatch(each -> each.rows() == 1);
      write(table, 1);
      table.flush();
      assertThat(table.sstables()).hasSize(1);
      write(table, 8);
    }
    try (Database database = open()) {
      assertThat(Contents.of(database.table("ks", "t"))).containsExactly("1 3 v3", "1 8 v8");
    }
  }

  @Test
  void whatIsHiddenDoesNotExistForConditions() throws IOException {
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      write(table, 1);
      table.raiseRetentionFloor(2);
      assertThat(
              table.writeIf(
                  table.mutation(1).insert(1L).set("v", "w").build(),
                  List.of(1L),
                  Condition.notExists()))
          .isTrue();
      assertThat(Contents.of(table)).isEmpty();
    }
  }

  @Test
  void explainNamesTheFloor() throws IOException {
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      write(table, 1, 5);
      table.write(table.mutation(1).deleteRange(ClusteringRange.all().from(2L).to(3L)).build());
      table.write(table.mutation(1).deleteRange(ClusteringRange.all().from(3L).before(5L)).build());
      table.flush();
      table.raiseRetentionFloor(4);
      List<Finding> findings = new ArrayList<>();
      Explained all = table.explain(table.query().partition(1).build(), findings::add);
      assertThat(findings)
          .filteredOn(finding -> finding.location().place().equals("(1)"))
          .isNotEmpty()
          .allMatch(finding -> finding.verdict() == Verdict.BELOW_FLOOR)
          .allMatch(finding -> finding.outcome().isPurgeable());
      assertThat(findings)
          .filteredOn(finding -> finding.location().place().equals("(5)"))
          .isNotEmpty()
          .allMatch(finding -> finding.verdict() == Verdict.LIVE);
      assertThat(findings)
          .filteredOn(finding -> finding.item() == Item.RANGE_DELETION)
          .extracting(Finding::verdict)
          .containsExactly(Verdict.BELOW_FLOOR, Verdict.TOMBSTONE);
      assertThat(all.findings().belowFloor()).isEqualTo(3);
      assertThat(all.liveRows()).isEqualTo(1);
    }
  }

  @Test
  void aCheckpointHasItAndAnImportDoesNotBringBackWhatItHides() throws IOException {
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      write(table, 1, 5);
      table.flush();
      table.raiseRetentionFloor(5);
      database.checkpoint(disk.directory("checkpoint"));
    }
    Directory of = directoryOf(disk.directory("checkpoint"));
    assertThat(of.files()).contains("retention_floor");
    TableSchema schema = SchemaParser.parse(TextFile.read(of, "schema.cql")).tables().get(0);
    DatabaseOptions readOnly = OPTIONS.toBuilder().readOnly(true).build();
    try (Database database = Database.openTable(of, schema, readOnly)) {
      assertThat(Contents.of(database.tables().get(0))).containsExactly("1 5 v5");
    }
    try (Database other = Database.open(disk.directory("other"), OPTIONS)) {
      Table table = other.createTable(TABLE);
      table.raiseRetentionFloor(4);
      assertThatThrownBy(() -> table.importTables(of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has the retention floor 5")
          .hasMessageContaining("the floor is 4");
      table.raiseRetentionFloor(5);
      assertThat(table.importTables(of)).hasSize(1);
      assertThat(Contents.of(table)).containsExactly("1 5 v5");
    }
  }

  @Test
  void aBackupHasIt() throws IOException {
    Backups backups = Backups.in(disk.directory("backups"));
    long id;
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      write(table, 1, 5);
      table.raiseRetentionFloor(5);
      id = backups.create(database).id();
      table.raiseRetentionFloor(6);
    }
    backups.restore(id, disk.directory("restored"));
    try (Database database = Database.open(disk.directory("restored"), OPTIONS)) {
      assertThat(database.table("ks", "t").retentionFloor()).contains(5L);
      assertThat(Contents.of(database.table("ks", "t"))).containsExactly("1 5 v5");
    }
  }

  @Test
  void aDamagedFileIsRefusedAndReportedByALenientOpening() throws IOException {
    Directory files;
    try (Database database = open()) {
      Table table = database.createTable(TABLE);
      write(table, 1, 5);
      table.raiseRetentionFloor(5);
      files = directoryOf(disk.directory("db"));
    }
    String text = TextFile.read(files, "retention_floor");
    TextFile.replace(files, "retention_floor", text.replace("5\n", "6\n"));
    assertThatThrownBy(this::open).hasMessageContaining("retention_floor: is damaged");
    TextFile.replace(files, "retention_floor", text.replace("bigint", "date"));
    assertThatThrownBy(this::open).hasMessageContaining("retention_floor: is damaged");
    List<String> told = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void corruptionFound(CorruptionFound event) {
            told.add(event.path());
          }
        };
    DatabaseOptions lenient = OPTIONS.toBuilder().lenient(true).listener(listener).build();
    try (Database database = Database.open(disk.directory("db"), lenient)) {
      assertThat(told).hasSize(1).allMatch(path -> path.endsWith("/retention_floor"));
      assertThat(database.table("ks", "t").retentionFloor()).isEmpty();
      assertThat(database.table("ks", "t").raiseRetentionFloor(5)).isTrue();
    }
    try (Database database = open()) {
      assertThat(Contents.of(database.table("ks", "t"))).containsExactly("1 5 v5");
    }
  }

  @Test
  void afterAFailureItIsAsBeforeAndCanBeRaisedAgain() throws IOException {
    // The first of each is that of the floor before.
    FaultyDirectory faulty =
        new FaultyDirectory(
            disk,
            1,
            Fault.on(Operation.CREATE).files("*retention_floor*").call(2).fails("no file"),
            Fault.on(Operation.RENAME).files("*retention_floor*").call(2).fails("no name"));
    try (Database database = Database.open(faulty.directory("db"), OPTIONS)) {
      Table table = database.createTable(TABLE);
      write(table, 1, 5);
      table.raiseRetentionFloor(1);
      for (String failure : List.of("no file", "no name")) {
        assertThatThrownBy(() -> table.raiseRetentionFloor(5))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(failure);
        assertThat(table.retentionFloor()).contains(1L);
        assertThat(Contents.of(table)).hasSize(2);
      }
      assertThat(table.raiseRetentionFloor(5)).isTrue();
      assertThat(Contents.of(table)).containsExactly("1 5 v5");
    }
  }
}
