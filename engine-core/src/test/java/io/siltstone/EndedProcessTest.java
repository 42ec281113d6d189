package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.commitlog.SyncMode;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ends processes in different ways: in every sync mode, all writes that were acknowledged are there
 * afterwards.
 */
class EndedProcessTest {
  @TempDir private Path temporary;

  @ParameterizedTest
  @CsvSource({"PERIODIC, halt", "PERIODIC, exit", "PERIODIC, kill", "GROUP, kill", "BATCH, halt"})
  void allThatWasAcknowledgedIsThere(SyncMode mode, String end) throws Exception {
    Path directory = temporary.resolve("db");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(List.of("-cp", classPath(), EndedProcess.class.getName()));
    command.addAll(List.of(directory.toString(), mode.name(), end));
    File errors = temporary.resolve("errors").toFile();
    Process process = new ProcessBuilder(command).redirectError(errors).start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      if (end.equals("kill")) {
        assertThat(said.readLine()).as("see %s", errors).isEqualTo("done");
      } else {
        assertThat(process.waitFor()).as("see %s", errors).isEqualTo(3);
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
    assertThat(process.waitFor()).isEqualTo(end.equals("kill") ? 137 : 3);

    try (KeyValueStore store = KeyValueStore.open(directory, EndedProcess.options(mode))) {
      for (int n = 0; n < EndedProcess.PUTS; n++) {
        assertThat(store.get(EndedProcess.key(n))).as("%s", n).isEqualTo(EndedProcess.value(n));
      }
    }
  }

  private static String classPath() {
    if (EndedProcessTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }
}
