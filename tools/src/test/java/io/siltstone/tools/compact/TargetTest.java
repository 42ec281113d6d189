package io.siltstone.tools.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TargetTest {
  @TempDir private Path directory;

  @Test
  void filtersMayTakeAllTheMemoryThereIs() throws IOException {
    try (Database made =
        Database.open(directory, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      assertThat(made.createTable("CREATE TABLE ks.rows (k int PRIMARY KEY)")).isNotNull();
    }
    Target target = CommandLine.populateCommand(new Target(), directory.toString());
    try (OpenTable opened = target.open(target.service(), false)) {
      assertThat(((Database) opened.opened()).statistics().offHeapLimitBytes())
          .isEqualTo(ToolMemory.UNLIMITED_BYTES);
    }
  }
}
