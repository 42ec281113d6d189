package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A snapshot of Cassandra opens as it is; a database imports its SSTables; and what the database
 * writes and links into a checkpoint passes Cassandra's checks.
 */
class DatabaseAgreesTest {
  private static final long NOW_SECONDS = 2_000_000_000L;

  @TempDir private Path directory;

  /** Returns every second scenario; all of them with {@code interop.scale}. */
  static List<Scenario> scenarios() {
    List<Scenario> all = Scenario.all(CassandraNode.get().options()).toList();
    List<Scenario> some = new ArrayList<>();
    for (int i = 0; i < all.size(); i += Scenario.isLarge() ? 1 : 2) {
      some.add(all.get(i));
    }
    return some;
  }

  private static DatabaseOptions options(CassandraNode node, FormatVersion version) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .partitioner(Partitioner.ofClassName(node.options().partitioner().className))
        .formatVersion(version)
        .chunkCacheBytes(8 << 20)
        .build();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void snapshotsImportsAndCheckpoints(Scenario scenario) throws Exception {
    CassandraNode node = CassandraNode.get();
    CassandraJudge judge = new CassandraJudge(node);
    FormatVersion version =
        SelectedFormat.randomVersion(node, new Random(scenario.name().hashCode()));
    try (CassandraTable table = scenario.run(node)) {
      Path snapshot = directory.resolve("snapshot");
      table.export(snapshot);
      String cql = CassandraTable.schemaText(table.metadata());
      Files.writeString(snapshot.resolve("schema.cql"), cql);
      int expected =
          node.select("SELECT * FROM " + CassandraNode.KEYSPACE + "." + table.name(), NOW_SECONDS)
              .size();
      DatabaseOptions readOnly = options(node, version).toBuilder().readOnly(true).build();
      try (Database database = Database.open(snapshot, readOnly)) {
        assertThat(count(database.tables().get(0))).isEqualTo(expected);
      }
      Path checkpoint = directory.resolve("checkpoint");
      try (Database database =
          Database.open(directory.resolve("database"), options(node, version))) {
        Table mine = database.createTable(cql);
        mine.importTables(snapshot);
        assertThat(count(mine)).isEqualTo(expected);
        database.checkpoint(checkpoint);
      }
      for (Path data : dataFiles(checkpoint)) {
        judge.examine(data, table);
      }
      try (Database database = Database.open(checkpoint, options(node, version))) {
        assertThat(count(database.tables().get(0))).isEqualTo(expected);
      }
    }
  }

  /** A flush writes such rows with their own delta base. */
  @ParameterizedTest
  @ValueSource(longs = {1_000_000_000_000_000L, 0, -5_000_000_000L, Long.MIN_VALUE + 2})
  void whatIsOlderThanTheDatabase(long first) throws Exception {
    CassandraNode node = CassandraNode.get();
    CassandraJudge judge = new CassandraJudge(node);
    FormatVersion version = SelectedFormat.randomVersion(node, new Random(first));
    String name = node.newTableName();
    String definition =
        "CREATE TABLE "
            + CassandraNode.KEYSPACE
            + "."
            + name
            + " (k int, c int, s text static, v text, m map<int, text>, PRIMARY KEY (k, c))";
    try (CassandraTable table = CassandraTable.create(node, name, List.of(), definition);
        EngineTables engine = new EngineTables()) {
      Path home = directory.resolve("database");
      try (Database database = Database.open(home, options(node, version))) {
        Table mine = database.createTable(CassandraTable.schemaText(table.metadata()));
        for (int i = 0; i < 100; i++) {
          MutationBuilder change = mine.mutation(i % 7).timestamp(first + i);
          switch (i % 6) {
            case 0 -> change.insert(i).set("v", "v" + i).set("m", Map.of(i, "whole"));
            case 1 -> change.update(i).set("v", "v" + i).put("m", i, "one");
            case 2 -> change.ttl(i).insert(i).set("v", "expiring");
            case 3 -> change.update(i - 1).delete("v").delete("m");
            case 4 -> change.deleteRow(i - 2);
            default -> change.set("s", "static");
          }
          if (first >= 0 && i % 20 == 7) {
            change.deleteRange(ClusteringRange.all().from(i + 1).to(i + 20));
          }
          mine.write(change.build());
        }
        mine.flush();
      }
      List<Path> data = dataFiles(home);
      assertThat(data).hasSize(1);
      judge.examine(data.get(0), table);
      try (SSTable opened = engine.open(data.get(0))) {
        // The timestamp of the deletion before a collection that is written as a whole is less than
        // the first.
        assertThat(opened.header().stats().minTimestamp()).isEqualTo(first - 1);
      }
      assertThat(engine.read(data.get(0))).isEqualTo(judge.canonical(data.get(0)));
    }
  }

  private static int count(Table table) throws IOException {
    int count = 0;
    try (LiveRows rows = table.read(table.query().nowSeconds(NOW_SECONDS).build())) {
      while (rows.hasNext()) {
        rows.next();
        count++;
      }
    }
    return count;
  }

  private static List<Path> dataFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith("-Data.db")).sorted().toList();
    }
  }
}
