package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.sstable.format.FormatVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Spark reads the rows that Cassandra selects, from SSTables that Cassandra has written; and
 * Cassandra verifies what Spark writes of them, and selects the same rows from it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparkAgreesTest {
  /** When a part of the data that expires has expired. */
  private static final long NOW_SECONDS = RandomWorkload.BASE_SECONDS + 50_000;

  private static final long WRITTEN_MICROS = NOW_SECONDS * 1_000_000;

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);
  private int written;

  static LongStream seeds() {
    return RandomCases.seeds(6);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onRandomTables(long seed) throws Exception {
    try (RandomCases.Case test = RandomCases.run(node, seed)) {
      check(test);
    }
  }

  /** The tables that are drawn are not all of those that Spark cannot write. */
  @AfterAll
  void someTablesWereWritten() {
    assertThat(written).as("tables written").isPositive();
  }

  private void check(RandomCases.Case test) throws Exception {
    String what = "seed " + test.seed() + "\n" + test.definition();
    CassandraTable table = test.table();
    table.flush();
    Path first = export(test, "first" + test.seed());
    // A replica that has more: of the same names, other files.
    new RandomWorkload(test.seed(), table, node.options()).run(30);
    table.flush();
    Path second = export(test, "second" + test.seed());

    Dataset<Row> frame = SparkJob.read(NOW_SECONDS, first, second);
    List<String> columns = List.of(frame.columns());
    List<String> selected = SelectedRows.texts(node, table, columns, NOW_SECONDS);
    CanonicalRow.requireSame(SparkJob.texts(frame), selected, what);
    if (isWritable(table)) {
      checkWritten(test, frame, what);
      written++;
    }
  }

  private Path export(RandomCases.Case test, String name) throws Exception {
    Path target = directory.resolve(name);
    test.table().export(target);
    Files.writeString(target.resolve("schema.cql"), test.definition() + ";\n");
    return target;
  }

  /**
   * Returns whether rows can be inserted one by one: counters cannot, and a static list would get
   * its elements with each row.
   */
  static boolean isWritable(CassandraTable table) {
    return !table.metadata().isCounter()
        && table.metadata().staticColumns().stream()
            .noneMatch(column -> column.type instanceof ListType && column.type.isMultiCell());
  }

  /**
   * Returns the rows without those that have a key that is empty in Cassandra and null in Spark.
   */
  static Dataset<Row> insertable(Dataset<Row> frame, TableMetadata table) {
    Dataset<Row> rows = frame;
    for (ColumnMetadata column : table.primaryKeyColumns()) {
      String name = '`' + column.name.toString().replace("`", "``") + '`';
      rows = rows.where(rows.col(name).isNotNull());
    }
    return rows;
  }

  private void checkWritten(RandomCases.Case test, Dataset<Row> frame, String what)
      throws Exception {
    CassandraTable table = test.table();
    FormatVersion version = version(test);
    Dataset<Row> rows = insertable(frame, table.metadata());
    List<String> expected = SparkJob.texts(rows);
    Path target = directory.resolve("ours" + test.seed());
    SparkJob.append(
        rows,
        target,
        Map.of(
            "schema",
            test.definition() + ";",
            "version",
            version.text(),
            "timestamp",
            Long.toString(WRITTEN_MICROS),
            "ttl",
            "0"));

    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(target)) {
      all.filter(file -> file.toString().endsWith("-Data.db")).forEach(files::add);
    }
    assertThat(files.isEmpty()).as(what).isEqualTo(expected.isEmpty());
    for (Path data : files) {
      assertThat(data.getFileName().toString()).startsWith(version.text());
      judge.examine(data, table);
    }
    table.store().truncateBlockingWithoutSnapshot();
    table.adopt(files);
    CanonicalRow.requireSame(
        SelectedRows.texts(node, table, List.of(rows.columns()), NOW_SECONDS),
        expected,
        what + "\nwritten as " + version);
  }

  /** Draws a version that the node reads; there are no vectors before Cassandra 5. */
  private FormatVersion version(RandomCases.Case test) {
    boolean isOld = !test.definition().toString().contains("vector<");
    List<FormatVersion> versions =
        Stream.of(FormatVersion.NB, FormatVersion.OA, FormatVersion.DA)
            .filter(version -> node.options().reads(version))
            .filter(version -> isOld || version != FormatVersion.NB)
            .toList();
    return versions.get(new Random(test.seed()).nextInt(versions.size()));
  }
}
