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
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code siltstone retention}, and the floor in the output of other commands. */
class RetentionCommandTest {
  private static final Instant NINE = Instant.parse("2026-03-01T09:00:00Z");

  @TempDir private Path directory;

  private String database;

  @BeforeEach
  void makeDatabase() throws IOException {
    database = directory.resolve("db").toString();
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .memoryBytes(64 << 20)
            .memtableBytes(4 << 20)
            .chunkCacheBytes(0)
            .build();
    try (Database opened = Database.open(Path.of(database), options)) {
      Table times =
          opened.createTable(
              "CREATE TABLE w.times (k int, at timestamp, v text, PRIMARY KEY (k, at))");
      for (int hour = 0; hour < 3; hour++) {
        Instant at = NINE.plusSeconds(3600L * hour);
        times.write(times.mutation(1).insert(at).set("v", "at " + at).build());
        times.flush();
      }
      opened.createTable("CREATE TABLE w.uuids (k int, at timeuuid, v text, PRIMARY KEY (k, at))");
      opened.createTable("CREATE TABLE w.plain (k int PRIMARY KEY, v text)");
    }
  }

  private Run retention(String table, String... more) {
    return Run.of(
        Stream.concat(Stream.of("retention", database, "--table", table), Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void aFloorIsRaisedAndShown() {
    Run none = retention("times");
    assertThat(none.code()).isZero();
    assertThat(none.out()).endsWith("no retention floor\n");

    Run raised = retention("times", "--raise", "2026-03-01T10:00:00Z");
    assertThat(raised.code()).as(raised.err()).isZero();
    assertThat(raised.err()).isEqualTo("the floor was raised\n");
    assertThat(raised.out())
        .contains("retention floor 2026-03-01T10:00:00Z, 1 of 3 SSTables below it as a whole, ");
    assertThat(Run.of("export", database, "--table", "times").out())
        .contains("at 2026-03-01T10:00:00Z", "at 2026-03-01T11:00:00Z")
        .doesNotContain("at 2026-03-01T09:00:00Z");

    Run lower = retention("times", "--raise", "2026-03-01T09:30:00Z");
    assertThat(lower.code()).isZero();
    assertThat(lower.err()).isEqualTo("the floor was as great or greater already\n");
    assertThat(lower.out()).contains("retention floor 2026-03-01T10:00:00Z");
    assertThat(retention("times", "--json").out())
        .contains(
            "\"retention_floor\" : \"2026-03-01T10:00:00Z\"",
            "\"sstables\" : 3",
            "\"sstables_below\" : 1");
  }

  @Test
  void otherCommandsShowTheFloor() throws IOException {
    String floor = "2026-03-01T11:00:00Z";
    assertThat(retention("times", "--raise", floor).code()).isZero();
    assertThat(Run.of("inspect", database, "--table", "times").out())
        .contains("retention floor " + floor + ": 2 SSTables below it as a whole");
    assertThat(Run.of("info", database).out())
        .contains("Retention floor        : w.times: " + floor)
        .contains("level 0, retention floor " + floor)
        .doesNotContain("w.plain: ");
    assertThat(Run.of("info", "--json", database).out())
        .contains("\"w.times\" : \"" + floor + "\"", "\"retention_floor\" : \"" + floor + "\"");
    String data = dataFileOf("times").toString();
    assertThat(Run.of("metadata", data).out()).endsWith("Retention floor: " + floor + "\n");
    assertThat(Run.of("metadata", "--json", data).out())
        .contains("\"retention_floor\" : \"" + floor + "\"");
    assertThat(Run.of("inspect", "--json", database, "--table", "times").out())
        .contains("\"retention_floor\" : \"" + floor + "\"", "\"sstables_below_floor\" : 2");
    Path page = directory.resolve("page.html");
    Run html = Run.of("inspect", "--html", page.toString(), database, "--table", "times");
    assertThat(html.code()).as(html.err()).isZero();
    assertThat(Files.readString(page)).contains("Retention floor", floor);
    assertThat(Run.of("tablestats", database).out()).containsOnlyOnce("Retention floor: " + floor);
    assertThat(Run.of("tablestats", "--json", database).out())
        .containsOnlyOnce("\"retention_floor\" : \"" + floor + "\"");
    assertThat(Run.of("explain", database, "--table", "times").out())
        .contains("below the retention floor");
    assertThat(Run.of("explain-key", database, "--table", "times", "1").out())
        .contains("below the retention floor");
  }

  @Test
  void aTimeStandsForTheLeastUuidOfIt() {
    Run raised = retention("uuids", "--raise", "2026-03-01T10:00:00Z");
    assertThat(raised.code()).as(raised.err()).isZero();
    String uuid = raised.out().replaceAll("(?s).*floor ([0-9a-f-]{36}),.*", "$1");
    Run again = retention("uuids", "--raise", uuid);
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.err()).isEqualTo("the floor was as great or greater already\n");
  }

  @Test
  void whatIsNoTimeOfTheTableIsRefused() throws IOException {
    for (String wrong : new String[] {"yesterday", ""}) {
      Run run = retention("times", "--raise", wrong);
      assertThat(run.code()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).startsWith("siltstone: --raise = " + wrong + ": column 'at'");
    }
    Run uuid = retention("uuids", "--raise", "2026-03-01T25:00:00Z");
    assertThat(uuid.code()).isEqualTo(ExitCode.USAGE);
    assertThat(uuid.err()).contains("is neither a UUID nor a time such as 2026-03-01T12:00:00Z");
    Run plain = retention("plain", "--raise", "5");
    assertThat(plain.code()).isEqualTo(ExitCode.USAGE);
    assertThat(plain.err()).contains("w.plain has no time column");
    Path table;
    try (Stream<Path> all = Files.list(directory.resolve("db/data/w"))) {
      table = all.filter(each -> each.toString().contains("times-")).findAny().orElseThrow();
    }
    Path alone = directory.resolve("alone");
    Files.move(table, alone);
    Run run = Run.of("retention", alone.toString(), "--raise", "2026-03-01T10:00:00Z");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("is not a database");
    assertThat(Run.of("retention", alone.toString()).out()).endsWith("no retention floor\n");
  }

  private Path dataFileOf(String table) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(database))) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("-Data.db"))
          .filter(file -> file.getParent().getFileName().toString().startsWith(table + "-"))
          .findFirst()
          .orElseThrow();
    }
  }
}
