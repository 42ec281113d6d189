package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.catalog.TableLock;
import io.siltstone.io.NioDirectory;
import io.siltstone.tools.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompactCommandTest {
  private static final String ROWS =
      "CREATE TABLE ks.rows (k int PRIMARY KEY, v text) WITH gc_grace_seconds = 0";

  @TempDir private Path temporary;
  private Path database;
  private Path copy;

  @BeforeEach
  void threeTables() throws IOException {
    database = temporary.resolve("db");
    try (Database db =
        Database.open(
            database,
            DatabaseOptions.builder()
                .compaction(Compaction.none())
                .clock(() -> Instant.now().minusSeconds(100))
                .build())) {
      Table table = db.createTable(ROWS);
      for (int flush = 0; flush < 3; flush++) {
        for (int key = 0; key < 100; key++) {
          table.write(table.mutation(100 * flush + key).insert().set("v", "v" + key).build());
        }
        if (flush == 2) {
          table.write(table.mutation(0).deletePartition().build());
        }
        table.flush();
      }
    }
    copy = Files.createDirectory(temporary.resolve("copy"));
    try (Stream<Path> files = Files.list(tableOf(database))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
  }

  private static Path tableOf(Path database) throws IOException {
    try (Stream<Path> tables = Files.list(database.resolve("data/ks"))) {
      return tables.findFirst().orElseThrow();
    }
  }

  private static List<String> dataFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("-Data.db"))
          .sorted()
          .toList();
    }
  }

  @Test
  void cellsThatOthersOverwriteAreGarbageOnlyIfAskedFor() throws IOException {
    try (Database db =
        Database.open(database, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = db.table("ks", "rows");
      table.write(table.mutation(7).insert().set("v", "written over").build());
      table.flush();
    }
    assertThat(tablesWithCellOf(7)).isEqualTo(2);
    Run planned = Run.of("garbagecollect", "--dry-run", database.toString());
    assertThat(planned.err()).isEmpty();
    assertThat(planned.out())
        .contains("nothing in it is deleted or has expired; how much of it is deleted by ")
        .contains("; no other SSTable may delete any of it");

    assertThat(Run.of("garbagecollect", database.toString()).code()).isEqualTo(ExitCode.OK);
    assertThat(tablesWithCellOf(7)).isEqualTo(2);

    Run cells = Run.of("garbagecollect", "-g", "cell", database.toString());
    assertThat(cells.err()).isEmpty();
    assertThat(cells.code()).isEqualTo(ExitCode.OK);
    assertThat(tablesWithCellOf(7)).isOne();
    assertThat(Run.of("export", "--table", "rows", database.toString()).out())
        .contains("written over");
  }

  private long tablesWithCellOf(int key) throws IOException {
    Path table = tableOf(database);
    long count = 0;
    for (String name : dataFiles(table)) {
      String rows = Run.of("export", "--format", "csv", table.resolve(name).toString()).out();
      if (rows.lines().anyMatch(row -> row.startsWith("\"" + key + "\",\""))) {
        count++;
      }
    }
    return count;
  }

  @Test
  void aDryRunSaysWhyEachIsTaken() throws IOException {
    assertThat(
            Run.of("upgradesstables", "--sstable-version", "nb", "--dry-run", copy.toString())
                .out())
        .contains("planned: upgrade oa-")
        .contains("-big: its version is oa, written is nb");
  }

  @Test
  void saysWhatItWouldDoAndDoesIt() throws IOException {
    Run explained = Run.of("explain", "--strategies", copy.toString());
    assertThat(explained.err()).isEmpty();
    assertThat(explained.out())
        .contains("ks.rows: 3 SSTables")
        .contains("nothing to do")
        .contains("LeveledCompactionStrategy, default options")
        .contains("because: ");
    Run planned = Run.of("compact", "--dry-run", copy.toString());
    assertThat(planned.code()).isEqualTo(ExitCode.OK);
    assertThat(planned.out()).contains("planned: major ").contains("may be purged");
    assertThat(dataFiles(copy)).hasSize(3);

    Run done = Run.of("compact", copy.toString());
    assertThat(done.err()).isEmpty();
    assertThat(done.code()).isEqualTo(ExitCode.OK);
    assertThat(done.out()).contains("299 partitions, 299 rows").contains("purged");
    assertThat(dataFiles(copy)).hasSize(1);
    assertThat(Run.of("verify", "-e", copy.resolve(dataFiles(copy).get(0)).toString()).out())
        .contains("299 partitions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "compact --dry-run",
        "recompress --dry-run",
        "upgradesstables --dry-run",
        "scrub --dry-run",
        "garbagecollect --dry-run",
        "split --dry-run",
        "explain"
      })
  void whatIsOnlyAskedChangesNoFile(String command) throws IOException {
    Path killed = temporary.resolve("killed");
    try (Database db =
        Database.open(database, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = db.table("ks", "rows");
      table.write(table.mutation(1).insert().set("v", "in the log").build());
      db.sync();
      copyTree(database, killed);
    }
    Files.delete(killed.resolve("lock"));
    Files.writeString(tableOf(killed).resolve("oa-9-big-Data.db.tmp"), "left over");
    Map<String, ByteBuffer> before = contents(killed);

    Run run = Run.of((command + " " + killed).split(" ", -1));

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(contents(killed)).isEqualTo(before);
  }

  @Test
  void whatADatabaseThatIsOpenWouldCompactCanBeAsked() throws IOException {
    try (Database db =
        Database.open(database, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      assertThat(db.tables()).hasSize(1);
      Run run = Run.of("compact", "--dry-run", database.toString());
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .contains("planned: major ")
          .contains("oa-1-big", "oa-2-big", "oa-3-big");
      assertThat(Run.of("compact", database.toString()).code()).isEqualTo(ExitCode.IO);
    }
  }

  /** Copies a database that is open; unneeded segments of its log may be deleted meanwhile. */
  private static void copyTree(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (File each : Objects.requireNonNull(from.toFile().listFiles())) {
      Path copy = to.resolve(each.getName());
      if (each.isDirectory()) {
        copyTree(each.toPath(), copy);
      } else {
        try {
          Files.copy(each.toPath(), copy);
        } catch (NoSuchFileException e) {
          assertThat(each.getName()).startsWith("CommitLog-");
        }
      }
    }
  }

  /** Returns the content of a directory and below it, by name; directories have no content. */
  private static Map<String, ByteBuffer> contents(Path directory) throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.toList()) {
        contents.put(
            directory.relativize(each).toString(),
            ByteBuffer.wrap(Files.isDirectory(each) ? new byte[0] : Files.readAllBytes(each)));
      }
    }
    return contents;
  }

  @Test
  void rewritesEachOnRequest() throws IOException {
    for (String command : List.of("scrub", "garbagecollect", "upgradesstables", "recompress")) {
      Run run = Run.of(command, copy.toString());
      assertThat(run.err()).as(command).isEmpty();
      assertThat(run.code()).as(command).isEqualTo(ExitCode.OK);
      assertThat(dataFiles(copy)).as(command).hasSizeBetween(2, 3);
    }
    Run upgraded = Run.of("upgradesstables", "--sstable-version", "nb", copy.toString());
    assertThat(upgraded.out()).contains(" -> nb-");
    assertThat(dataFiles(copy)).allMatch(name -> name.startsWith("nb-"));
  }

  @Test
  void aTableThatCannotBeOpenedIsNamedAndLeftAlone() throws IOException {
    String data = dataFiles(copy).get(0);
    Path statistics = copy.resolve(data.replace("Data.db", "Statistics.db"));
    // Without Statistics.db, the times of the rows are not known.
    Files.write(statistics, new byte[(int) Files.size(statistics)]);
    Run refused = Run.of("compact", copy.toString());
    assertThat(refused.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(refused.err()).contains(statistics.getFileName().toString());
    Run scrubbed = Run.of("scrub", copy.toString());
    assertThat(scrubbed.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(scrubbed.err()).contains(data + " was skipped");
    assertThat(dataFiles(copy)).hasSize(3).contains(data);
  }

  @Test
  void scrubMakesAnewWhatOnlyTellsOfTheData() throws IOException {
    damage(copy, "Index.db");
    Path table = tableOf(database);
    damage(table, "Filter.db");
    damage(table, "Summary.db");
    for (Path directory : List.of(copy, database)) {
      assertThat(Run.of("compact", "--table", "rows", directory.toString()).code())
          .isEqualTo(ExitCode.DAMAGED);
      Run scrubbed = Run.of("scrub", "--table", "rows", directory.toString());
      assertThat(scrubbed.code()).isEqualTo(ExitCode.OK);
      Run compacted = Run.of("compact", "--table", "rows", "--json", directory.toString());
      assertThat(compacted.err()).isEmpty();
      assertThat(compacted.out()).contains("\"rows\" : 299");
    }
  }

  @Test
  void whatIsScrubbedOfADatabaseIsInItsHistory() throws IOException {
    Run scrubbed = Run.of("scrub", "--table", "rows", database.toString());
    assertThat(scrubbed.code()).isEqualTo(ExitCode.OK);
    Run history = Run.of("compactionhistory", "--table", "rows", database.toString());
    assertThat(history.out()).contains("{compaction_type: scrub, sstables: 1 -> 1, ");
    assertThat(Run.of("scrub", "--dry-run", "--table", "rows", database.toString()).code())
        .isEqualTo(ExitCode.OK);
    assertThat(Run.of("compactionhistory", "--table", "rows", database.toString()).out())
        .isEqualTo(history.out());
  }

  private static void damage(Path table, String component) throws IOException {
    Path file = table.resolve(dataFiles(table).get(0).replace("Data.db", component));
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 0, 4, (byte) 0x33);
    Files.write(file, bytes);
  }

  @Test
  void mergesNamedTablesAlone() throws IOException {
    List<String> files = dataFiles(copy);
    Run run =
        Run.of("compact", "--user-defined", files.get(0) + "," + files.get(1), copy.toString());
    assertThat(run.err()).isEmpty();
    assertThat(dataFiles(copy)).hasSize(2).contains(files.get(2));
    Run unknown = Run.of("compact", "--user-defined", files.get(0), copy.toString());
    assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains(files.get(0) + " is not a live SSTable of ks.rows");
  }

  @Test
  void aRangeOfTokensTakesTheSSTablesThatHaveSomethingInIt() {
    assertThat(Run.of("compact", "--dry-run", "-st", "0", "-et", "0", copy.toString()).out())
        .startsWith("planned: major ");
    assertThat(Run.of("compact", "-st", String.valueOf(Long.MAX_VALUE), copy.toString()).out())
        .isEqualTo(
            """
            3 SSTables have no partition of the requested range
            nothing to do for ks.rows
            """);
  }

  /** Tokens as {@code metadata} prints them. */
  @ParameterizedTest
  @CsvSource({
    "00000000, 00000003, planned: major oa-1-big",
    "00000003, , 'planned: major oa-1-big, oa-2-big'",
    "0x00000004, , planned: major oa-2-big",
    ", 00000003, planned: major oa-1-big",
    "00000009, 00000009, planned: major oa-2-big",
    "0000000901, , 2 SSTables have no partition",
    "00000004, 00000005, 2 SSTables have no partition",
    "05, , 2 SSTables have no partition",
    "00000005, 00000004, --start-token 00000005 is after --end-token 00000004",
    "5, , '--start-token ''5'' is not a token of this table, allowed a key in hexadecimal'",
  })
  void keysThatAreOrderedAreTokensThemselves(
      @Nullable String start, @Nullable String end, String said) throws IOException {
    Path ordered = temporary.resolve("ordered");
    for (int first : new int[] {0, 6}) {
      Path rows = temporary.resolve("rows.jsonl");
      StringBuilder text = new StringBuilder();
      for (int key = first; key < first + 4; key++) {
        text.append("{\"k\": ").append(key).append("}\n");
      }
      Files.writeString(rows, text);
      Run load =
          Run.of(
              "load",
              "--schema=" + copy.resolve("schema.cql"),
              "--input=" + rows,
              "--partitioner=byte-ordered",
              "--output=" + ordered);
      assertThat(load.code()).as(load.err()).isZero();
    }
    List<String> args = new ArrayList<>(List.of("compact", "--dry-run", ordered.toString()));
    if (start != null) {
      args.add("--start-token=" + start);
    }
    if (end != null) {
      args.add("--end-token=" + end);
    }
    Run run = Run.of(args.toArray(new String[0]));
    assertThat(run.out() + run.err()).contains(said);
    assertThat(run.out().contains("oa-1-big, oa-2-big, ")).isEqualTo(said.contains("oa-1-big, "));
  }

  @Test
  void aDirectoryWithoutSSTablesIsNotTakenForOneInOrder() throws IOException {
    Path above = Files.createDirectory(temporary.resolve("above"));
    Files.copy(copy.resolve("schema.cql"), above.resolve("schema.cql"));
    Run run = Run.of("compact", above.toString());
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .isEqualTo("nothing to do for ks.rows, there are no SSTables in " + above + "\n");
  }

  @Test
  void whoUpgradesIsToldOfTheNewestVersion() throws IOException {
    Path old = Files.createDirectory(temporary.resolve("old"));
    var unused = Fixture.MANY.copyTo(old);
    String hint = "--sstable-version oa upgrades to oa";
    assertThat(Run.of("upgradesstables", old.toString()).out()).contains("nothing to do", hint);
    assertThat(Run.of("upgradesstables", "--sstable-version=nb", old.toString()).out())
        .contains("nothing to do")
        .doesNotContain(hint);
    assertThat(Run.of("upgradesstables", "--sstable-version=oa", old.toString()).out())
        .contains("upgrade nb-1-big")
        .doesNotContain(hint);
    assertThat(Run.of("upgradesstables", old.toString()).out())
        .contains("nothing to do")
        .doesNotContain(hint);
  }

  @Test
  void aPathNamesAnSSTableInItsDirectoryAlone() throws IOException {
    String name = dataFiles(copy).get(0);
    Path ofTable = tableOf(database);
    for (Path wrong : List.of(ofTable.resolve(name), temporary.resolve("none").resolve(name))) {
      Run run = Run.of("compact", "--user-defined", wrong.toString(), copy.toString());
      assertThat(run.code()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err())
          .isEqualTo(
              "siltstone: --user-defined "
                  + wrong
                  + " is not in the table's directory "
                  + copy
                  + "\n");
    }
    assertThat(dataFiles(copy)).hasSize(3);
    String both = copy.resolve(name) + "," + dataFiles(copy).get(1);
    assertThat(Run.of("compact", "--user-defined", both, copy.toString()).err()).isEmpty();
    assertThat(dataFiles(copy)).hasSize(2);
    Path within = ofTable.resolve(name);
    assertThat(Run.of("compact", "--user-defined", within.toString(), database.toString()).code())
        .isEqualTo(ExitCode.OK);
    assertThat(Run.of("compact", "--user-defined", copy + "/" + name, database.toString()).err())
        .contains("is not in the table's directory " + ofTable);
  }

  @Test
  void compactsATableOfADatabaseInTheDatabase() throws IOException {
    Run wrong = Run.of("compact", tableOf(database).toString());
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("is a table of the database " + database);
    Run run = Run.of("compact", "--table", "rows", database.toString(), "--json");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("\"rows\" : 299").contains("\"tombstones_purged\" : 1");
    assertThat(dataFiles(tableOf(database))).hasSize(1);
    Run unknown = Run.of("compact", "--table", "others", database.toString());
    assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("has no table 'others'").contains("ks.rows");
  }

  @Test
  void oneCommandAtATimeChangesADirectory() throws IOException {
    try (TableLock lock = TableLock.take(NioDirectory.openExisting(copy))) {
      assertThat(lock).isNotNull();
      for (String command : List.of("compact", "scrub", "upgradesstables")) {
        Run refused = Run.of(command, copy.toString());
        assertThat(refused.code()).as(command).isEqualTo(ExitCode.IO);
        assertThat(refused.err()).contains(copy + " cannot be locked").hasLineCount(1);
      }
      assertThat(Run.of("compact", "--dry-run", copy.toString()).code()).isEqualTo(ExitCode.OK);
      assertThat(dataFiles(copy)).hasSize(3);
    }
    assertThat(Run.of("compact", copy.toString()).code()).isEqualTo(ExitCode.OK);
    try (Stream<Path> files = Files.list(copy)) {
      assertThat(files).noneMatch(file -> file.toString().endsWith("lock"));
    }
  }

  @Test
  void aMissingDataFileIsDamage() throws IOException {
    String data = dataFiles(copy).get(0);
    Files.delete(copy.resolve(data));
    for (String command : List.of("compact", "scrub", "tablestats", "explain")) {
      Run run = Run.of(command, copy.toString());
      assertThat(run.code()).as(command).isEqualTo(ExitCode.DAMAGED);
      assertThat(run.err()).as(command).contains(data, "the file is missing");
    }
  }

  @Test
  void saysWhatIsMissingOrWrong() throws IOException {
    Files.move(copy.resolve("schema.cql"), temporary.resolve("elsewhere.cql"));
    Run run = Run.of("compact", copy.toString());
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("has no schema.cql").contains("with --schema");
    Run given =
        Run.of(
            "compact", "--schema", temporary.resolve("elsewhere.cql").toString(), copy.toString());
    assertThat(given.err()).isEmpty();
    assertThat(dataFiles(copy)).hasSize(1);
    assertThat(Run.of("compact", temporary.resolve("nothing").toString()).code())
        .isEqualTo(ExitCode.IO);
    Files.move(temporary.resolve("elsewhere.cql"), copy.resolve("schema.cql"));
    assertThat(Run.of("split", "--size", "0", copy.toString()).code()).isEqualTo(ExitCode.USAGE);
    assertThat(Run.of("compact", "--sstable-version", "na", copy.toString()).err())
        .contains("--sstable-version na, allowed nb, oa, da, pa, ea");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--compactors=0 | --compactors = 0, allowed 1 to 64",
        "--read-ahead=-1 | --read-ahead = -1, allowed 0 to 16384 KiB",
        "--read-ahead=16385 | --read-ahead = 16385, allowed 0 to 16384 KiB",
        "--compaction-throughput=-1 | --compaction-throughput = -1, allowed a size such as",
        "--compaction-throughput=NaN | --compaction-throughput = NaN, allowed a size such as",
        "--compaction-throughput=64 | --compaction-throughput = 64, allowed 0 (no limit) or",
      })
  void optionsThatAreWrongAreNamed(String option, String message) throws IOException {
    Run run = Run.of("compact", option, copy.toString());
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("siltstone: " + message).hasLineCount(1);
    assertThat(dataFiles(copy)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "scrub", "split", "explain"})
  void anotherTableIsNotTakenForThisOne(String command) throws IOException {
    Run named = Run.of(command, "--table", "nosuch", copy.toString());
    assertThat(named.code()).isEqualTo(ExitCode.USAGE);
    assertThat(named.err())
        .isEqualTo(
            "siltstone: " + copy + " has no table 'nosuch', allowed for --table: [ks.rows]\n");
    Path schema =
        Files.writeString(
            temporary.resolve("other.cql"), "CREATE TABLE ks.other (k int PRIMARY KEY, v text);");
    Run given = Run.of(command, "--schema", schema.toString(), copy.toString());
    assertThat(given.code()).isEqualTo(ExitCode.USAGE);
    assertThat(given.err())
        .contains("--schema " + schema + " is of ks.other, and " + copy, "of ks.rows");
    Run ofDatabase = Run.of(command, "--schema", schema.toString(), database.toString());
    assertThat(ofDatabase.code()).isEqualTo(ExitCode.USAGE);
    assertThat(ofDatabase.err()).contains("omit --schema");
    assertThat(dataFiles(copy)).hasSize(3);
    assertThat(dataFiles(tableOf(database))).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "scrub", "explain", "tablestats", "inspect", "advise"})
  void aSchemaThatIsNoneIsWrongInput(String command) throws IOException {
    for (String text : List.of("", "CREATE TABEL")) {
      Files.writeString(copy.resolve("schema.cql"), text);
      Run run = Run.of(command, copy.toString());
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).startsWith("siltstone: " + copy + "/schema.cql: ").hasLineCount(1);
    }
  }

  @Test
  void whatFailsIsToldInALineWithItsReason() throws IOException {
    Path inTheWay = Files.createDirectory(copy.resolve("oa-4-big-Data.db.tmp"));
    String line =
        "siltstone: major oa-1-big, oa-2-big, oa-3-big failed: file exists: " + inTheWay + "\n";
    Run run = compactAlone();
    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo(line);
    Run verbose = Run.of("compact", "--verbose", "--json", copy.toString());
    assertThat(verbose.code()).isEqualTo(ExitCode.IO);
    assertThat(verbose.out()).contains("\"cause\" : \"file exists: " + inTheWay + "\"");
    assertThat(verbose.err()).startsWith(line).contains("\tat io.siltstone.");
    assertThat(dataFiles(copy)).hasSize(3);
  }

  @Test
  void whatIsDamagedIsToldInALine() throws IOException {
    Path data = copy.resolve(dataFiles(copy).get(0));
    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length / 2] ^= 1;
    Files.write(data, bytes);
    Run run = compactAlone();
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.err())
        .startsWith("siltstone: major oa-1-big, oa-2-big, oa-3-big failed: corrupt SSTable: ")
        .contains(data.toString())
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "upgradesstables", "scrub", "garbagecollect"})
  void aTimeThatTheVersionCannotHoldIsNoDamage(String command) throws IOException {
    Path schema = copy.resolve("schema.cql");
    Path rows = temporary.resolve("rows.jsonl");
    Files.writeString(rows, "{\"k\": 1, \"v\": \"x\"}\n");
    Path late = temporary.resolve("late");
    for (int i = 0; i < 2; i++) {
      assertThat(
              Run.of(
                      "load",
                      "--schema",
                      schema.toString(),
                      "--input",
                      rows.toString(),
                      "--ttl",
                      "630720000",
                      "--output",
                      late.toString())
                  .code())
          .isZero();
    }
    List<String> before = dataFiles(late);
    Run run = Run.of(command, "--sstable-version", "nb", late.toString());
    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err())
        .contains("have data that cannot be written: local deletion time ")
        .doesNotContain("corrupt", "internal");
    assertThat(dataFiles(late)).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "compact, fa-7-bti-Data.db",
    "upgradesstables, mc-7-big-Data.db",
    "export, fa-7-bti-Data.db"
  })
  void whatIsNotSupportedIsRefusedByNameAndPlace(String command, String name) throws IOException {
    Files.createFile(copy.resolve(name));
    Run run = Run.of(command, copy.toString());
    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err())
        .startsWith("siltstone: " + copy + ": ")
        .contains("'" + name.substring(0, 2) + "'", "not supported")
        .hasLineCount(1);
  }

  @Test
  void whatWasSplitIsNotSplitAgain() throws IOException {
    Path rows = temporary.resolve("many.jsonl");
    StringBuilder text = new StringBuilder();
    Random random = new Random(1);
    for (int i = 0; i < 40_000; i++) {
      text.append("{\"k\": ").append(i).append(", \"v\": \"");
      text.append(Long.toHexString(random.nextLong())).append(random.nextLong()).append("\"}\n");
    }
    Files.writeString(rows, text);
    Path many = temporary.resolve("many");
    Run load =
        Run.of(
            "load",
            "--schema",
            copy.resolve("schema.cql").toString(),
            "--input",
            rows.toString(),
            "--compression",
            "none",
            "--output",
            many.toString());
    assertThat(load.code()).as(load.err()).isZero();
    assertThat(Run.of("split", "--size", "1", many.toString()).code()).isZero();
    List<String> parts = dataFiles(many);
    assertThat(parts).hasSizeGreaterThan(1);
    for (String part : parts) {
      assertThat(Files.size(many.resolve(part))).isLessThanOrEqualTo(1 << 20);
    }
    assertThat(Run.of("split", "--size", "1", many.toString()).code()).isZero();
    assertThat(dataFiles(many)).isEqualTo(parts);
  }

  /**
   * Runs a compaction in its own process, because libraries log to the standard error of the
   * process.
   */
  private Run compactAlone() {
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      return Run.of("compact", copy.toString());
    } finally {
      System.setErr(before);
      assertThat(logged.toString(StandardCharsets.UTF_8)).isEmpty();
    }
  }
}
