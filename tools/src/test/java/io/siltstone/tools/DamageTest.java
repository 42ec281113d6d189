package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.tools.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands report each damage of a database or a table once. */
final class DamageTest {
  private static final String SCHEMA = "CREATE TABLE ks.rows (k int PRIMARY KEY, v text)";

  @TempDir private Path temporary;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private PrintStream before;
  private Path database;
  private Path table;

  @BeforeEach
  void twoTables() throws IOException {
    database = temporary.resolve("db");
    try (Database db =
        Database.open(database, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table rows = db.createTable(SCHEMA);
      for (int key = 0; key < 2; key++) {
        rows.write(rows.mutation(key).insert().set("v", "v").build());
        rows.flush();
      }
    }
    try (Stream<Path> tables = Files.list(database.resolve("data/ks"))) {
      table = tables.findFirst().orElseThrow();
    }
    before = System.err;
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setErr(before);
  }

  /**
   * Returns lines of results, errors and the log that name the file, or the SSTable that it is part
   * of.
   */
  private List<String> said(Run run, String file) {
    return Stream.of(run.out(), run.err(), logged.toString(StandardCharsets.UTF_8))
        .flatMap(String::lines)
        .filter(line -> line.contains(file))
        .toList();
  }

  private void requireToldOnce(Run run, String file) {
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(said(run, file)).hasSize(1);
    assertThat(run.err().lines()).allMatch(line -> line.startsWith("siltstone: "));
    assertThat(logged.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private static void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.delete(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
  }

  private Run run(String command, Path place) {
    return Run.of(command.replace("DIR", place.toString()).split(" "));
  }

  /** Returns a copy of the table's directory outside of a database. */
  private Path copy() throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("copy"));
    try (Stream<Path> files = Files.list(table)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
    return copy;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tablestats DIR",
        "tablestats --json DIR",
        "tablehistograms DIR",
        "compactionstats DIR",
        "compactionhistory DIR",
        "top --count 2 --interval 0.1 --plain DIR",
        "info DIR",
        "inspect DIR",
        "inspect --json DIR",
        "advise DIR",
        "explain-key DIR 1",
        "scrub --dry-run DIR",
        "compact DIR",
        "compact --dry-run DIR",
        "garbagecollect DIR",
        "recompress DIR",
        "upgradesstables DIR",
        "relevel DIR",
        "explain DIR",
        "export DIR"
      })
  void anSSTableOfADatabase(String command) throws IOException {
    damage(table.resolve("oa-1-big-Statistics.db"));

    Run run = run(command, database);

    requireToldOnce(run, "Statistics.db");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tablestats DIR",
        "tablehistograms DIR",
        "compactionstats DIR",
        "top --count 2 --interval 0.1 --plain DIR",
        "info DIR",
        "inspect DIR",
        "advise DIR",
        "explain-key DIR 1",
        "scrub --dry-run DIR",
        "compact DIR",
        "split --size 1 DIR",
        "explain DIR",
        "export DIR"
      })
  void anSSTableByItself(String command) throws IOException {
    Path copy = copy();
    damage(copy.resolve("oa-1-big-Statistics.db"));

    Run run = run(command, copy);

    requireToldOnce(run, "Statistics.db");
  }

  @Test
  void aVerificationTellsTheDamageAndWhatMendsIt() throws IOException {
    damage(table.resolve("oa-1-big-Statistics.db"));

    Run run = run("verify DIR", database);

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out().lines()).filteredOn(line -> line.contains("Statistics.db")).hasSize(1);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .contains("siltstone rebuild", "makes Statistics.db anew");
  }

  @Test
  void aScrubRebuildsWhatTheOtherComponentsTell() throws IOException {
    Path copy = copy();
    damage(copy.resolve("oa-1-big-Statistics.db"));

    Run run = run("scrub DIR", copy);

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(said(run, "Statistics.db was rebuilt")).hasSize(1);
    assertThat(run("verify --extended DIR", copy).code()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tablestats DIR", "tablehistograms DIR", "compactionstats DIR", "info DIR"})
  void anSSTableWithoutASchema(String command) throws IOException {
    Path copy = copy();
    Files.delete(copy.resolve("schema.cql"));
    damage(copy.resolve("oa-1-big-Statistics.db"));

    Run run = run(command, copy);

    requireToldOnce(run, "Statistics.db");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tablestats DIR",
        "tablehistograms DIR",
        "compactionstats DIR",
        "compactionhistory DIR",
        "info DIR",
        "inspect DIR",
        "advise DIR",
        "explain-key DIR 1",
        "scrub DIR",
        "scrub --dry-run DIR",
        "compact DIR",
        "explain DIR",
        "export DIR"
      })
  void whatTheDirectoryTellsOfTheLog(String command) throws IOException {
    Files.writeString(table.resolve("flushed_positions"), "damaged");

    Run run = run(command, database);

    requireToldOnce(run, "flushed_positions");
  }

  /** The digest is damaged as well, so that nothing proves the data. */
  @ParameterizedTest
  @ValueSource(strings = {"scrub DIR", "scrub --dry-run DIR"})
  void aScrubTellsOnceOfChecksumsThatCannotBeUsed(String command) throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("plain"));
    var unused = Fixture.KEYSONLY_UNCOMPRESSED.copyTo(copy);
    damage(copy.resolve("nb-1-big-CRC.db"));
    Files.writeString(copy.resolve("nb-1-big-Digest.crc32"), "1");

    Run run = run(command, copy);

    assertThat(said(run, "CRC.db"))
        .singleElement()
        .asString()
        .contains("nb-1-big-Data.db can only be scanned without checksums: ");
    boolean isDry = command.contains("--dry-run");
    assertThat(run.code()).isEqualTo(isDry ? ExitCode.OK : ExitCode.DAMAGED);
    assertThat(said(run, "was read without checksums: undetected damage is possible"))
        .hasSize(isDry ? 0 : 1);
  }

  @Test
  void aScrubRebuildsChecksumsOfDataThatTheDigestProves() throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("plain"));
    var unused = Fixture.KEYSONLY_UNCOMPRESSED.copyTo(copy);
    damage(copy.resolve("nb-1-big-CRC.db"));

    Run run = run("scrub DIR", copy);

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(said(run, "CRC.db"))
        .singleElement()
        .asString()
        .contains("nb-1-big-CRC.db was rebuilt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Index.db", "Filter.db", "Summary.db"})
  void aScrubTellsOnceOfWhatItDoesWithout(String component) throws IOException {
    Path copy = copy();
    damage(copy.resolve("oa-1-big-" + component));

    Run run = run("scrub DIR", copy);

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(said(run, component))
        .singleElement()
        .asString()
        .contains("oa-1-big-Data.db can only be scanned: ");
  }

  /** Skipped SSTables are reported although the command fails for another reason. */
  @Test
  void whatIsLeftAsideWhereTheTableIsNot() throws IOException {
    damage(table.resolve("oa-1-big-Statistics.db"));

    Run run = Run.of("inspect", "--table", "other", database.toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(said(run, "Statistics.db")).hasSize(1);
    assertThat(run.err()).contains("other").hasLineCount(2);
  }

  @Test
  void aTableOfNoDatabaseHasNoHistoryAndIsNotOpened() throws IOException {
    Path copy = copy();
    damage(copy.resolve("oa-1-big-Statistics.db"));

    Run run = Run.of("compactionhistory", copy.toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .isEqualTo(
            "siltstone: "
                + copy
                + " is not a database, only databases have a compaction history\n");
    assertThat(logged.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
