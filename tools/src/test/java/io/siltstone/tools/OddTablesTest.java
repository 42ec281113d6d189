package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables that cannot be read here, tables with indexes, and damaged copies of all of them: each
 * command names the file, and none ends with an internal error.
 */
final class OddTablesTest {
  private static final List<String> COMMANDS =
      List.of(
          "verify FILE",
          "verify -e DIR",
          "verify --json DIR",
          "dump FILE",
          "dump -e FILE",
          "metadata FILE",
          "info FILE",
          "info --json DIR",
          "inspect DIR",
          "advise DIR",
          "tablestats DIR",
          "tablehistograms DIR",
          "compactionstats DIR",
          "explain-key DIR 1",
          "explain DIR",
          "export DIR",
          "export FILE",
          "compact --dry-run DIR",
          "scrub --dry-run DIR",
          "relevel DIR",
          "recompress DIR",
          "upgradesstables DIR",
          "garbagecollect DIR",
          "split DIR",
          "compact DIR",
          "scrub DIR");

  private static final String OTHER_SCHEMA =
      "CREATE TABLE ks.other (a text, b uuid, x list<int>, PRIMARY KEY (a, b))";

  /** A factor for the number of damages per file, for long runs. */
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  private static final int PER_DAMAGE = 3 * Math.min(SCALE, 2);

  private static final long SEED = Long.getLong("siltstone.seed", 31);

  @TempDir private Path temporary;

  private static Path fixture(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(OddTablesTest.class.getResource("/fixtures/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Returns a copy in a separate directory, because commands may change it. */
  private Path copy(Path fixture) throws IOException {
    Path copy = Files.createTempDirectory(temporary, "t");
    for (Path file : files(fixture)) {
      Files.copy(file, copy.resolve(name(file)));
    }
    return copy;
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static Path dataOf(Path directory) throws IOException {
    return files(directory).stream()
        .filter(file -> name(file).endsWith("-Statistics.db"))
        .findFirst()
        .map(file -> file.resolveSibling(name(file).replace("Statistics", "Data")))
        .orElse(directory.resolve("oa-1-big-Data.db"));
  }

  private static Run run(String command, Path directory) throws IOException {
    String data = dataOf(directory).toString();
    return Run.of(command.replace("FILE", data).replace("DIR", directory.toString()).split(" "));
  }

  private static void requireUnderstandable(Run run, Path directory, String what) {
    String all = run.out() + run.err();
    String told = what + ", exit " + run.code() + ":\n" + run.err();
    assertThat(run.code()).as(told).isNotEqualTo(ExitCode.INTERNAL);
    assertThat(all).as(told).doesNotContain("\tat ", "internal error", "java.lang.");
    assertThat(run.err().lines()).as(told).allMatch(line -> line.startsWith("siltstone: "));
    if (run.code() != ExitCode.OK && run.code() != ExitCode.USAGE) {
      assertThat(all).as(told).contains(directory.getFileName().toString());
    }
  }

  private void runAll(List<String> commands, Path table, String what) throws IOException {
    for (String command : commands) {
      Path copy = copy(table);
      requireUnderstandable(run(command, copy), copy, what + ": " + command);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "odd/random_partitioner",
        "odd/index2i_vi",
        "odd/zstd_dictionary",
        "odd/zstd_trained",
        "odd/sai",
        "nb/keysonly_uncompressed",
        "nb/many",
        "nb/types_compacted"
      })
  void noCommandEndsWithAnInternalError(String name) throws IOException {
    Path fixture = fixture(name);
    runAll(COMMANDS, fixture, name);
    Random random = new Random(SEED);
    for (Path file : files(fixture)) {
      if (!name(file).matches("[a-z]{2}-.*(db|txt|crc32)") || name(file).contains("SAI")) {
        continue;
      }
      for (int i = 0; i < SCALE; i++) {
        Path damaged = copy(fixture);
        String how = damage(damaged.resolve(name(file)), random);
        List<String> some = new ArrayList<>(COMMANDS);
        Collections.shuffle(some, random);
        runAll(
            some.subList(0, PER_DAMAGE),
            damaged,
            name + ", " + name(file) + " " + how + ", seed " + SEED);
      }
    }
  }

  private static String damage(Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (random.nextInt(5)) {
      case 0 -> {
        Files.delete(file);
        return "removed";
      }
      case 1 -> {
        Files.write(file, new byte[0]);
        return "emptied";
      }
      case 2 -> {
        int length = random.nextInt(bytes.length);
        Files.write(file, Arrays.copyOf(bytes, length));
        return "cut to " + length;
      }
      case 3 -> {
        int at = random.nextInt(bytes.length);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, bytes);
        return "flipped at " + at;
      }
      default -> {
        int at = random.nextInt(bytes.length);
        byte[] noise = new byte[Math.min(bytes.length - at, 1 + random.nextInt(16))];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, bytes, at, noise.length);
        Files.write(file, bytes);
        return "overwritten at " + at;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"odd/random_partitioner", "odd/sai", "nb/many", "nb/types_compacted"})
  void aSchemaOfAnotherTableIsNamed(String name) throws IOException {
    Path schema = Files.writeString(temporary.resolve("other.cql"), OTHER_SCHEMA);
    for (String command : List.of("export", "compact", "scrub", "inspect", "explain")) {
      Path copy = copy(fixture(name));
      Files.deleteIfExists(copy.resolve("schema.cql"));
      Run run = Run.of(command, "--schema", schema.toString(), copy.toString());
      requireUnderstandable(run, copy, name + ": " + command);
      assertThat(run.code()).as(command + ": " + run.err()).isNotEqualTo(ExitCode.OK);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "odd/random_partitioner, RandomPartitioner",
    "odd/index2i_vi, PartitionerDefinedOrder"
  })
  void whatCannotBeReadIsCalledUnsupportedByName(String fixture, String unsupported)
      throws IOException {
    Path data = dataOf(fixture(fixture));
    for (String command : List.of("dump", "info", "metadata", "export")) {
      Run run = Run.of(command, data.toString());
      assertThat(run.out() + run.err())
          .as(command)
          .contains(unsupported, "not supported", name(Objects.requireNonNull(data.getParent())))
          .doesNotContain("corrupt");
      assertThat(run.code()).as(command).isNotEqualTo(ExitCode.OK);
    }
    Run verified = Run.of("verify", "--json", data.toString());
    assertThat(verified.out()).contains("\"unsupported\"", unsupported);
    assertThat(verified.code()).isEqualTo(ExitCode.DAMAGED);
  }

  /** A table of Cassandra 6 whose compressor has not been given a dictionary. */
  @Test
  void zstdWithoutItsDictionaryIsPlainZstd() throws IOException {
    Path table = copy(fixture("odd/zstd_dictionary"));
    Run verified = Run.of("verify", "--extended", table.toString());
    assertThat(verified.out()).contains(": ok, 5 partitions, 500 rows");
    Run exported = Run.of("export", table.toString());
    assertThat(exported.code()).as(exported.err()).isZero();
    Run compacted = Run.of("compact", table.toString());
    assertThat(compacted.code()).as(compacted.err()).isZero();
    assertThat(Run.of("export", table.toString()).out()).isEqualTo(exported.out());
    assertThat(Run.of("info", table.toString()).out()).contains("ZstdCompressor");
  }

  /** Cassandra 6.0-alpha2 wrote the table, with a dictionary that it had trained. */
  @Test
  void aDictionaryIsKeptByCompactionAndLeftOutOfOlderVersions() throws IOException {
    Path table = copy(fixture("odd/zstd_trained"));
    Run verified = Run.of("verify", "--extended", table.toString());
    assertThat(verified.out()).contains(": ok, 300 partitions, 300 rows");
    Run exported = Run.of("export", table.toString());
    assertThat(exported.code()).as(exported.err()).isZero();
    assertThat(exported.out().lines()).hasSize(300);
    Run compacted = Run.of("compact", table.toString());
    assertThat(compacted.code()).as(compacted.err()).isZero();
    assertThat(Run.of("info", table.toString()).out())
        .contains(
            "ZstdDictionaryCompressor", "compression dictionary 125028217947526273 of 4096 bytes");
    assertThat(Run.of("export", table.toString()).out()).isEqualTo(exported.out());
    Run older = Run.of("upgradesstables", "--sstable-version", "oa", table.toString());
    assertThat(older.code()).as(older.err()).isZero();
    assertThat(Run.of("verify", "--extended", table.toString()).out())
        .contains("oa-", ": ok, 300 partitions, 300 rows");
    assertThat(Run.of("info", table.toString()).out()).doesNotContain("compression dictionary");
    assertThat(Run.of("export", table.toString()).out()).isEqualTo(exported.out());
  }

  @Test
  void recompressionTrainsADictionaryWhereThereIsNone() throws IOException {
    Path schema = temporary.resolve("trained.cql");
    Files.writeString(
        schema,
        "CREATE TABLE odd.trained (k int PRIMARY KEY, v text) WITH compression = {'class':"
            + " 'ZstdDictionaryCompressor', 'chunk_length_in_kb': '4',"
            + " 'training_max_dictionary_size': '4KiB'};");
    Path rows = temporary.resolve("trained.jsonl");
    Files.write(rows, IntStream.range(0, 1_000).mapToObj(OddTablesTest::row).toList());
    Path table = temporary.resolve("trained");
    Run loaded =
        Run.of(
            "load",
            "--schema",
            schema.toString(),
            "--input",
            rows.toString(),
            "--output",
            table.toString(),
            "--sstable-version",
            "pa");
    assertThat(loaded.code()).as(loaded.err()).isZero();
    assertThat(Run.of("info", table.toString()).out())
        .contains("ZstdDictionaryCompressor 4 KiB chunks, ratio");
    String exported = Run.of("export", table.toString()).out();
    long before = dataBytes(table);
    Run trained = Run.of("recompress", table.toString());
    assertThat(trained.code()).as(trained.err()).isZero();
    String info = Run.of("info", table.toString()).out();
    assertThat(info).contains("ZstdDictionaryCompressor 4 KiB chunks with compression dictionary ");
    assertThat(dataBytes(table)).isLessThan(before * 19 / 20);
    assertThat(Run.of("verify", "--extended", table.toString()).out())
        .contains(": ok, 1000 partitions, 1000 rows");
    assertThat(Run.of("export", table.toString()).out()).isEqualTo(exported);
    // Another one would be trained an hour later at the earliest.
    String dictionary =
        info.replaceAll("(?s).*(compression dictionary \\d+ of \\d+ bytes).*", "$1");
    assertThat(Run.of("compact", table.toString()).code()).isZero();
    assertThat(Run.of("info", table.toString()).out()).contains(dictionary);
    assertThat(Run.of("recompress", table.toString()).out()).contains("compressed as the table is");
  }

  /** Returns a row whose text has the same names as all others, and values of its own. */
  private static String row(int key) {
    Random random = new Random(key);
    StringBuilder text = new StringBuilder();
    for (int field = 0; field < 60; field++) {
      text.append(Integer.toString(field * 7_919 + 40_000, 36)).append("=");
      text.append(random.nextInt(1_000)).append(";");
    }
    return "{\"k\": " + key + ", \"v\": \"" + text + "\"}";
  }

  private static long dataBytes(Path table) throws IOException {
    for (Path file : files(table)) {
      if (name(file).endsWith("-Data.db")) {
        return Files.size(file);
      }
    }
    throw new AssertionError("no data file in " + table);
  }

  @Test
  void aDamagedDictionaryIsNamed() throws IOException {
    Path table = copy(fixture("odd/zstd_dictionary"));
    Path info = table.resolve("oa-1-big-CompressionInfo.db");
    byte[] plain = Files.readAllBytes(info);
    byte[] dictionary = new byte[20];
    ByteBuffer all = ByteBuffer.allocate(plain.length + 1 + 8 + 4 + dictionary.length + 4);
    // Kind, id, length, bytes, checksum.
    all.put(plain).put((byte) 0).putLong(1).putInt(dictionary.length).put(dictionary).putInt(0);
    Files.write(info, all.array());
    for (String command : List.of("export", "verify", "info")) {
      Run run = Run.of(command, table.toString());
      assertThat(run.out() + run.err())
          .as(command)
          .contains("checksum of compression dictionary 1 of 20 bytes", info.toString());
      assertThat(run.code()).as(command).isNotZero();
    }
  }

  @Test
  void indexFilesThatCassandraNeverWroteAreNoDamage() throws IOException {
    Path sai = fixture("odd/sai");
    Run run = Run.of("verify", "-e", sai.toString());
    assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.OK);
    assertThat(run.out().lines())
        .hasSize(2)
        .allMatch(line -> line.contains(": ok, "))
        .anyMatch(line -> line.contains("no files of an index") && line.contains("SAI+aa+si+"));
    assertThat(Run.of("verify", "--json", sai.toString()).out())
        .contains("\"missing_of_indexes\" : [ \"SAI+aa+si+Meta.db\"")
        .doesNotContain("incomplete");
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "scrub", "garbagecollect"})
  void aRewrittenTableHasNoIndexFilesAndSaysSo(String command) throws IOException {
    Path copy = copy(fixture("odd/sai"));
    Run run = Run.of(command, copy.toString());
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains(
            "the files of secondary indexes of oa-1-big, oa-2-big", "a Cassandra node rebuilds");
    List<String> left = new ArrayList<>();
    for (Path file : files(copy)) {
      left.add(name(file));
      if (name(file).endsWith("-TOC.txt")) {
        String prefix = name(file).replace("TOC.txt", "");
        for (String line : Files.readAllLines(file)) {
          assertThat(copy.resolve(prefix + line)).exists();
        }
      }
    }
    assertThat(left).noneMatch(name -> name.contains("SAI") || name.startsWith("oa-1-big"));
  }
}
