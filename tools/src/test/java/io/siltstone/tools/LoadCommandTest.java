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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the commands load and export as a user types them. */
class LoadCommandTest {
  private static final Path SAMPLE = Path.of("..", "docs", "sample");

  @TempDir Path directory;

  private Run load(Path input, String... more) {
    return Run.of(
        Stream.concat(
                Stream.of(
                    "load",
                    "--schema",
                    SAMPLE.resolve("schema.cql").toString(),
                    "--input",
                    input.toString()),
                List.of(more).contains("--output")
                    ? Stream.of(more)
                    : Stream.concat(
                        Stream.of("--output", directory.resolve("out").toString()),
                        Stream.of(more)))
            .toArray(String[]::new));
  }

  private String data(String name) {
    return directory.resolve("out").resolve(name + "-Data.db").toString();
  }

  @Test
  void whatItDidAsJson() throws IOException {
    Run loaded = load(SAMPLE.resolve("readings.jsonl"), "--json");
    assertThat(loaded.code()).as(loaded.err()).isZero();
    assertThat(loaded.out())
        .startsWith("{")
        .endsWith("}\n")
        .contains(
            "\"data_file\" : \"" + data("oa-1-big") + "\"",
            "\"rows\" : 720,",
            "\"bad_rows_skipped\" : 0,",
            "\"partitions\" : 30,",
            "\"input_bytes\" : 140249,",
            "\"on_disk_bytes\" : " + Files.size(Path.of(data("oa-1-big"))),
            "\"sorted_runs\" : 0\n");
    assertThat(loaded.err()).isEmpty();
  }

  /** The first static row of a partition without one outgrows the writer's first array. */
  @Test
  void aTableWithManyStaticColumnsOfWhichNoneIsSetCanBeReadAndCompacted() throws IOException {
    for (int statics : new int[] {101, 102, 130, 1000}) {
      StringBuilder columns = new StringBuilder();
      for (int i = 0; i < statics; i++) {
        columns.append(", s").append(i).append(" int static");
      }
      Path made = Files.createDirectory(directory.resolve("statics" + statics));
      Path schema =
          Files.writeString(
              made.resolve("table.cql"),
              "CREATE TABLE ks.t (k int, c int" + columns + ", r int, PRIMARY KEY (k, c));");
      Path rows = Files.writeString(made.resolve("row.jsonl"), "{\"k\":1,\"c\":1,\"r\":5}\n");
      String table = made.resolve("table").toString();
      for (String[] command :
          new String[][] {
            {"load", "--schema", schema.toString(), "--input", rows.toString(), "--output", table},
            {"verify", "--extended", table},
            {"compact", "--verify-output", "full", "--schema", schema.toString(), table},
            {"verify", "--extended", table}
          }) {
        Run run = Run.of(command);
        assertThat(run.code()).as("%s: %s", String.join(" ", command), run.err()).isZero();
      }
      Run exported = Run.of("export", made.resolve("table").toString());
      assertThat(exported.out()).as(exported.err()).contains("\"r\"");
    }
  }

  @Test
  void theSampleOfTheReadme() throws IOException {
    Run loaded = load(SAMPLE.resolve("readings.jsonl"));
    assertThat(loaded.code()).as(loaded.err()).isZero();
    assertThat(loaded.out()).contains("oa-1-big-Data.db: 720 rows, 30 partitions, ");
    assertThat(loaded.err()).isEmpty();
    Run exported = Run.of("export", data("oa-1-big"));
    assertThat(exported.out().lines()).hasSize(720);
    assertThat(exported.out()).contains("\"notes\": \"Snow on the shield: ☃ removed.\"");

    Path csv = directory.resolve("again.csv");
    assertThat(
            Run.of("export", data("oa-1-big"), "--format", "csv", "--output", csv.toString())
                .code())
        .isZero();
    Run again =
        load(csv, "--sstable-version", "nb", "--compression", "Zstd", "--chunk-length-kb", "4");
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(Run.of("export", data("nb-2-big")).out()).isEqualTo(exported.out());
    Run absent = Run.of("export", data("oa-1-big"), "--key", "ZUG-009:1999-12-31");
    assertThat(absent.out()).isEmpty();
    assertThat(absent.err()).isEqualTo("siltstone: no row has --key ZUG-009:1999-12-31\n");
    assertThat(Run.of("dump", data("oa-1-big"), "-k", "ZUG-009:1999-12-31").err())
        .contains("oa-1-big-Data.db has no partition ZUG-009:1999-12-31");
    assertThat(Run.of("export", data("oa-1-big"), "--key", "ZUG-009:2024-03-01").out().lines())
        .hasSize(24)
        .allMatch(line -> line.startsWith("{\"station\": \"ZUG-009\", \"day\": \"2024-03-01\""));
  }

  @Test
  void theDirectoryHasAShortNameToo() {
    Path other = directory.resolve("other");
    Run run =
        Run.of(
            "load",
            "--schema",
            SAMPLE.resolve("schema.cql").toString(),
            "--input",
            SAMPLE.resolve("readings.jsonl").toString(),
            "--output",
            other.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(other.resolve("oa-1-big-Data.db")).exists();
  }

  @Test
  void tablesThatOverlapAreNotExportedTogether() {
    load(SAMPLE.resolve("readings.jsonl"));
    load(SAMPLE.resolve("readings.jsonl"));
    Run run = Run.of("export", data("oa-1-big"), data("oa-2-big"));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("overlap").hasLineCount(1);
  }

  @Test
  void aDirectoryIsExportedAsOneTable() throws IOException {
    load(SAMPLE.resolve("readings.jsonl"));
    load(SAMPLE.resolve("readings.jsonl"));
    Path out = directory.resolve("out");
    Run run = Run.of("export", out.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(Run.of("export", data("oa-2-big")).out()).hasLineCount(720);

    Files.move(out.resolve("schema.cql"), directory.resolve("moved.cql"));
    assertThat(Run.of("export", out.toString()).err()).contains("--schema");
    Run given =
        Run.of("export", out.toString(), "--schema", directory.resolve("moved.cql").toString());
    assertThat(given.out()).isEqualTo(run.out());
    Run both = Run.of("export", out.toString(), data("oa-1-big"));
    assertThat(both.code()).isEqualTo(ExitCode.USAGE);
    assertThat(both.err()).contains("name one directory, or data files").hasLineCount(1);
  }

  @Test
  void aTableOfADatabaseIsExportedAsReadsShowIt() throws IOException {
    Path path = directory.resolve("db");
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (Database db = Database.open(path, options)) {
      Table rows =
          db.createTable(
              "CREATE TABLE ks.rows (k int, c int, s text static, v text, PRIMARY KEY (k, c))");
      assertThat(db.createTable("CREATE TABLE ks.others (k int PRIMARY KEY)")).isNotNull();
      rows.write(rows.mutation(1).insert(1).set("v", "old").insert(2).set("v", "deleted").build());
      rows.flush();
      rows.write(rows.mutation(1).update(1).set("v", "new").deleteRow(2).build());
      rows.flush();
      rows.write(rows.mutation(2).insert(7).set("v", "in the log").build());
      db.sync();

      Run run = Run.of("export", "--table", "ks.rows", path.toString());
      assertThat(run.err()).isEmpty();
      assertThat(run.out().lines())
          .containsExactlyInAnyOrder(
              "{\"k\": 1, \"c\": 1, \"v\": \"new\"}",
              "{\"k\": 2, \"c\": 7, \"v\": \"in the log\"}");
      Run one =
          Run.of("export", "--table", "rows", "--key", "2", "--format", "csv", path.toString());
      assertThat(one.out()).isEqualTo("\"k\",\"c\",\"s\",\"v\"\n\"2\",\"7\",,\"in the log\"\n");
      Run which = Run.of("export", path.toString());
      assertThat(which.code()).isEqualTo(ExitCode.USAGE);
      assertThat(which.err()).contains("choose one with --table: ks.others, ks.rows");
    }
  }

  @Test
  void aBadRowLeavesNoDirectoryBehind() throws IOException {
    Path input = directory.resolve("bad.jsonl");
    Files.writeString(input, "{\"station\": \"A\", \"day\": \"2024-13-01\", \"hour\": 1}\n");
    Run run = load(input);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("bad.jsonl, line 1: column 'day': ", "2024-13-01")
        .hasLineCount(1);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void nothingIsLoadedIntoADatabase() throws IOException {
    Path out = directory.resolve("out");
    Path table;
    try (Database db = Database.open(out)) {
      db.createTable(Files.readString(SAMPLE.resolve("schema.cql")));
      try (Stream<Path> tables = Files.list(out.resolve("data/weather"))) {
        table = tables.findFirst().orElseThrow();
      }
      Run root = load(SAMPLE.resolve("readings.jsonl"));
      assertThat(root.code()).isEqualTo(ExitCode.USAGE);
      assertThat(root.err())
          .contains(
              out + " is a database, to which only the database may write", "Table.importTables");
      Path alias = Files.createSymbolicLink(directory.resolve("alias"), table);
      for (Path within : List.of(table, alias, out.resolve("data/weather/new"))) {
        Run run = load(SAMPLE.resolve("readings.jsonl"), "--output", within.toString());
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(within + " lies in the database " + out).hasLineCount(1);
      }
    }
    assertThat(table.resolve("oa-1-big-Data.db")).doesNotExist();
    assertThat(out.resolve("data/weather/new")).doesNotExist();
    assertThat(out.resolve("schema.cql")).doesNotExist();
  }

  @Test
  void whatWasLoadedIntoADatabaseOnceDoesNotMakeItATable() throws IOException {
    assertThat(load(SAMPLE.resolve("readings.jsonl")).code()).isZero();
    Path db = directory.resolve("db");
    Database.open(db).close();
    Files.copy(directory.resolve("out/schema.cql"), db.resolve("schema.cql"));
    for (String command : List.of("tablestats", "info", "compactionhistory")) {
      assertThat(Run.of(command, db.toString()).code()).as(command).isZero();
    }
    assertThat(Run.of("inspect", db.toString()).err()).contains("has no table");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'class': 'LZ4Compressor', 'chunk_length_in_kb': '17'",
        "'class': 'ZstdCompresor', 'chunk_length_in_kb': '16'"
      })
  void compressionOfTheSchemaIsThatOfTheTableOrAnError(String compression) throws IOException {
    Path schema = directory.resolve("other.cql");
    Files.writeString(
        schema,
        Files.readString(SAMPLE.resolve("schema.cql"))
            .replaceFirst("compression = \\{.*}", "compression = {" + compression + "}"));
    String[] args = {
      "load",
      "--schema",
      schema.toString(),
      "--input",
      SAMPLE.resolve("readings.jsonl").toString(),
      "--output",
      directory.resolve("out").toString()
    };

    Run refused = Run.of(args);
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err())
        .contains(schema + ": ")
        .containsAnyOf("chunk_length_in_kb = 17, allowed ", "class = ZstdCompresor, allowed ")
        .hasLineCount(1);
    assertThat(directory.resolve("out")).doesNotExist();

    Run overridden =
        Run.of(
            Stream.concat(Stream.of(args), Stream.of("--compression", "ZstdCompressor"))
                .toArray(String[]::new));
    assertThat(overridden.code()).as(overridden.err()).isZero();
    assertThat(directory.resolve("out/schema.cql")).content().contains("ZstdCompressor");
  }

  @Test
  void wrongOptionsSayWhatIsAllowed() throws IOException {
    Path input = SAMPLE.resolve("readings.jsonl");
    assertThat(load(input, "--sstable-version", "ma").err())
        .contains("--sstable-version ma, allowed nb, oa, da, pa, ea");
    assertThat(load(input, "--partitioner", "x").err()).contains("murmur3, byte-ordered");
    assertThat(load(input, "--ttl", "-1").err()).contains("--ttl -1, allowed 0 to 630720000");
    assertThat(load(input, "--chunk-length", "3").err()).contains("chunk_length_in_kb = 3");
    assertThat(load(input, "--compression", "Xz").err())
        .contains("--compression = Xz, allowed LZ4Compressor, ", ", none");
    assertThat(load(input, "--max-memory-mb", "0").code()).isEqualTo(2);
    assertThat(load(input, "--table", "a.b").err()).contains("weather.readings");
    assertThat(load(directory.resolve("none.jsonl")).code()).isEqualTo(3);
    assertThat(load(SAMPLE.resolve("schema.cql")).err()).contains("use --format");
    assertThat(Run.of("export", data("oa-1-big")).code()).isEqualTo(3);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void columnsAndFieldsThatChangedSinceAreExportedByTheirPresentNames() throws Exception {
    Path rows = directory.resolve("rows.jsonl");
    Files.writeString(rows, "{\"k\": 1, \"a\": 1, \"u\": {\"x\": 2}, \"z\": 3}\n");
    Path schema = directory.resolve("old.cql");
    Files.writeString(
        schema,
        "CREATE TYPE ks.pair (x int); CREATE TABLE ks.t (k int PRIMARY KEY, a int, u"
            + " frozen<pair>, z int);");
    Path table = directory.resolve("t");
    assertThat(
            Run.of(
                    "load",
                    "--schema",
                    schema.toString(),
                    "--input",
                    rows.toString(),
                    "--output",
                    table.toString())
                .code())
        .isZero();
    Files.writeString(
        table.resolve("schema.cql"),
        "CREATE TYPE ks.pair (first int, second int); CREATE TABLE ks.t (k int PRIMARY KEY, b set<int>,"
            + " s int, u frozen<pair>, z int);");
    String present = "{\"k\": 1, \"u\": {\"first\": 2, \"second\": null}, \"z\": 3}\n";
    assertThat(Run.of("export", table.toString()).out()).isEqualTo(present);
    assertThat(Run.of("export", "--key", "1", table.toString()).out()).isEqualTo(present);
    assertThat(Run.of("export", table.resolve("oa-1-big-Data.db").toString()).out())
        .isEqualTo(present);
  }

  @Test
  void aLoadThatFailsLeavesNoDirectory() throws IOException {
    Path input = Files.writeString(directory.resolve("bad.jsonl"), "{\"no\": 1}\n");
    Path there = Files.createDirectory(directory.resolve("there"));

    Run failed = load(input, "--output", there.resolve("a/b/c").toString());

    assertThat(failed.code()).isNotZero();
    assertThat(failed.err()).contains("bad.jsonl");
    assertThat(there).isEmptyDirectory();
  }

  @Test
  void anEmptyPathIsNotTheWorkingDirectory() {
    Run run = load(SAMPLE.resolve("readings.jsonl"), "--output", "");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--output", "expected a path");
  }

  @Test
  void aSchemaThatIsNoTextIsRefused() throws IOException {
    Path input = SAMPLE.resolve("readings.jsonl");
    assertThat(load(input).code()).isZero();
    Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xFF, 0, 1});
    for (Path schema : List.of(binary, directory)) {
      for (String command : List.of("export", "compact")) {
        Run run =
            Run.of(command, directory.resolve("out").toString(), "--schema", schema.toString());
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).hasLineCount(1).contains(schema.toString());
      }
    }
  }
}
