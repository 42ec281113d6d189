package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainDictionaryCommandTest {
  private static final String DICTIONARY = "ZstdDictionaryCompressor";
  private static final String KEPT = "compression_dictionary";

  @TempDir private Path temporary;

  /** Loads a table, and returns its directory. */
  private Path table(String compressor, String version, int rows) throws IOException {
    Path schema = temporary.resolve("t.cql");
    Files.writeString(
        schema,
        "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compression = {'class': '"
            + compressor
            + "', 'chunk_length_in_kb': '4'};");
    Path input = temporary.resolve("t.jsonl");
    Files.write(
        input, IntStream.range(0, rows).mapToObj(TrainDictionaryCommandTest::json).toList());
    Path table = temporary.resolve("table");
    assertRuns(
        "load",
        "--schema=" + schema,
        "--input=" + input,
        "--output=" + table,
        "--sstable-version=" + version);
    return table;
  }

  private static String json(int key) {
    return "{\"k\": " + key + ", \"v\": \"" + value(key) + "\"}";
  }

  /** Returns a text that has the same names as all others, and values of its own. */
  private static String value(int key) {
    Random random = new Random(key);
    StringBuilder text = new StringBuilder();
    for (int field = 0; field < 60; field++) {
      text.append(Integer.toString(field * 7_919 + 40_000, 36)).append("=");
      text.append(random.nextInt(1_000)).append(";");
    }
    return text.toString();
  }

  private static Run assertRuns(Object... args) {
    Run run = run(args);
    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
    return run;
  }

  private static Run run(Object... args) {
    return Run.of(Stream.of(args).map(Object::toString).toArray(String[]::new));
  }

  private static long dataBytes(Path table) throws IOException {
    return Files.size(dataFile(table));
  }

  private static Path dataFile(Path table) throws IOException {
    try (Stream<Path> files = Files.list(table)) {
      return files.filter(each -> each.toString().endsWith("-Data.db")).findFirst().orElseThrow();
    }
  }

  @Test
  void theGainIsPrintedAndRecompressionHasTheDictionary() throws IOException {
    Path table = table(DICTIONARY, "pa", 1_000);
    long before = dataBytes(table);
    String exported = assertRuns("export", table).out();

    Run trained = assertRuns("train-dictionary", "--max-dict-size", "4KiB", "--level=1", table);

    assertThat(trained.out())
        .matches(
            "(?s)compression dictionary \\d+ of \\d+ bytes, trained from \\d+ chunks: \\d+ bytes of"
                + " data take about \\d+, a ratio of 0\\.\\d+, and \\d+, a ratio of 0\\.\\d+, with"
                + " no dictionary; it is used for SSTables that are written from now on\n");
    assertThat(trained.err()).contains("schema.cql now says: compression = {");
    assertThat(Files.readString(table.resolve("schema.cql")))
        .contains("'training_max_dictionary_size': '4KiB'", "'compression_level': '1'");
    String dictionary = trained.out().replaceAll("(?s), trained.*", "");
    assertThat(assertRuns("info", table).out())
        .contains(table.resolve(KEPT) + ": " + dictionary + ", last training ");
    assertThat(dataBytes(table)).isEqualTo(before);
    assertThat(assertRuns("recompress", "--dry-run", table).out())
        .contains("planned: recompress", "with " + dictionary);

    assertRuns("recompress", table);

    assertThat(dataBytes(table)).isLessThan(before * 19 / 20);
    assertThat(assertRuns("recompress", table).out()).contains("nothing to do");
    assertThat(assertRuns("export", table).out()).isEqualTo(exported);
    assertThat(assertRuns("verify", "--extended", table).out())
        .contains(": ok, 1000 partitions", table.resolve(KEPT) + ": ok, " + dictionary);
    String id = dictionary.replaceAll("\\D+(\\d+) .*", "$1");
    assertThat(assertRuns("metadata", dataFile(table)).out())
        .contains("Compression dictionary: " + id + " of ");
    assertThat(assertRuns("metadata", "--json", dataFile(table)).out())
        .contains("\"compression_dictionary_id\" : " + id);
    assertThat(assertRuns("info", "--json", table).out())
        .contains("\"compression_dictionary_id\" : " + id, "\"id\" : " + id);
    assertThat(assertRuns("verify", "--json", table).out()).contains("\"state\" : \"ok\"", KEPT);
    assertThat(assertRuns("dump", "-k", "7", dataFile(table)).out()).contains(value(7));

    Run again = assertRuns("train-dictionary", "--json", table);
    assertThat(again.out()).contains("it is not used, since that saves less than 5 %");
    Run early = run("train-dictionary", "--min-frequency=2h", table);
    assertThat(early.err())
        .contains("ks.t: the last training was less than training_min_frequency ago, 120m;");
    assertThat(early.code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aDryRunTrainsNothing() throws IOException {
    Path table = table(DICTIONARY, "pa", 1_000);
    assertThat(assertRuns("train-dictionary", "--dry-run", table).out())
        .isEqualTo("a compression dictionary would be trained\n");
    assertThat(table.resolve(KEPT)).doesNotExist();
  }

  @Test
  void aDatabaseIsTrainedForTheVersionThatIsWritten() throws IOException {
    Path database = temporary.resolve("db");
    DatabaseOptions options = DatabaseOptions.builder().formatVersion(FormatVersion.PA).build();
    try (Database made = Database.open(database, options)) {
      Table rows =
          made.createTable(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compression = {'class': '"
                  + DICTIONARY
                  + "', 'chunk_length_in_kb': 4, 'training_max_dictionary_size': '4KiB'}");
      for (int key = 0; key < 1_000; key++) {
        rows.write(rows.mutation(key).insert().set("v", value(key)).build());
      }
      rows.flush();
    }
    Run oa = run("train-dictionary", "--table=ks.t", database);
    assertThat(oa.err())
        .contains("ks.t: SSTables of version oa cannot have a compression dictionary");
    assertThat(
            assertRuns("train-dictionary", "--sstable-version=pa", "--table=ks.t", database).out())
        .contains("it is used for SSTables");
    assertThat(assertRuns("recompress", "--dry-run", "--sstable-version=pa", database).out())
        .contains("planned: recompress", "with compression dictionary ");
    try (Database again = Database.open(database, options)) {
      Table rows = again.table("ks", "t");
      rows.write(rows.mutation(1).insert().set("v", value(1)).build());
      rows.flush();
      assertThat(rows.live().tables()).anyMatch(each -> each.compression().dictionary() != null);
    }
  }

  @Test
  void whatCannotBeTrainedIsNamed() throws IOException {
    assertRefused("there are too few samples", table(DICTIONARY, "pa", 100));
    assertRefused("ks.t: SSTables of version oa cannot have", remade(DICTIONARY, "oa"));
    assertRefused(
        "ks.t has no compressor that takes a dictionary: its compression is",
        remade("LZ4Compressor", "pa"));
    Path table = remade(DICTIONARY, "pa");
    assertRefused("training_max_dictionary_size = 64KB, allowed", "--max-dict-size=64KB", table);
    assertRefused("training_min_frequency = soon", "--min-frequency", "soon", table);
    assertRefused("compression_level = 99, allowed", "--level=99", table);
    assertRefused("training_max_total_sample_size = 1", "--max-total-sample-size=1", table);
    assertThat(Files.readString(table.resolve("schema.cql"))).doesNotContain("training");
    Run missing = run("train-dictionary", temporary.resolve("none"));
    assertThat(missing.err()).contains(temporary.resolve("none").toString());
    assertThat(missing.code()).isNotEqualTo(ExitCode.OK);
  }

  private Path remade(String compressor, String version) throws IOException {
    Path table = temporary.resolve("table");
    try (Stream<Path> files = Files.list(table)) {
      for (Path each : files.toList()) {
        Files.delete(each);
      }
    }
    return table(compressor, version, 1_000);
  }

  private static void assertRefused(String why, Object... args) {
    Run run = run(Stream.concat(Stream.of("train-dictionary"), Stream.of(args)).toArray());
    assertThat(run.err()).contains(why);
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aDamagedFileIsNamedAndStopsNothing() throws IOException {
    Path table = table(DICTIONARY, "pa", 1_000);
    assertRuns("train-dictionary", "--max-dict-size=4KiB", table);
    assertRuns("recompress", table);
    Path kept = table.resolve(KEPT);
    Files.writeString(kept, Files.readString(kept).replaceFirst("dictionary 1", "dictionary 2"));
    for (List<String> command :
        List.of(
            List.of("verify"),
            List.of("info"),
            List.of("verify", "--json"),
            List.of("info", "--json"))) {
      Run run = run(Stream.concat(command.stream(), Stream.of(table)).toArray());
      assertThat(run.out())
          .as("%s", command)
          .contains(kept + ": is damaged: its checksum is wrong");
      assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    }
    assertRuns("compact", table);
    assertThat(assertRuns("export", table).out().lines()).hasSize(1_000);
    assertRuns("train-dictionary", table);
    assertThat(assertRuns("verify", table).out()).contains(kept + ": ok, ");
  }

  @Test
  void aDamagedFileOfADatabaseStopsNoDryRun() throws IOException {
    Path database = temporary.resolve("db");
    DatabaseOptions options = DatabaseOptions.builder().formatVersion(FormatVersion.PA).build();
    try (Database made = Database.open(database, options)) {
      Table rows =
          made.createTable(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compression = {'class': '"
                  + DICTIONARY
                  + "', 'chunk_length_in_kb': 4, 'training_max_dictionary_size': '4KiB'}");
      for (int key = 0; key < 1_000; key++) {
        rows.write(rows.mutation(key).insert().set("v", value(key)).build());
      }
      rows.flush();
    }
    assertRuns("train-dictionary", "--sstable-version=pa", database);
    Path kept;
    try (Stream<Path> files = Files.walk(database)) {
      kept = files.filter(each -> each.endsWith(KEPT)).findFirst().orElseThrow();
    }
    Files.writeString(kept, Files.readString(kept).replaceFirst("dictionary 1", "dictionary 2"));
    assertRuns("recompress", "--dry-run", "--sstable-version=pa", database);
    assertRuns("upgradesstables", "--dry-run", "--sstable-version=pa", database);
    assertRuns("recompress", "--sstable-version=pa", database);
  }

  /** The SSTable is the only one, so that no other one has the dictionary. */
  @ParameterizedTest
  @ValueSource(strings = {"rebuild", "scrub"})
  void aLostDictionaryOfAnSSTableIsTakenFromTheTable(String command) throws IOException {
    Path table = table(DICTIONARY, "pa", 1_000);
    assertRuns("train-dictionary", "--max-dict-size=4KiB", table);
    assertRuns("recompress", table);
    String exported = assertRuns("export", table).out();
    Path kept = table.resolve(KEPT);
    String text = Files.readString(kept);
    Path info = Path.of(dataFile(table).toString().replace("-Data.db", "-CompressionInfo.db"));
    byte[] original = Files.readAllBytes(info);
    Files.delete(info);

    Files.writeString(kept, text.replaceFirst("dictionary 1", "dictionary 2"));
    assertThat(run("rebuild", table).code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(info).doesNotExist();

    Files.writeString(kept, text);
    assertRuns(command, table);
    if (command.equals("rebuild")) {
      assertThat(info).hasBinaryContent(original);
    }
    assertThat(assertRuns("export", table).out()).isEqualTo(exported);
  }

  /** The rows of the SSTable cannot be read without its dictionary, and no other file has it. */
  @ParameterizedTest
  @ValueSource(strings = {"scrub", "verify", "metadata", "dump", "info"})
  void aDamagedDictionaryOfAnSSTableIsNamed(String command) throws IOException {
    Path table = table(DICTIONARY, "pa", 1_000);
    assertRuns("train-dictionary", "--max-dict-size=4KiB", table);
    assertRuns("recompress", table);
    Files.delete(table.resolve(KEPT));
    Path data = dataFile(table);
    Path info = Path.of(data.toString().replace("-Data.db", "-CompressionInfo.db"));
    byte[] bytes = Files.readAllBytes(info);
    bytes[bytes.length - 1_000] ^= 4;
    Files.write(info, bytes);
    boolean isOfFile = command.equals("metadata") || command.equals("dump");
    Run run = run(command, isOfFile ? data : table);
    assertThat(run.out() + run.err())
        .contains("checksum of compression dictionary ", info.toString());
    assertThat(run.code()).isNotZero();
  }
}
