package io.siltstone.bench.child;

import io.siltstone.bench.volume.LimitedVolume;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The command that starts a child JVM: this Java, a class path, options. Immutable.
 *
 * @param classPath of the child
 * @param options of its JVM, e.g. {@code -Xmx256m}
 * @param isReplaced whether this JVM takes the place of the child; see {@link #replacedByThisJvm}
 */
public record ChildJvm(String classPath, List<String> options, boolean isReplaced) {
  private static final int KEPT_LINES = 60;

  /** Copies the list. */
  public ChildJvm {
    options = List.copyOf(options);
  }

  /** A command that starts a child. */
  public ChildJvm(String classPath, List<String> options) {
    this(classPath, options, false);
  }

  /** Returns this command with further options. */
  public ChildJvm with(String... more) {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    return new ChildJvm(classPath, all, isReplaced);
  }

  /**
   * Returns this command for tests of what becomes of the results: measurements run in this JVM
   * with the options that it has, because a child takes longer to start than a small measurement
   * runs. Parameters and results are serialized as for a child; limits of a volume are not set.
   */
  public ChildJvm replacedByThisJvm() {
    return new ChildJvm(classPath, options, true);
  }

  /** Returns this command with a heap of that size and as much direct memory, in MiB. */
  public ChildJvm withMemory(int heapMib, int directMib) {
    return with("-Xmx" + heapMib + "m", "-XX:MaxDirectMemorySize=" + directMib + "m");
  }

  /**
   * Runs a measurement and waits for its end. If this JVM ends before, so does the child.
   *
   * @param volume limits for the child, set before it begins; or null
   * @throws IOException if the child fails; its message has the end of what it printed
   */
  public NamedValues run(String measurement, NamedValues parameters, @Nullable LimitedVolume volume)
      throws IOException {
    if (isReplaced) {
      return runHere(measurement, parameters);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, ChildMain.class.getName(), measurement));
    Process process = new ProcessBuilder(command).start();
    AtomicBoolean isEnding = new AtomicBoolean();
    Thread atExit =
        new Thread(
            () -> {
              isEnding.set(true);
              process.destroyForcibly();
            },
            "child-jvm-end");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      if (volume != null) {
        volume.add(process.pid());
      }
      return talk(process, measurement, parameters);
    } catch (IOException e) {
      if (isEnding.get()) {
        throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
      }
      throw e;
    } finally {
      process.destroyForcibly();
      waitFor(process);
      try {
        Runtime.getRuntime().removeShutdownHook(atExit);
      } catch (IllegalStateException e) {
        // This JVM is ending, and the hook has ended the child.
      }
    }
  }

  private static NamedValues runHere(String measurement, NamedValues parameters)
      throws IOException {
    try {
      NamedValues result = ChildMain.measure(measurement, NamedValues.parse(parameters.toJson()));
      return NamedValues.parse(result.toJson());
    } catch (Exception e) {
      throw new IOException(failed(measurement) + ": " + e, e);
    }
  }

  private static String failed(String measurement) {
    return "the measurement " + measurement.substring(measurement.lastIndexOf('.') + 1) + " failed";
  }

  private static NamedValues talk(Process process, String measurement, NamedValues parameters)
      throws IOException {
    Deque<String> errors = new ArrayDeque<>();
    Thread reader = new Thread(() -> drain(process, errors), "child-jvm-errors");
    reader.setDaemon(true);
    reader.start();
    String result;
    try {
      try (OutputStream in = process.getOutputStream()) {
        in.write(parameters.toJson().getBytes(StandardCharsets.UTF_8));
      }
      result = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      // The child has ended, or will; its output says more than a broken pipe.
      result = "";
    }
    int code = waitFor(process);
    if (code != 0 || result.isBlank()) {
      join(reader);
      throw new IOException(failed(measurement) + " with exit code " + code + ": " + text(errors));
    }
    return NamedValues.parse(result.trim());
  }

  private static void drain(Process process, Deque<String> lines) {
    try (BufferedReader errors = new BufferedReader(process.errorReader(StandardCharsets.UTF_8))) {
      for (String line = errors.readLine(); line != null; line = errors.readLine()) {
        synchronized (lines) {
          lines.add(line);
          if (lines.size() > KEPT_LINES) {
            lines.remove();
          }
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // The stream was closed: no more lines.
    }
  }

  private static String text(Deque<String> lines) {
    synchronized (lines) {
      return lines.isEmpty() ? "it printed nothing" : String.join("\n  ", lines);
    }
  }

  private static int waitFor(Process process) throws InterruptedIOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a measurement ran");
    }
  }

  private static void join(Thread thread) throws InterruptedIOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a measurement ended");
    }
  }
}
