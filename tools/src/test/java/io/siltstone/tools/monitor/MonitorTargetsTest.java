package io.siltstone.tools.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.tools.terminal.DamageReporter;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitorTargetsTest {
  private static final Terminal NOWHERE =
      Terminal.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());

  @TempDir private Path directory;

  @Test
  void filtersMayTakeAllTheMemoryThereIs() throws IOException {
    Database.open(directory, DatabaseOptions.builder().compaction(Compaction.none()).build())
        .close();
    try (Database opened =
        MonitorTargets.open(directory, new KeyFileOption(NOWHERE), new DamageReporter(NOWHERE))) {
      assertThat(opened.statistics().offHeap().limitBytes()).isEqualTo(ToolMemory.UNLIMITED_BYTES);
    }
  }
}
