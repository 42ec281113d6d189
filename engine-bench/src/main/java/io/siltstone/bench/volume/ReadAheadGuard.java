package io.siltstone.bench.volume;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A child process that restores the read-ahead of a disk if this process dies before, even when it
 * is killed. It is a shell that waits for a word on its standard input, and writes the file if the
 * input ends without it. Confined to one thread.
 */
final class ReadAheadGuard implements Closeable {
  private static final String DONE = "done\n";

  private final Process process;

  private ReadAheadGuard(Process process) {
    this.process = process;
  }

  /**
   * Starts the guard.
   *
   * @param file of the kernel
   * @param value to be restored
   */
  static ReadAheadGuard start(Path file, String value) throws IOException {
    return new ReadAheadGuard(
        new ProcessBuilder(command(file, value))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start());
  }

  /** Returns the command; a signal to all processes of a terminal does not end it. */
  static List<String> command(Path file, String value) {
    return List.of(
        "/bin/sh",
        "-c",
        "trap '' HUP INT TERM; read -r word; [ \"$word\" = done ] || printf %s \"$2\" > \"$1\"",
        "siltstone-read-ahead",
        file.toString(),
        value);
  }

  /** Ends the guard, because the value has been restored. */
  @Override
  public void close() throws IOException {
    try (OutputStream word = process.getOutputStream()) {
      word.write(DONE.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
