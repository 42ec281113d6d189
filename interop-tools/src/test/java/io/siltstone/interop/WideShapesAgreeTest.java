package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.sstable.SSTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables of wide shapes, on both sides of each threshold of the encoding: Cassandra writes them,
 * the engine reads, rewrites, compacts and scrubs them, and Cassandra reads and verifies the
 * results.
 */
class WideShapesAgreeTest {
  private static final long NOW = 1_700_000_000L;

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);
  private EngineTables engine;

  static LongStream seeds() {
    return RandomCases.seeds(4);
  }

  @BeforeEach
  void open() {
    engine = new EngineTables();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsMadeOfWideTablesIsWhatCassandraMakes(long seed) throws Exception {
    Random random = new Random(seed);
    String name = node.newTableName();
    WideShapes shape = new WideShapes(random, name, Integer.getInteger("interop.scale", 1) > 1);
    String what = "seed " + seed + ", " + shape;
    SelectedFormat.bySeed(node, seed);
    try (CassandraTable table = CassandraTable.create(node, name, List.of(), shape.createTable())) {
      for (int flush = 0; flush < 2; flush++) {
        for (int i = 0; i < 6; i++) {
          for (WideShapes.Statement statement : shape.partition()) {
            table.execute(statement.cql(), NOW, statement.values());
          }
        }
        table.flush();
      }
      check(table, random, what);
    }
  }

  /** A partition without its static row, in a table with more and more static columns. */
  @ParameterizedTest
  @ValueSource(ints = {63, 64, 65, 101, 102, 103, 130, 255, 256, 1000})
  void staticColumnsOfWhichNoneIsSet(int statics) throws Exception {
    String name = node.newTableName();
    SelectedFormat.bySeed(node, statics);
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < statics; i++) {
      columns.append("s").append(i).append(" int static, ");
    }
    String qualified = CassandraNode.KEYSPACE + "." + name;
    try (CassandraTable table =
        CassandraTable.create(
            node,
            name,
            List.of(),
            "CREATE TABLE "
                + qualified
                + " (k int, c int, "
                + columns
                + "r int, PRIMARY KEY (k, c)) WITH gc_grace_seconds = 2000000000")) {
      for (int flush = 0; flush < 2; flush++) {
        for (int k = 0; k < 3; k++) {
          table.execute(
              "INSERT INTO %s (k, c, r) VALUES (%d, %d, 5) USING TIMESTAMP 7"
                  .formatted(qualified, k + flush, flush),
              NOW,
              List.of());
        }
        table.flush();
      }
      check(table, new Random(statics), statics + " static columns");
    }
  }

  private void check(CassandraTable table, Random random, String what) throws Exception {
    Path tables = directory.resolve("tables");
    int count = 0;
    for (Path data : table.export(tables)) {
      String name = what + ", " + data.getFileName();
      String theirs = judge.canonical(data);
      assertThat(engine.read(data)).as("%s read", name).isEqualTo(theirs);
      try (SSTable source = engine.open(data)) {
        checkRewritten(data, source, table, theirs, random, name, count++);
      }
    }
    assertThat(count).as(what).isPositive();
    Files.writeString(tables.resolve("schema.cql"), CassandraTable.schemaText(table.metadata()));
    table.compact();
    List<Path> merged = table.export(directory.resolve("merged"));
    String expected = judge.canonical(merged.get(0));

    CommandLineRun.run("scrub", tables.toString());
    CommandLineRun.run("verify", "--extended", tables.toString());
    CommandLineRun.run("compact", "--verify-output", "full", tables.toString());
    CommandLineRun.run("recompress", tables.toString());
    CommandLineRun.run("verify", "--extended", tables.toString());
    Path ours = onlyData(tables);
    judge.examine(ours, table);
    assertThat(judge.canonical(ours)).as("%s compacted", what).isEqualTo(expected);
    assertThat(engine.read(ours)).as("%s compacted", what).isEqualTo(expected);
  }

  private void checkRewritten(
      Path data,
      SSTable source,
      CassandraTable table,
      String theirs,
      Random random,
      String name,
      int number)
      throws Exception {
    // As it is, and transcoded.
    Path copied =
        engine.rewrite(
            data,
            Files.createDirectory(directory.resolve("copied" + number)),
            source.descriptor().version(),
            source.header(),
            EngineTables.randomOptions(random, table));
    Path other =
        engine.rewrite(
            data,
            Files.createDirectory(directory.resolve("other" + number)),
            source.descriptor().version(),
            EngineTables.onOtherBases(source.header()),
            EngineTables.randomOptions(random, table));
    for (Path written : List.of(copied, other)) {
      judge.examine(written, table);
      assertThat(judge.canonical(written)).as("%s as Cassandra reads it", name).isEqualTo(theirs);
      assertThat(engine.read(written)).as("%s as the engine reads it", name).isEqualTo(theirs);
    }
    assertThat(judge.uncompressedData(copied))
        .as("%s copied", name)
        .isEqualTo(judge.uncompressedData(data));
  }

  private static Path onlyData(Path tables) throws Exception {
    try (Stream<Path> files = Files.list(tables)) {
      List<Path> data =
          files.filter(file -> file.getFileName().toString().endsWith("-Data.db")).toList();
      assertThat(data).hasSize(1);
      return data.get(0);
    }
  }
}
