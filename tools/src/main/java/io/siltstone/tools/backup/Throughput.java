package io.siltstone.tools.backup;

import io.siltstone.tools.terminal.Units;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of the commands that copy: how many bytes they read and write a second at most. */
final class Throughput {
  private static final String NAME = "--throughput";

  @Option(
      names = NAME,
      paramLabel = "SIZE",
      description =
          "Copy at most SIZE a second, such as 64MiB; 0 for no limit, which is the default.")
  private @Nullable String size;

  /** Returns the limit in bytes per second; 0 for none. */
  long bytesPerSecond() {
    return size == null ? 0 : Units.parseBytes(NAME, size);
  }
}
