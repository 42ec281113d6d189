package io.siltstone.bench.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class ReadAheadGuardTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void changed() throws IOException {
    file = Files.writeString(directory.resolve("read ahead kb"), "4");
  }

  /** When the process dies, the pipe to the guard ends. */
  @Test
  void itRestoresTheValueIfTheProcessDies() throws Exception {
    Process guard = new ProcessBuilder(ReadAheadGuard.command(file, "8192")).start();
    guard.getOutputStream().close();
    assertThat(guard.waitFor()).isZero();
    assertThat(file).hasContent("8192");
  }

  @Test
  void itLeavesTheValueIfItIsClosed() throws Exception {
    ReadAheadGuard.start(file, "8192").close();
    Process guard = new ProcessBuilder(ReadAheadGuard.command(file, "8192")).start();
    guard.getOutputStream().write("done\n".getBytes(StandardCharsets.US_ASCII));
    guard.getOutputStream().close();
    assertThat(guard.waitFor()).isZero();
    assertThat(file).hasContent("4");
  }
}
