package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An export of a directory that Cassandra wrote is equal to an export of the one SSTable that its
 * SSTables are merged into: each SSTable has its own header, with only the columns that were
 * written.
 */
class ExportAgreesTest {
  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();

  static LongStream seeds() {
    return RandomCases.seeds(7);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aDirectoryIsWhatItIsMergedTo(long seed) throws Exception {
    String name = node.newTableName();
    RandomTable definition = RandomTable.of(seed, name, node.options());
    Random random = new Random(seed);
    try (CassandraTable table =
        CassandraTable.create(node, name, definition.createTypes(), definition.createTable())) {
      RandomWorkload workload = new RandomWorkload(seed, table, node.options());
      for (int i = 2 + random.nextInt(6); i > 0; i--) {
        workload.run(1 + random.nextInt(4));
        table.flush();
      }
      Path several = Files.createDirectory(directory.resolve("several"));
      List<Path> files = table.export(several);
      Path merged = Files.createDirectory(directory.resolve("merged"));
      Files.writeString(several.resolve("schema.cql"), definition + ";\n");
      try (var all = Files.list(several)) {
        for (Path file : all.toList()) {
          Files.copy(file, merged.resolve(file.getFileName()));
        }
      }
      CommandLineRun.run("compact", merged.toString());

      // Rows with a time to live must not expire between the two exports.
      String now = Long.toString(System.currentTimeMillis() / 1000);
      String expected = CommandLineRun.run("export", "--now", now, merged.toString());
      String actual = CommandLineRun.run("export", "--now", now, several.toString());
      assertThat(actual)
          .as("seed " + seed + ", " + files.size() + " SSTables\n" + definition)
          .isEqualTo(expected);
    }
  }
}
