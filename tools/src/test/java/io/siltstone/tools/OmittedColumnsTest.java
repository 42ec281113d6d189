package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How commands treat columns that SSTables have and the given schema lacks. */
final class OmittedColumnsTest {
  private static final String WHOLE =
      "CREATE TABLE ks.t (k int, c int, s int STATIC, a int, \"b\nx\" text, PRIMARY KEY (k, c))";
  private static final String PART = "CREATE TABLE ks.t (k int, c int, a int, PRIMARY KEY (k, c))";
  private static final String ROW = "{\"k\": 1, \"c\": 2, \"a\": 4}\n";

  @TempDir private Path temporary;
  private Path table;
  private Path data;

  @BeforeEach
  void aTable() throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    Path database = temporary.resolve("db");
    try (Database opened = Database.open(database, options)) {
      Table written = opened.createTable(WHOLE);
      written.write(
          written.mutation(1).insert(2).set("s", 3).set("a", 4).set("b\nx", "five").build());
      written.flush();
    }
    table = Files.createDirectory(temporary.resolve("table"));
    Path from;
    try (Stream<Path> tables = Files.list(database.resolve("data/ks"))) {
      from = tables.findFirst().orElseThrow();
    }
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(each -> each.toString().contains("-big-")).toList()) {
        Files.copy(file, table.resolve(String.valueOf(file.getFileName())));
      }
    }
    try (Stream<Path> files = Files.list(table)) {
      data = files.filter(each -> each.toString().endsWith("-Data.db")).findFirst().orElseThrow();
    }
  }

  private String schema(String text) throws IOException {
    return Files.writeString(Files.createTempFile(temporary, "schema", ".cql"), text).toString();
  }

  private Run export(String schema, Path place, String... options) throws IOException {
    String[] all =
        Stream.concat(
                Stream.of("export", "--schema", schema(schema)),
                Stream.concat(Stream.of(options), Stream.of(place.toString())))
            .toArray(String[]::new);
    return Run.of(all);
  }

  @Test
  void columnsThatTheSchemaLacksAreNamed() throws IOException {
    for (Path place : new Path[] {table, data}) {
      Run run = export(PART, place);
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
      assertThat(run.out()).isEqualToIgnoringWhitespace(ROW);
      assertThat(run.err())
          .startsWith("siltstone: the schema lacks column \"b\\nx\" of " + table)
          .contains(", column s of " + table)
          .endsWith("; they are left out\n")
          .hasLineCount(1);
    }
  }

  @Test
  void onRequestNothingIsExportedThen() throws IOException {
    for (Path place : new Path[] {table, data}) {
      Run run = export(PART, place, "--require-all-columns");
      assertThat(run.code()).isEqualTo(ExitCode.USAGE);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).contains("column s of").endsWith("; nothing was exported\n");

      Run whole = export(WHOLE, place, "--require-all-columns");
      assertThat(whole.code()).as(whole.err()).isEqualTo(ExitCode.OK);
      assertThat(whole.err()).isEmpty();
      assertThat(whole.out()).contains("five");
    }
  }

  @Test
  void columnsThatWereDroppedAreNotNamed() throws IOException {
    String dropped =
        PART
            + " WITH DROPPED COLUMN RECORD s int static USING TIMESTAMP 4000000000000000"
            + " AND DROPPED COLUMN RECORD \"b\nx\" text USING TIMESTAMP 4000000000000000";
    Run run = export(dropped, table, "--require-all-columns");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).isEqualToIgnoringWhitespace(ROW);
  }

  @Test
  void compactionKeepsColumnsThatTheSchemaLacks() throws IOException {
    for (String command : new String[] {"compact", "scrub", "garbagecollect"}) {
      Run run = Run.of(command, "--schema", schema(PART), table.toString());
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
      assertThat(run.out()).contains(" -> ");
      Run exported = export(WHOLE, table, "--require-all-columns");
      assertThat(exported.out()).as(command).contains("five", "\"s\"");
    }
  }
}
