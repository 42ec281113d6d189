package io.siltstone.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.experiment.Scale;
import io.siltstone.tools.Siltstone;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class BenchCommandTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int siltstone(String... args) {
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(args));
    return Siltstone.run(all.toArray(String[]::new), out, err);
  }

  /** Runs an experiment in its tiny size, with the tests' class path. */
  private int tiny(String... args) {
    Terminal terminal = Terminal.of(out, err);
    ChildJvm jvm =
        new ChildJvm(
            classPath(),
            List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote"));
    int code = new CommandLine(new BenchCommand(terminal, "1.2.3", jvm, Scale.TINY)).execute(args);
    terminal.out().flush();
    return code;
  }

  private static String classPath() {
    // Some launchers load the tests with their own class loader.
    return Thread.currentThread().getContextClassLoader() instanceof URLClassLoader loader
        ? Arrays.stream(loader.getURLs())
            .map(URL::getPath)
            .collect(Collectors.joining(File.pathSeparator))
        : System.getProperty("java.class.path");
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void listTellsWhatEachShows() {
    assertThat(siltstone("list")).isEqualTo(ExitCode.OK);
    assertThat(out().lines().map(line -> line.split(" ", 2)[0]))
        .containsExactly(
            "chunk-length",
            "read-ahead",
            "direct-io",
            "wide-partition",
            "strategies",
            "peers",
            "load",
            "compaction",
            "index",
            "state-store");
    assertThat(out()).contains("read-ahead      Compaction with and without the 256 KiB");
  }

  @Test
  void listIsOneDocumentToo() throws IOException {
    assertThat(siltstone("list", "--json")).isEqualTo(ExitCode.OK);
    List<String> names = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(out())) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (json.nextToken() != JsonToken.END_ARRAY) {
        if ("name".equals(json.currentName()) && json.currentToken() == JsonToken.VALUE_STRING) {
          names.add(json.getText());
        }
      }
      assertThat(json.nextToken()).isNull();
    }
    assertThat(names).hasSize(10).contains("chunk-length", "peers");
  }

  @Test
  void aReportIsPrintedAndWritten() throws IOException {
    Path output = directory.resolve("report");
    int code = tiny("wide-partition", "--directory", directory.toString(), "--output", output + "");
    assertThat(err()).contains("round 1 of 1, 2,000 rows, heap 64 MB: loaded in ");
    assertThat(code).isEqualTo(ExitCode.OK);
    assertThat(out())
        .startsWith("# Wide partitions\n\n**Caution:** All figures are of one round")
        .contains("\n\n## What it shows\n\nA partition of 5,000 rows (")
        .contains("- Siltstone: 1.2.3\n")
        .doesNotContain("![");
    assertThat(Files.readString(output.resolve("report.md"))).contains("![");
    assertThat(output.resolve("report.html")).isNotEmptyFile();
    assertThat(output.resolve("report.json")).isNotEmptyFile();
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(output);
    }
  }

  @Test
  void whatIsWrongIsToldInOneLine() throws IOException {
    assertWrong("there is no experiment fun, allowed chunk-length, read-ahead, ", "fun");
    assertWrong(
        "--directory = /no/such is not a directory", "read-ahead", "--directory", "/no/such");
    Path file = Files.createFile(directory.resolve("file"));
    assertWrong(
        "--output = " + file + " is not a directory", "read-ahead", "--output", file.toString());
    // Before anything is measured.
    assertThat(siltstone("read-ahead", "--output", file + "/report")).isEqualTo(ExitCode.IO);
    assertThat(err()).contains("siltstone: " + file + "/report: ");
    assertWrong("peers needs other engines: run it with the script siltstone", "peers");
    assertWrong("compaction needs other engines: run it with the script ", "compaction");
    assertWrong(
        "--peers = " + directory + " has no test-classes, which the script siltstone builds",
        "peers",
        "--peers",
        directory.toString());
    Files.createDirectory(directory.resolve("test-classes"));
    assertWrong(
        "--peers = " + directory + " has no cassandra, which the script siltstone builds",
        "compaction",
        "--peers",
        directory.toString());
    Files.createDirectories(directory.resolve("cassandra/5.0.9"));
    assertWrong(
        "--beside: there is no engine 4.1.3, allowed 5.0.9",
        "compaction",
        "--beside",
        "4.1.3",
        "--peers",
        directory.toString());
    assertWrong(
        "--beside is for peers, load, compaction, index and state-store, not for chunk-length",
        "chunk-length",
        "--beside",
        "RocksDB");
    assertWrong("Missing required parameter: 'EXPERIMENT'");
  }

  private void assertWrong(String message, String... args) {
    err.reset();
    assertThat(siltstone(args)).isEqualTo(ExitCode.USAGE);
    assertThat(err()).startsWith("siltstone: " + message).endsWith("\n");
    assertThat(err().lines()).hasSize(1);
  }
}
