package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.Siltstone;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Runs Siltstone's commands in this JVM. */
final class CommandLineRun {
  private CommandLineRun() {}

  /** Runs a command, which must succeed; returns what it printed. */
  static String run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Siltstone.run(arguments, out, err);
    assertThat(code)
        .as(String.join(" ", arguments) + ": " + err.toString(StandardCharsets.UTF_8))
        .isZero();
    return out.toString(StandardCharsets.UTF_8);
  }
}
