package io.siltstone.tools.stress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.bench.workload.Profile;
import io.siltstone.tools.Siltstone;
import io.siltstone.tools.terminal.ExitCode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class StressCommandTest {
  @TempDir Path directory;

  private record Ran(int code, String out, String err) {}

  static Stream<String> profiles() {
    return Profile.names().stream();
  }

  private static Ran stress(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    List<String> all = new ArrayList<>(List.of("stress"));
    all.addAll(List.of(args));
    int code = Siltstone.run(all.toArray(String[]::new), out, err);
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static Json json(String text) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      parser.nextToken();
      Json json = new Json(read(parser));
      assertThat(parser.nextToken()).as("one document").isNull();
      return json;
    }
  }

  private static @Nullable Object read(JsonParser parser) throws IOException {
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          map.put(name, read(parser));
        }
        return map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(read(parser));
        }
        return list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        return parser.getNumberValue().doubleValue();
      }
      case VALUE_TRUE, VALUE_FALSE -> {
        return parser.getBooleanValue();
      }
      case VALUE_NULL -> {
        return null;
      }
      default -> {
        return parser.getText();
      }
    }
  }

  /** The value at a path of names in a document. */
  private record Json(@Nullable Object root) {
    @Nullable Object at(String... path) {
      Object at = root;
      for (String name : path) {
        Map<?, ?> map = (Map<?, ?>) Objects.requireNonNull(at);
        assertThat(map.containsKey(name)).as("field %s of %s", name, map.keySet()).isTrue();
        at = map.get(name);
      }
      return at;
    }

    double number(String... path) {
      return (Double) Objects.requireNonNull(at(path));
    }
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void eachProfileRunsAndIsRight(String profile) throws IOException {
    Ran run =
        stress(
            profile,
            profile.equals("Wide") ? "--rows=40" : "--threads=3",
            "--partitions=50",
            "--value=book(3,9)",
            "-n",
            "2k",
            "--populate",
            "--memtable=1MiB",
            "--chunk-length=4",
            "--compression=Zstd",
            "--distribution=zipf",
            "--compaction={'class': 'Leveled', 'sstable_size_in_mb': '1'}",
            "--output=" + directory,
            "--json");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    Json json = json(run.out());
    assertThat(json.at("profile")).isEqualTo(profile);
    assertThat(json.at("right")).isEqualTo(true);
    assertThat(json.at("stopped")).isEqualTo(false);
    assertThat(json.number("run", "operations")).isEqualTo(2000);
    assertThat(json.number("run", "reads", "count") + json.number("run", "writes", "count"))
        .isEqualTo(2000);
    assertThat(json.number("run", "reads", "p50_micros")).isPositive();
    assertThat(json.number("run", "rows_read")).isPositive();
    assertThat(json.number("populate", "operations")).isGreaterThanOrEqualTo(50);
    assertThat(json.at("run", "ops_per_second_last_1_min")).isNull();
    assertThat(json.at("options", "compression", "chunk_length_in_kb")).isEqualTo("4");
    assertThat((String) json.at("options", "compression", "class")).endsWith("ZstdCompressor");
    assertThat((String) json.at("options", "compaction", "class"))
        .endsWith("LeveledCompactionStrategy");
    assertThat(json.at("options", "distribution")).isEqualTo("zipf(0.99)");
    assertThat((String) json.at("machine", "command")).startsWith("siltstone stress " + profile);
    assertThat((List<?>) json.at("run", "samples")).isNotEmpty();
    assertThat(run.err()).contains("Writing all rows:", "Running; ", "p999");
    assertThat(Files.readString(directory.resolve("stress.json"))).isEqualTo(run.out());
    assertThat(Files.readString(directory.resolve("report.html")))
        .contains("Stress " + profile, "Latency over time", "</html>")
        .doesNotContain(directory.toString());
  }

  @Test
  void textTellsTheSame() {
    Ran run = stress("keyvalue", "-p", "1k", "-n", "500", "-r", "0", "--rate", "100k");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("KeyValue: 1,000 partitions", "0 % reads", "100,000 operations/s requested")
        .contains("over the last 1 min - (the run is shorter)")
        .contains("500 operations", "reads                   -")
        .contains("no errors; every read returned what was written");
  }

  @Test
  void directoryThatIsGivenStaysAndIsTakenUp() throws IOException {
    String dir = directory.resolve("db").toString();
    for (int i = 0; i < 2; i++) {
      Ran run = stress("Updates", "-p", "100", "-n", "1000", "--dir", dir, "--json");
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
      assertThat(json(run.out()).at("right")).isEqualTo(true);
    }
    assertThat(directory.resolve("db")).isNotEmptyDirectory();
    Ran run = stress("Updates", "--dir", dir, "--chunk-length", "4");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--chunk-length").hasLineCount(1);
  }

  @Test
  void wrongReadsAreToldAndEndWithACodeOfTheirOwn() throws IOException {
    String dir = directory.resolve("db").toString();
    assertThat(stress("KeyValue", "-p", "100", "-n", "0", "--populate", "--dir", dir).code())
        .isEqualTo(ExitCode.OK);
    // Other values than those that were written.
    String[] other = {"KeyValue", "-p100", "-n50", "-r1", "--value=book(3,9)", "--dir=" + dir};
    Ran text = stress(other);
    assertThat(text.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(text.out()).contains("run: 0 errors, 50 wrong reads", "value of ", "differs at");
    List<String> withJson = new ArrayList<>(List.of(other));
    withJson.add("--json");
    Json json = json(stress(withJson.toArray(String[]::new)).out());
    assertThat(json.at("right")).isEqualTo(false);
    assertThat(json.number("run", "wrong_reads")).isEqualTo(50);
    assertThat((List<?>) json.at("run", "problems")).hasSize(20);
  }

  @Test
  void interruptedItEndsWithTheResultsSoFar() throws Exception {
    Path output = directory.resolve("results");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                classPath(),
                Siltstone.class.getName(),
                "stress",
                "KeyValue",
                "--partitions=1000",
                "--duration=1h",
                "--rate=2k",
                "--interval=100ms",
                "--output=" + output,
                "--json")
            .start();
    try (BufferedReader err =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      String line = err.readLine();
      while (line != null && !line.matches("\\s*0:0[1-9] .*")) {
        line = err.readLine();
      }
      assertThat(line).as("a line after a second").isNotNull();
      ByteArrayOutputStream seen = new ByteArrayOutputStream();
      String[] look = {"compactionstats", "--pid", String.valueOf(process.pid())};
      assertThat(Siltstone.run(look, seen, OutputStream.nullOutputStream())).isEqualTo(ExitCode.OK);
      assertThat(seen.toString(StandardCharsets.UTF_8)).contains("pending tasks");
      process.toHandle().destroy();
      Json json = json(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(json.at("stopped")).isEqualTo(true);
      assertThat(json.at("right")).isEqualTo(true);
      assertThat(json.number("run", "operations")).isPositive();
      assertThat(err.lines()).as("errors").noneMatch(said -> said.startsWith("siltstone: "));
      assertThat(json(Files.readString(output.resolve("stress.json"))).at("stopped"))
          .isEqualTo(true);
      assertThat(output.resolve("report.html"))
          .content()
          .contains("<img", "stopped before the end");
    } finally {
      process.destroyForcibly();
    }
    // Libraries leave unpacked files there; the database is deleted.
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith("siltstone-stress"));
    }
  }

  private static String classPath() {
    if (StressCommandTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Key | profile Key, allowed KeyValue, Wide",
        "KeyValue --partitions=0 | --partitions = 0, allowed 1 to",
        "KeyValue --partitions=x | --partitions = x, allowed a whole number",
        "KeyValue --rows=5 | rows are not for KeyValue",
        "Wide --limit=5 | limit is not for Wide",
        "KeyValue --value=book(9,1) | --value = book(9,1), allowed",
        "KeyValue --value=poem | --value = poem, allowed book(LEAST,MOST)",
        "KeyValue -n many | --iterations = many, allowed",
        "KeyValue -d 0 | --duration = 0, allowed",
        "KeyValue -d soon | --duration = soon, allowed",
        "KeyValue -r 1.5 | --read-rate = 1.5, allowed 0 to 1",
        "KeyValue -t 0 | --threads = 0, allowed 1 to 255",
        "KeyValue --rate 0 | --rate = 0, allowed 1 to a billion",
        "KeyValue --distribution=normal | --distribution = normal, allowed uniform",
        "KeyValue --interval=1ms | --interval = 1ms, allowed 10ms to 1h",
        "KeyValue --compression=Rar | --compression = Rar, allowed LZ4Compressor",
        "KeyValue --compression=Rar | NoopCompressor, none",
        "KeyValue --chunk-length=5 | --chunk-length = 5",
        "KeyValue --compression=none --chunk-length=4 | --chunk-length requires compression",
        "KeyValue --compaction=Fast | --compaction = Fast, allowed SizeTiered",
        "KeyValue --compaction={'class':'Leveled','fanout_size':'no'} | fanout_size",
        "KeyValue --compaction={ | --compaction = { is not a map",
        "KeyValue --compaction={'a':'b'} | has no 'class'",
        "KeyValue --ttl=100000d | --ttl = 100000d, allowed 1 to 630720000 seconds",
        "KeyValue --ttl=0 | --ttl = 0, allowed 1 to 630720000 seconds",
        "KeyValue --ttl=0.5s | --ttl = 0.5s, allowed 1 to 630720000 seconds",
        "KeyValue --compaction={'class':'Leveled','class':'Unified'} | has 'class' twice",
        "KeyValue -r 1d | '--read-rate': '1d', allowed a number such as 0.25",
        "KeyValue -t x | '--threads': 'x', allowed a whole number",
        "Wide -p 9000000T --rows=2G | --partitions = 9000000T and --rows = 2G are too large",
        "KeyValue --memtable=1k | --memtable = 1k, allowed 1MiB or more",
        "KeyValue --chunk-cache=big | --chunk-cache = big, allowed a size",
        "KeyValue --commitlog-sync=never | --commitlog-sync",
        "KeyValue --compactors=65 | --compactors = 65, allowed 1 to 64",
        "KeyValue --keep --dir=x | --keep is for temporary directories",
        "list KeyValue | KeyValue",
        "info | PROFILE",
        "info Key | profile Key, allowed",
      })
  void whatIsWrongIsNamed(String args, String message) {
    Ran run = stress(args.split(" "));
    assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("siltstone: ").contains(message).hasLineCount(1);
  }

  @Test
  void optionsOfANewTableAreRefusedBeforeAnythingIsSaid() throws IOException {
    Files.writeString(directory.resolve("something"), "");
    Ran run = stress("KeyValue", "-n", "1", "--dir", directory.toString(), "--ttl", "5");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("--dir = " + directory + " is not empty").hasLineCount(1);
  }

  @Test
  void whereNothingWasFlushedOrLookedUpThereIsNoRatio() {
    Ran run = stress("KeyValue", "-n", "4", "-p", "4");
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("0 B in 0 SSTables, compression ratio -; ")
        .contains("chunk cache hit rate -\n");
  }

  @Test
  void helpBeginsWithItsUse() {
    assertThat(stress("--help").out())
        .startsWith("Usage: siltstone stress PROFILE [OPTION...]\n       siltstone stress list\n");
  }

  @Test
  void profileMustBeGiven() {
    Ran run = stress();
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("PROFILE is missing, allowed KeyValue");
  }

  @Test
  void anOutputThatCannotBeWrittenIsRefusedAtOnce() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Ran ran = stress("KeyValue", "--output", file.toString());
    assertThat(ran.code()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).isEqualTo("siltstone: --output = " + file + " is not a directory\n");
    assertThat(ran.out()).isEmpty();

    Path closed = Files.createDirectory(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    // Root may write everywhere.
    if (!Files.isWritable(closed)) {
      Ran denied = stress("KeyValue", "--output", closed.toString());
      assertThat(denied.code()).isEqualTo(ExitCode.IO);
      assertThat(denied.err()).isEqualTo("siltstone: access denied: " + closed + "\n");
      assertThat(denied.out()).isEmpty();
    }
  }

  @Test
  void profilesAreDescribed() {
    Ran list = stress("list");
    assertThat(list.code()).isEqualTo(ExitCode.OK);
    for (String name : Profile.names()) {
      assertThat(list.out()).contains(name + " ");
      Ran info = stress("info", name);
      assertThat(info.code()).isEqualTo(ExitCode.OK);
      assertThat(info.out())
          .startsWith(name + "\n")
          .contains("--partitions", "CREATE TABLE stress.", "PRIMARY KEY");
    }
  }
}
