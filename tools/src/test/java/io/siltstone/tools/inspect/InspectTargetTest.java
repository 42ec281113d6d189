package io.siltstone.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class InspectTargetTest {
  private final Terminal terminal =
      Terminal.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());

  @TempDir private Path directory;

  @Test
  void filtersMayTakeAllTheMemoryThereIs() throws IOException {
    try (Database made =
        Database.open(directory, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      assertThat(made.createTable("CREATE TABLE ks.rows (k int PRIMARY KEY)")).isNotNull();
    }
    InspectTarget target =
        CommandLine.populateCommand(new InspectTarget(terminal), directory.toString());
    try (InspectedTable opened = target.open()) {
      assertThat(opened.database().statistics().offHeap().limitBytes())
          .isEqualTo(ToolMemory.UNLIMITED_BYTES);
    }
  }
}
