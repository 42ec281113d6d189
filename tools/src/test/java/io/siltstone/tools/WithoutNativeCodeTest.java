package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A processor for which no compressor has native code: tables with LZ4 are exchanged between a
 * process that believes it runs on such a processor and this one.
 */
class WithoutNativeCodeTest {
  private static final Path SAMPLE = Path.of("..", "docs", "sample");
  private static final String NEWEST_JAVA = "newest.java";

  @TempDir Path directory;

  /** Runs a command with that Java, given by its path, and with those options. */
  private Run elsewhere(List<String> java, String... args) throws Exception {
    Path out = directory.resolve("printed");
    Path err = directory.resolve("errors");
    List<String> command = new ArrayList<>(java);
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Dos.arch=none", "-cp", classPath(), Siltstone.class.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private static String classPath() {
    if (WithoutNativeCodeTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  private static String[] loadInto(Path output) {
    return new String[] {
      "load",
      "--schema",
      SAMPLE.resolve("schema.cql").toString(),
      "--input",
      SAMPLE.resolve("readings.jsonl").toString(),
      "--output",
      output.toString()
    };
  }

  @Test
  void lz4IsServedByJava() throws Exception {
    requireExchange(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
  }

  /** Only the attempt to load native code is allowed; there is no other warning. */
  @Test
  @EnabledIfSystemProperty(named = NEWEST_JAVA, matches = ".+")
  void noMemoryAccessThatNewerJavasWarnOf() throws Exception {
    requireExchange(List.of(System.getProperty(NEWEST_JAVA), "--enable-native-access=ALL-UNNAMED"));
  }

  private void requireExchange(List<String> java) throws Exception {
    assertThat(Run.of("info").out()).contains("  LZ4Compressor      lz4-java, JNI\n");
    Run info = elsewhere(java, "info");
    assertThat(info.err()).isEmpty();
    assertThat(info.code()).isEqualTo(ExitCode.OK);
    assertThat(info.out())
        .contains(
            "  LZ4Compressor      lz4-java, Java",
            "  ZstdCompressor     not available: ZstdCompressor needs a library",
            "  SnappyCompressor   not available: SnappyCompressor needs a library");

    Path here = directory.resolve("here");
    assertThat(Run.of(loadInto(here)).code()).isEqualTo(ExitCode.OK);
    Path there = directory.resolve("there");
    assertThat(elsewhere(java, loadInto(there)).code()).isEqualTo(ExitCode.OK);
    // The implementations do not find the same matches, so this was another one.
    assertThat(dataBytes(there)).isNotEqualTo(dataBytes(here));

    Run exported = Run.of("export", here.toString());
    assertThat(exported.out()).hasLineCount(720);
    assertThat(elsewhere(java, "export", here.toString())).isEqualTo(exported);
    assertThat(Run.of("export", there.toString())).isEqualTo(exported);
  }

  private static long dataBytes(Path output) throws IOException {
    return Files.size(output.resolve("oa-1-big-Data.db"));
  }
}
