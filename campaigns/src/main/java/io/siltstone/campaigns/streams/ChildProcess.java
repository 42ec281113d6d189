package io.siltstone.campaigns.streams;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program in a JVM of its own that starts quickly, with a small heap and the C1 compiler only.
 * The standard error of the process is kept in a file. Closing the object kills the process.
 * Confined to one thread.
 */
final class ChildProcess implements Closeable {
  private final Process process;
  private final Path errors;
  private final BufferedReader output;

  private ChildProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts a program with the class path of this process.
   *
   * @param errors file for its standard error, which is overwritten
   */
  static ChildProcess start(Class<?> program, Path errors, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-XX:MaxDirectMemorySize=512m");
    // Without the verification of bytecode, the many classes of Kafka are loaded sooner.
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(List.of("-XX:-UsePerfData", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    if (Runtime.version().feature() >= 23) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    // Surefire puts the class path into the manifest of a jar, and keeps it in this property.
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    command.addAll(List.of("-cp", classPath, program.getName()));
    command.addAll(List.of(arguments));
    return new ChildProcess(
        new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
  }

  /** Returns the next line that it prints, or null if it has ended. */
  @Nullable String line() throws IOException {
    return output.readLine();
  }

  /**
   * Waits for its end. What it has printed and was not read must fit in a pipe, 64 KiB.
   *
   * @return its exit code
   * @throws IOException if it has not ended after that time
   */
  int waitFor(long seconds) throws IOException {
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new IOException("a process has not ended after " + seconds + " s: " + errors());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return process.exitValue();
  }

  /** Returns the end of what it has printed to standard error. */
  String errors() throws IOException {
    String all = Files.readString(errors);
    return all.substring(Math.max(0, all.length() - 2_000));
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    waitFor(60);
  }
}
