package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.apache.cassandra.db.marshal.ListType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The live rows of a random table, as {@code export} prints them, make the same table whether
 * Cassandra inserts them as JSON or {@code load} reads them; and Cassandra accepts the latter.
 */
class LoadAgreesTest {
  /** Between the seeds of tables that are tried; even, because odd seeds make BTI. */
  private static final long SEEDS_APART = 1_000_000;

  private static final long TIMESTAMP = 1_700_000_000_123_456L;
  private static final String FIRST_CLUSTERING = "\"c0\": ";

  /** Time UUIDs: the paths of a list's elements, which differ. */
  private static final Pattern LIST_PATH =
      Pattern.compile("(?<=\\[)[0-9a-f]{12}1[0-9a-f]{3}[89ab][0-9a-f]{15}(?=\\])");

  /** The time at which a collection was overwritten, because the load has its own clock. */
  private static final Pattern DELETED_AT = Pattern.compile("( deleted \\d+ @ )\\d+");

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);

  static LongStream seeds() {
    return RandomCases.seeds(8);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onRandomTables(long seed) throws Exception {
    long tried = seed;
    while (!agrees(tried)) {
      tried += SEEDS_APART;
    }
  }

  /** Compares the tables, unless that of the seed cannot be inserted or loaded as it is. */
  private boolean agrees(long seed) throws Exception {
    try (RandomCases.Case test = RandomCases.run(node, seed)) {
      // Cassandra parses a decimal in JSON as a double; load takes it exactly.
      if (test.table().metadata().isCounter() || test.definition().toString().contains("decimal")) {
        return false;
      }
      test.table().flush();
      Path schema = directory.resolve("schema.cql");
      Files.writeString(schema, test.definition() + ";\n");
      int count = 0;
      for (Path data : test.table().export(Files.createDirectory(directory.resolve("theirs")))) {
        String what = "seed " + seed + ", " + data.getFileName() + "\n" + test.definition();
        Path rows = directory.resolve("rows" + count + ".jsonl");
        CommandLineRun.run(
            "export", data.toString(), "--schema", schema.toString(), "--output", rows.toString());
        if (keepInsertable(rows, test.table())) {
          check(test, schema, rows, directory.resolve("ours" + count), what);
        }
        count++;
      }
      assertThat(count).isPositive();
      return true;
    }
  }

  /**
   * Returns whether there is a static list: Cassandra appends its elements with each row's INSERT;
   * load writes the list once.
   */
  private static boolean hasStaticList(CassandraTable table) {
    return table.metadata().staticColumns().stream()
        .anyMatch(column -> column.type instanceof ListType && column.type.isMultiCell());
  }

  /**
   * Removes rows with only static columns and rows with empty values, which Cassandra does not
   * accept as JSON; rows with NaN, because keys that differ only in its bits become one; and all
   * but the first row of a partition that has a static list.
   */
  private static boolean keepInsertable(Path rows, CassandraTable table) throws IOException {
    boolean hasClustering = !table.metadata().clusteringColumns().isEmpty();
    boolean onePerPartition = hasStaticList(table);
    Set<String> partitions = new HashSet<>();
    List<String> kept =
        Files.readAllLines(rows).stream()
            .filter(line -> !hasClustering || line.contains(FIRST_CLUSTERING))
            .filter(line -> !line.contains("NaN") && !line.contains(": \"\""))
            .filter(
                line ->
                    !onePerPartition
                        || partitions.add(line.substring(0, line.indexOf(FIRST_CLUSTERING))))
            .toList();
    Files.write(rows, kept);
    return !kept.isEmpty();
  }

  private void check(RandomCases.Case test, Path schema, Path rows, Path out, String what)
      throws Exception {
    FormatVersion version = SelectedFormat.randomVersion(node, new Random(test.seed()));
    CommandLineRun.run(
        "load",
        "--schema",
        schema.toString(),
        "--input",
        rows.toString(),
        "--output",
        out.toString(),
        "--sstable-version",
        version.text(),
        "--partitioner",
        node.options().partitioner() == NodeOptions.Partitioner.BYTE_ORDERED
            ? "byte-ordered"
            : "murmur3",
        "--timestamp",
        Long.toString(TIMESTAMP),
        "--ttl",
        "0",
        "--max-memory-mb",
        "1");
    Path loaded = out.resolve(Descriptor.of(version, 1).fileName(Component.DATA));
    judge.examine(loaded, test.table());

    // The content has been exported, so the truncated table can take the rows.
    test.table().store().truncateBlocking();
    for (String line : Files.readAllLines(rows)) {
      test.table()
          .execute(
              "INSERT INTO ks."
                  + test.table().name()
                  + " JSON '"
                  + line.replace("'", "''")
                  + "' DEFAULT UNSET USING TIMESTAMP "
                  + TIMESTAMP
                  + " AND TTL 0",
              TIMESTAMP / 1_000_000,
              List.of());
    }
    test.table().flush();
    List<Path> inserted = test.table().export(Files.createDirectory(out.resolve("inserted")));
    assertThat(inserted).as(what).hasSize(1);
    assertThat(comparable(judge.canonical(loaded)))
        .as(what + "\n" + Files.readString(rows))
        .isEqualTo(comparable(judge.canonical(inserted.get(0))));
  }

  private static String comparable(String canonical) {
    String paths = LIST_PATH.matcher(canonical).replaceAll("timeuuid");
    return DELETED_AT.matcher(paths).replaceAll("$1now");
  }
}
