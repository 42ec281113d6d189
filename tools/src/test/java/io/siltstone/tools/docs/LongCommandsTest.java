package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.Siltstone;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs command lines of the documentation that take long, or that need a program of the reader,
 * with parts replaced so that they are short and complete.
 */
@DisabledOnOs(OS.WINDOWS)
class LongCommandsTest {
  private static final Path BIN = Path.of(System.getProperty("java.home"), "bin");
  private static final String CLASS_PATH = "'" + System.getProperty("java.class.path") + "'";

  @TempDir private Path directory;

  /** Returns the only line of a page that begins with the given text. */
  private static String line(String page, String beginning) {
    return Page.read(Page.ROOT.resolve(page)).blocks().stream()
        .filter(block -> block.language().equals("sh"))
        .flatMap(block -> block.lines().stream())
        .filter(line -> line.startsWith(beginning))
        .reduce(
            (one, other) -> {
              throw new AssertionError(page + ": " + one + " and " + other);
            })
        .orElseThrow(() -> new AssertionError(page + " has no line that begins " + beginning));
  }

  private static String with(String line, String what, String instead) {
    assertThat(line).contains(what);
    return line.replace(what, instead);
  }

  private String run(String line) throws IOException, InterruptedException {
    Path out = directory.resolve("out.txt");
    Process process =
        new ProcessBuilder("/bin/sh", "-c", BIN + "/" + line)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    process.getOutputStream().close();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", line).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(out);
    assertThat(process.exitValue())
        .as("exit code of %s, which printed%n%s", line, printed)
        .isZero();
    return printed;
  }

  @Test
  void benchmarksOfOneName() throws Exception {
    String line =
        with(
            line("docs/performance.md", "java -cp "),
            "'engine-bench/target/classes:engine-bench/target/lib/*'",
            CLASS_PATH);
    String printed =
        run(line + " -f 0 -wi 0 -i 1 -r 10ms -foe true -p rows=300 -p chunkLengthKib=4");
    assertThat(printed)
        .containsPattern("SSTableBenchmark\\.scan .* 4 ")
        .containsPattern("SSTableBenchmark\\.write:.*gc\\.alloc\\.rate\\.norm");
  }

  @Test
  void aRecordingOfTheEnginesEvents() throws Exception {
    Path sample = Page.ROOT.resolve("docs/sample");
    String[] load = {
      "load",
      "--schema",
      sample.resolve("schema.cql").toString(),
      "--input",
      sample.resolve("readings.jsonl").toString(),
      "--output",
      directory.resolve("two").toString()
    };
    for (int i = 0; i < 2; i++) {
      assertThat(Siltstone.run(load, OutputStream.nullOutputStream(), System.err)).isZero();
    }
    String page = "docs/observability.md";
    run(
        with(
            line(page, "java -XX:StartFlightRecording"),
            "-jar app.jar",
            "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m -cp "
                + CLASS_PATH
                + " "
                + Siltstone.class.getName()
                + " compact two"));
    assertThat(run(line(page, "jfr print"))).contains("siltstone.Compaction {", "inputs = 2");
  }
}
