package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passes schemas in the form of {@code cqlsh} and Cassandra's snapshots to each command. */
class SchemaTextTest {
  private static final String TABLE =
      "CREATE TABLE IF NOT EXISTS w.readings (station text PRIMARY KEY, celsius double);\n";
  private static final String OTHERS =
      """
      CREATE KEYSPACE w WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'};
      USE w;
      CREATE TABLE stations (station text PRIMARY KEY); -- another
      CREATE INDEX by_celsius ON w.readings (celsius);
      CREATE MATERIALIZED VIEW w.by_c AS
          SELECT celsius, station FROM w.readings
          WHERE celsius IS NOT NULL PRIMARY KEY (celsius, station);
      GRANT SELECT ON KEYSPACE w TO bob;
      """;

  @TempDir private Path directory;
  private Path rows;
  private Path table;

  @BeforeEach
  void aTable() throws IOException {
    rows = Files.writeString(directory.resolve("rows.csv"), "station,celsius\nBonn,21.5\n");
    table = directory.resolve("readings");
    Path schema = Files.writeString(directory.resolve("one.cql"), TABLE);
    assertThat(load(schema, table).code()).isEqualTo(ExitCode.OK);
  }

  private Run load(Path schema, Path output) {
    return Run.of(
        "load",
        "--schema",
        schema.toString(),
        "--table",
        "readings",
        "--input",
        rows.toString(),
        "--output",
        output.toString());
  }

  private Run run(String command, Path schema) {
    if (command.equals("load")) {
      return load(schema, directory.resolve("loaded"));
    }
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of("--schema", schema.toString(), "--table", "readings", table.toString()));
    if (command.equals("explain-key")) {
      words.add("Bonn");
    }
    return Run.of(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "load",
        "export",
        "explain",
        "compact --dry-run",
        "advise",
        "inspect",
        "explain-key"
      })
  void whatIsNotUsedIsNamed(String command) throws IOException {
    Path schema = Files.writeString(directory.resolve("all.cql"), TABLE + OTHERS);
    Run run = run(command, schema);
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.err().lines())
        .containsExactly(
            "siltstone: "
                + schema
                + ": 5:1: skipped CREATE INDEX by_celsius ON w.readings (celsius)",
            "siltstone: "
                + schema
                + ": 6:1: skipped CREATE MATERIALIZED VIEW w.by_c AS SELECT celsius, station F...",
            "siltstone: " + schema + ": 9:1: skipped GRANT SELECT ON KEYSPACE w TO bob");
  }

  @ParameterizedTest
  @ValueSource(strings = {"export", "explain", "compact --dry-run", "advise", "inspect"})
  void ofTheSchemaBesideTheFilesToo(String command) throws IOException {
    Path own = table.resolve("schema.cql");
    Files.writeString(own, TABLE + "CREATE INDEX by_celsius ON w.readings (celsius);");
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add(table.toString());
    Run run = Run.of(words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.err())
        .isEqualTo(
            "siltstone: "
                + own
                + ": 2:1: skipped CREATE INDEX by_celsius ON w.readings (celsius)\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"load", "export", "explain", "compact --dry-run", "advise", "inspect"})
  void whatIsWrongIsAnErrorWithItsPlace(String command) throws IOException {
    Path schema = directory.resolve("wrong.cql");
    for (String wrong :
        List.of(
            "CREATE TABL x (k int);", "CREATE TABLE w.x (k in);", "CREATE INDEX i CREATE TABLE")) {
      Files.writeString(schema, TABLE + wrong);
      Run run = run(command, schema);
      assertThat(run.code()).as(wrong).isEqualTo(ExitCode.USAGE);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).startsWith("siltstone: " + schema + ": 2:").hasLineCount(1);
    }
  }

  /** Like {@code --schema <(...)} of a shell. */
  @ParameterizedTest
  @ValueSource(strings = {"load", "export", "explain"})
  void mayComeThroughAPipe(String command) throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    CompletableFuture<Path> written =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.writeString(pipe, TABLE);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    Run run = run(command, pipe);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(written.get(60, TimeUnit.SECONDS)).isEqualTo(pipe);
  }

  @Test
  void thatNeverEndsIsRefused() {
    Run run = run("load", Path.of("/dev/zero"));
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--schema /dev/zero has more than 16777216 bytes");
  }
}
