package com.example.weather;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the service and the requests that README.md shows, at a free port. */
@DisabledOnOs(OS.WINDOWS)
class ReadmeCommandsTest {
  private static final Pattern READY = Pattern.compile("http://localhost:(\\d+)/stations");
  private static final int MOST_SECONDS = 60;

  @TempDir private Path directory;

  /** Returns the lines of the README that begin with a word, without their comments. */
  private static List<String> lines(String word) throws IOException {
    // Tests run in a directory of target.
    try (Stream<String> lines = Files.lines(Path.of("../../README.md"))) {
      return lines
          .filter(line -> line.startsWith(word + " "))
          .map(line -> line.replaceFirst("\\s+# .*", ""))
          .toList();
    }
  }

  private static String with(String line, String what, String instead) {
    assertTrue(line.contains(what), line);
    return line.replace(what, instead);
  }

  private Process start(String line) throws IOException {
    return new ProcessBuilder("/bin/sh", "-c", line)
        .directory(directory.toFile())
        .redirectError(directory.resolve("errors.txt").toFile())
        .start();
  }

  private String run(String line) throws Exception {
    Process process = start(line);
    String printed = new String(process.getInputStream().readAllBytes());
    assertTrue(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS), line);
    String errors = Files.readString(directory.resolve("errors.txt"));
    assertEquals(0, process.exitValue(), line + ": " + errors);
    return printed;
  }

  @Test
  void theServiceAnswersTheRequestsThatAreShown() throws Exception {
    assumeTrue(start("command -v curl").waitFor() == 0, "there is no curl");
    String java = lines("java").get(0);
    assertEquals(1, lines("java").size());
    java =
        with(java, "java ", "exec '" + Path.of(System.getProperty("java.home"), "bin/java") + "' ");
    java =
        with(
            java,
            "'target/classes:target/lib/*'",
            "'" + System.getProperty("java.class.path") + "'");
    java = with(java, " 8080", " 0");
    List<String> printed = new ArrayList<>();
    Process service =
        new ProcessBuilder("/bin/sh", "-c", java)
            .directory(directory.toFile())
            .redirectError(directory.resolve("service.txt").toFile())
            .start();
    try (BufferedReader out = service.inputReader()) {
      String first = String.valueOf(out.readLine());
      Matcher ready = READY.matcher(first);
      assertTrue(ready.matches(), () -> first + read(directory.resolve("service.txt")));
      for (String curl : lines("curl")) {
        // Without progress output, and failing if the response is an error.
        printed.add(
            run(
                with(
                    with(curl, "curl ", "curl -sSf "),
                    "localhost:8080",
                    "localhost:" + ready.group(1))));
      }
      service.destroy();
      assertTrue(service.waitFor(MOST_SECONDS, TimeUnit.SECONDS));
    } finally {
      service.destroyForcibly();
    }

    String reading = "2026-06-15T10:00:00Z,19.25,60\n";
    assertEquals(6, printed.size());
    assertEquals("1 stored\n", printed.get(0));
    assertEquals(reading, printed.get(1));
    assertEquals(reading, printed.get(2));
    assertTrue(printed.get(3).startsWith("HTTP/1.1 200 "), printed.get(3));
    assertTrue(printed.get(3).endsWith(reading), printed.get(3));
    assertEquals("", printed.get(4));
    assertTrue(Files.isDirectory(directory.resolve("data")));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
