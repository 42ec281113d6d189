package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainKeyCommandTest {
  private static final String READINGS =
      "CREATE TABLE w.readings (station text, day int, hour int, owner text static,"
          + " celsius double, tags map<text, text>, PRIMARY KEY (station, day, hour))"
          + " WITH gc_grace_seconds = 3600";
  private static final long START = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();

  @TempDir private Path temporary;
  private Path database;
  private final AtomicLong now = new AtomicLong(START);

  private Database open() throws IOException {
    return Database.open(
        database,
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .clock(() -> Instant.ofEpochSecond(now.get()))
            .build());
  }

  @BeforeEach
  void aHistory() throws IOException {
    database = temporary.resolve("db");
    try (Database db = open()) {
      Table table = db.createTable(READINGS);
      table.write(table.mutation("Cologne").set("owner", "DWD").build());
      for (int hour = 0; hour < 3; hour++) {
        table.write(
            table
                .mutation("Cologne")
                .insert(1, hour)
                .set("celsius", hour + 0.5)
                .set("tags", Map.of("a", "x", "b", "y"))
                .build());
      }
      table.flush();
      now.addAndGet(10);
      table.write(table.mutation("Cologne").update(1, 0).set("celsius", 9.0).build());
      table.write(table.mutation("Cologne").deleteRow(1, 1).build());
      table.write(table.mutation("Cologne").ttl(60).insert(2, 0).set("celsius", 1.0).build());
      table.flush();
      now.addAndGet(10);
      table.write(table.mutation("Cologne").deleteRange(ClusteringRange.of(1).from(2)).build());
      table.flush();
    }
  }

  private Path table() throws IOException {
    try (Stream<Path> tables = Files.list(database.resolve("data/w"))) {
      return tables.findFirst().orElseThrow();
    }
  }

  private Run explain(long seconds, String... more) {
    String[] arguments =
        Stream.concat(
                Stream.of(
                    "explain-key", database.toString(), "--now", Long.toString(START + seconds)),
                Stream.of(more))
            .toArray(String[]::new);
    return Run.of(arguments);
  }

  @Test
  void saysWhatBecameOfEachThing() {
    Run run = explain(30, "Cologne");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("w.readings, key Cologne, token ")
        .contains("oa-1-big  2026-01-01T00:00:00Z  owner = 'DWD'\n    live\n")
        .contains("celsius = 9.0\n    live\n")
        .contains("celsius = 0.5\n    shadowed by a newer cell in oa-2")
        .contains("purged when compacted together with oa-2")
        .contains("celsius = 1.5\n    shadowed by the deletion of the row in oa-2")
        .contains("tags['a'] = 'x'\n    shadowed by the deletion of a range in oa-3")
        .contains("celsius = 1.0 for 60 s\n    live, expires at 2026-01-01T00:01:10Z")
        .contains("deletion of the rows from (1, 2) to (1)")
        .contains("not purgeable before 2026-01-01T01:00:11Z, the end of gc_grace_seconds")
        .contains("reads return 2 of 4 rows");
  }

  @Test
  void saysWhatWasOverLater() {
    Run run = explain(10_000, "Cologne");
    assertThat(run.out())
        .contains("expired since 2026-01-01T00:01:10Z; purgeable")
        .contains(
            "tombstone, written at 2026-01-01T00:00:10Z; purgeable, if compacted together"
                + " with oa-1")
        .contains("reads return 1 of 4 rows");
  }

  @Test
  void narrowsToRowsAndToALimit() {
    Run row = explain(30, "Cologne", "--clustering", "1", "--clustering", "1");
    assertThat(row.out()).contains("row (1, 1)").doesNotContain("row (1, 0)");
    Run limited = explain(30, "Cologne", "--limit", "2");
    assertThat(limited.out()).contains("so far (--limit 2): 2 findings");
  }

  @Test
  void aRangeShowsWithinTheRowsThatWereAskedFor() {
    assertThat(explain(30, "Cologne", "--clustering", "1", "--clustering", "2").out())
        .contains("deletion of the rows from (1, 2) to (1, 2), within what was asked for\n");
    assertThat(explain(30, "Cologne").out())
        .contains("deletion of the rows from (1, 2) to (1)\n")
        .doesNotContain("asked for");
  }

  @Test
  void readsWhatIsInMemoryBesideTheProcessThatWrites() throws IOException {
    try (Database db = open()) {
      Table table = db.table("w", "readings");
      table.write(table.mutation("Cologne").update(1, 0).set("celsius", 11.0).build());
      db.sync();
      Run run = explain(30, "Cologne");
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .contains("celsius = 11.0\n    live; in memory")
          .contains("celsius = 9.0\n    shadowed by a newer cell in memtable")
          .contains("not purgeable: memtable is not compacted with it");
    }
  }

  @Test
  void printsJson() {
    Run run = explain(30, "Cologne", "--json");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("\"gc_grace_seconds\" : 3600")
        .contains("\"verdict\" : \"shadowed\"")
        .contains("\"item\" : \"range_deletion\"")
        .contains("\"live_rows\" : 2")
        .endsWith("}\n");
  }

  @Test
  void tracesARead() {
    Run run = explain(30, "Cologne", "--trace", "--clustering", "2");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("a read of it: 1 row in ")
        .contains("  memtable: does not have the key")
        .contains("  oa-2-big: has the key, found after ")
        .contains("    key cache miss; index: 1 read, ")
        .contains("    chunk 0 at 0: ");
    Run nothing = explain(30, "Bonn", "--trace");
    assertThat(nothing.out()).contains("skipped: the key is not between its first and last");
    Run json = explain(30, "Cologne", "--trace", "--json");
    assertThat(json.out())
        .contains("\"outcome\" : \"read\"")
        .contains("\"key_cache_hit\" : false")
        .contains("\"bytes_from_disk\" : ");
  }

  @Test
  void readsADirectoryThatCassandraWrote() throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("cassandra"));
    var unused = Fixture.TYPES_COMPACTED.copyTo(copy);
    Run run = Run.of("explain-key", copy.toString(), "7:ops", "--now", "1700000000");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("  nb-3-big  ");
  }

  @Test
  void takesTheSchemaOfADirectoryThatHasNone() throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("cassandra"));
    var unused = Fixture.TYPES_COMPACTED.copyTo(copy);
    String[] arguments = {"explain-key", copy.toString(), "7:ops", "--now", "1700000000"};
    String expected = Run.of(arguments).out();
    Path schema = Files.move(copy.resolve("schema.cql"), temporary.resolve("elsewhere.cql"));
    Run without = Run.of(arguments);
    assertThat(without.code()).isEqualTo(ExitCode.USAGE);
    assertThat(without.err()).contains("has no schema.cql: pass the table's CREATE TABLE");
    String[] more = Arrays.copyOf(arguments, arguments.length + 2);
    more[arguments.length] = "--schema";
    more[arguments.length + 1] = schema.toString();
    Run with = Run.of(more);
    assertThat(with.err()).isEmpty();
    assertThat(with.out()).isEqualTo(expected).contains("  nb-3-big  ");
    more[1] = database.toString();
    assertThat(Run.of(more).err()).contains("is a database, which has the schemas of its tables");
    Files.writeString(schema, "CREATE TABLE t (k int PRIMARY KEY");
    more[1] = copy.toString();
    assertThat(Run.of(more).code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void saysThatAReadShowsAStaticRowThatHasNoOthers() throws IOException {
    try (Database db = open()) {
      Table table = db.table("w", "readings");
      table.write(table.mutation("Essen").set("owner", "DWD").build());
      table.flush();
    }
    assertThat(explain(30, "Essen").out())
        .endsWith("; reads return 0 of 0 rows, and the static row by itself\n");
    assertThat(explain(30, "Essen", "--clustering", "1").out())
        .endsWith("; reads return 0 of 0 rows\n");
    assertThat(explain(30, "Cologne").out()).doesNotContain("by itself");
  }

  @Test
  void saysThatThereIsNoSuchKey() {
    Run run = explain(30, "Bonn");
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("no memtable and no SSTable has the key");
  }

  @Test
  void refusesWhatCannotBe() throws IOException {
    Run noColumn = explain(30, "Cologne", "--clustering", "x");
    assertThat(noColumn.code()).isEqualTo(ExitCode.USAGE);
    assertThat(noColumn.err()).contains("--clustering 'x' of day int");
    assertThat(explain(30, "Cologne", "--limit", "0").err()).contains("allowed 1 or more");
    assertThat(Run.of("explain-key", database.toString(), "a", "--now", "-1").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(Run.of("explain-key", database.toString(), "a", "--now", "noon").err())
        .contains("--now = noon, allowed seconds since 1970");
    assertThat(Run.of("explain-key", database.toString(), "a", "--table", "b").err())
        .contains("has no table 'b', allowed for --table: [w.readings]");
    Run inside = Run.of("explain-key", table().toString(), "Cologne");
    assertThat(inside.code()).isEqualTo(ExitCode.USAGE);
    assertThat(inside.err()).contains("is a table of the database " + database);
    Run nothing = Run.of("explain-key", temporary.resolve("nowhere").toString(), "a");
    assertThat(nothing.code()).isEqualTo(ExitCode.IO);
    Run bare = Run.of("explain-key", Files.createDirectory(temporary.resolve("e")).toString(), "a");
    assertThat(bare.code()).isEqualTo(ExitCode.USAGE);
    assertThat(bare.err()).contains("is not a database and has no schema.cql");
  }

  @Test
  void refusesAKeyThatIsNone() throws IOException {
    try (Database db = open()) {
      db.createTable("CREATE TABLE w.pairs (a int, b text, v int, PRIMARY KEY ((a, b)))");
    }
    Run run = explain(30, "--table", "pairs", "x:y");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("key 'x:y' of a int:b text");
  }

  @Test
  void refusesAKeyThatLacksColumns() throws IOException {
    try (Database db = open()) {
      Table pairs = db.createTable("CREATE TABLE w.pairs (a int, b text, PRIMARY KEY ((a, b)))");
      pairs.write(pairs.mutation(1, "x").insert().build());
    }
    String missing = "no value of column b: the partition key has 2 columns, which are separated";
    for (String key : List.of("1", "1:!")) {
      for (Run run :
          List.of(
              explain(30, "--table", "pairs", key),
              Run.of("export", database.toString(), "--table", "pairs", "--key", key))) {
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(missing);
        assertThat(run.out()).isEmpty();
      }
    }
    assertThat(explain(30, "--table", "pairs", "1:x:!").err()).contains("bounds of keys");
    assertThat(Run.of("export", database.toString(), "--table", "pairs", "--key", "1:x").code())
        .isEqualTo(ExitCode.OK);

    Path data = Fixture.TYPES_COMPACTED.copyTo(Files.createDirectory(temporary.resolve("copy")));
    for (String option : List.of("-k", "-x")) {
      Run dump = Run.of("dump", data.toString(), option, "7");
      assertThat(dump.code()).as(option).isEqualTo(ExitCode.USAGE);
      assertThat(dump.err()).contains("key '7': no value of column 2");
    }
    Run noSchema = Run.of("export", data.toString(), "--key", "7");
    assertThat(noSchema.code()).isEqualTo(ExitCode.USAGE);
    assertThat(noSchema.err()).contains("--key '7': no value of column k2");
  }

  @Test
  void namesWhatCouldNotBeOpened() throws IOException {
    // Without the commit log, which still has the data of the SSTable that cannot be opened.
    Path copy = Files.createDirectory(temporary.resolve("copy"));
    try (Stream<Path> files = Files.list(table())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    Path statistics = copy.resolve("oa-1-big-Statistics.db");
    byte[] bytes = Files.readAllBytes(statistics);
    bytes[bytes.length / 2] ^= 1;
    Files.write(statistics, bytes);
    String late = Long.toString(START + 10_000);
    Run run = Run.of("explain-key", copy.toString(), "--now", late, "Cologne", "Bonn");
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.err()).containsOnlyOnce("oa-1-big-Data.db was skipped");
    assertThat(run.out())
        .contains("; not purgeable: oa-1-big may have older data of the key")
        .doesNotContain("; purgeable")
        .contains(
            "nothing: no memtable has the key, and no SSTable that could be read\nnot searched")
        .contains("not searched because it could not be opened, may have the key: oa-1-big\n");
    Run json = Run.of("explain-key", copy.toString(), "--now", late, "Cologne", "--json");
    assertThat(json.out()).contains("\"unseen\" : [ \"oa-1-big\" ]");
  }

  @Test
  void leavesADamagedFileAside() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(table())) {
      files = all.toList();
    }
    Path data =
        files.stream()
            .filter(file -> file.getFileName().toString().equals("oa-2-big-Data.db"))
            .findFirst()
            .orElseThrow();
    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length / 2] ^= 1;
    Files.write(data, bytes);
    Run run = explain(30, "Cologne", "--trace");
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.err())
        .contains("a read of the key fails")
        .contains("oa-2-big was skipped")
        .contains(data.toString());
    assertThat(run.out()).contains("celsius = 0.5\n    live\n").doesNotContain("oa-2");
  }
}
