package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.LiveSSTable;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Component;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfflineTableTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).build();

  @TempDir private Path temporary;
  private Path directory;

  @BeforeEach
  void aTable() throws IOException {
    Path database = temporary.resolve("db");
    try (Database opened = Database.open(database, OPTIONS)) {
      Table table =
          opened.createTable("CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c))");
      table.write(table.mutation(1).insert(2).set("v", "x").build());
      table.flush();
    }
    try (Stream<Path> tables = Files.list(database.resolve("data/ks"))) {
      directory = tables.findFirst().orElseThrow();
    }
  }

  private OfflineTable open(TableSchema schema) throws IOException {
    return OfflineTable.open(directory, schema, null, OPTIONS);
  }

  private OfflineTable open() throws IOException {
    return OfflineTable.open(directory, null, null, OPTIONS);
  }

  @Test
  void aSecondCloseDoesNotTakeAwayTheLockOfTheNext() throws IOException {
    OfflineTable first = open();
    first.close();
    try (OfflineTable second = open()) {
      first.close();
      assertThat(directory.resolve("siltstone.lock")).exists();
      assertThatIOException().isThrownBy(this::open).withMessageContaining("locked");
      assertThat(second.live().tables()).hasSize(1);
    }
    assertThat(directory.resolve("siltstone.lock")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k text PRIMARY KEY, q int | partition key is int, allowed text",
        "k bigint, c int, v text, PRIMARY KEY (k, c) | partition key is int, allowed bigint",
        "k int, c bigint, v text, PRIMARY KEY (k, c) | clustering columns is [int], allowed",
        "k int, c int, d int, v text, PRIMARY KEY (k, c, d) | is [int], allowed [int, int]",
        "k int, c int, v set<text>, PRIMARY KEY (k, c) | type of column v is text, allowed set",
        "k int, c int, v int, PRIMARY KEY (k, c) | type of column v is text, allowed int",
        "k int, c int, v text STATIC, PRIMARY KEY (k, c) | kind of column v is REGULAR, allowed",
      })
  void aSchemaOfAnotherTableIsRefused(String columns, String message) throws IOException {
    TableSchema schema = SchemaParser.parse("CREATE TABLE ks.t (" + columns + ")").onlyTable();
    assertThatIOException()
        .isThrownBy(() -> open(schema))
        .withMessageContaining("schema is of another table")
        .withMessageContaining(message);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(Path::getFileName).map(Path::toString)).doesNotContain("siltstone.lock");
    }
  }

  @Test
  void orderCountsAndColumnsThatWereDroppedNeedNotBeKnown() throws IOException {
    TableSchema descending =
        SchemaParser.parse(
                "CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER"
                    + " BY (c DESC)")
            .onlyTable();
    assertThatIOException()
        .isThrownBy(() -> open(descending))
        .withMessageContaining("is [int], allowed [int DESC]");
    TableSchema fewer =
        SchemaParser.parse("CREATE TABLE ks.t (k blob, c int, PRIMARY KEY (k, c))").onlyTable();
    assertThatThrownBy(() -> open(fewer)).isInstanceOf(IOException.class);
    TableSchema without =
        SchemaParser.parse("CREATE TABLE ks.t (k int, c int, w int, PRIMARY KEY (k, c))")
            .onlyTable();
    try (OfflineTable opened = open(without)) {
      assertThat(opened.live().tables()).hasSize(1);
    }
  }

  @Test
  void rowsAreReadAsTheDatabaseReadsThem() throws IOException {
    Path database = temporary.resolve("db");
    List<String> expected;
    List<LiveSSTable> sstables;
    try (Database opened = Database.open(database, OPTIONS)) {
      Table table = opened.table("ks", "t");
      for (int k = 0; k < 20; k++) {
        for (int c = 0; c < 20; c++) {
          table.write(table.mutation(k).insert(c).set("v", k + " " + c).build());
        }
        if (k % 5 == 0) {
          table.flush();
        }
      }
      table.write(table.mutation(3).deleteRow(4).build());
      table.write(table.mutation(7).deletePartition().build());
      table.flush();
      assertThat(table.sstables().size()).isGreaterThan(2);
      sstables = table.sstables();
      expected = rows(table.read(table.query().build()));
    }
    assertThat(expected).hasSize(20 * 20 - 1 - 20);
    try (OfflineTable opened = OfflineTable.openReadOnly(directory)) {
      assertThat(rows(opened.read(opened.query().build()))).isEqualTo(expected);
      assertThat(opened.sstables()).isEqualTo(sstables);
      Query reversed =
          opened.query().partition(3).rows(ClusteringRange.all().from(3).to(5)).reversed().build();
      assertThat(rows(opened.read(reversed))).containsExactly("3 5 3 5", "3 3 3 3");
      assertThat(rows(opened.read(opened.query().partition(7).build()))).isEmpty();
    }
  }

  @Test
  void metadataOfSSTablesIsThatOfTheirContent() throws IOException {
    try (OfflineTable opened = OfflineTable.openReadOnly(directory)) {
      assertThat(opened.sstables())
          .singleElement()
          .satisfies(
              table -> {
                assertThat(table.descriptor())
                    .isEqualTo(opened.live().tables().get(0).descriptor());
                assertThat(table.onDiskBytes())
                    .isEqualTo(
                        Files.size(directory.resolve(table.descriptor().fileName(Component.DATA))));
                assertThat(table.rows()).isEqualTo(1);
                assertThat(table.partitions()).isEqualTo(1);
                assertThat(table.minTimestamp()).isPositive().isEqualTo(table.maxTimestamp());
                assertThat(table.writtenAt()).isAfter(Instant.EPOCH);
              });
    }
  }

  @Test
  void openRowsAreClosedWithTheTable() throws IOException {
    OfflineTable opened = OfflineTable.openReadOnly(directory);
    LiveRows rows = opened.read(opened.query().build());
    assertThat(rows.hasNext()).isTrue();
    opened.close();
    assertThatThrownBy(rows::hasNext).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aClosedTableIsNotRead() throws IOException {
    OfflineTable opened = OfflineTable.openReadOnly(directory);
    Query all = opened.query().build();
    opened.close();
    assertThatThrownBy(() -> opened.read(all)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(opened::query).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closingBesideReadersLeavesNothingOpen() throws Exception {
    for (int i = 0; i < 40; i++) {
      OfflineTable opened = OfflineTable.openReadOnly(directory);
      Query all = opened.query().build();
      CompletableFuture<Void> reader =
          CompletableFuture.runAsync(
              () -> {
                while (true) {
                  try (LiveRows rows = opened.read(all)) {
                    assertThat(rows.stream()).isNotEmpty();
                  } catch (IllegalStateException e) {
                    return;
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              });
      Thread.sleep(i % 4);
      opened.close();
      reader.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void whatIsOpenedForReadingOnlyIsNotCompacted() throws IOException {
    try (OfflineTable opened = OfflineTable.openReadOnly(directory)) {
      assertThat(opened.compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR)))
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableThat()
          .withCauseInstanceOf(UnsupportedOperationException.class)
          .withMessageContaining("without compaction");
    }
  }

  private static List<String> rows(LiveRows rows) throws IOException {
    List<String> all = new ArrayList<>();
    try (rows) {
      for (Row row : rows) {
        all.add(row.getInt("k") + " " + row.getInt("c") + " " + row.getString("v"));
      }
    }
    return all;
  }
}
