package io.siltstone.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedFileTest {
  /** In processes of their own, as each JIT compiler raises the JVM's error elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xmixed", "-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
  void eachReadOfPagesThatAreGoneSaysFileAndOffset(String compiler, @TempDir Path directory)
      throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                compiler,
                "-XX:ErrorFile=" + directory.resolve("error"),
                "-cp",
                System.getProperty("java.class.path"),
                CutFileReader.class.getName(),
                directory.resolve("file").toString(),
                // After 20,000 reads the code is compiled. The interpreter never compiles it.
                compiler.equals("-Xint") ? "500" : "20000")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor()).as(read(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(read(output)).isEqualToIgnoringNewLines("right true unreadable true wrong 0");
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
