package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrategiesExperimentTest {
  @TempDir Path directory;

  @Test
  void comparesSSTablesLatencyAndAmplifications() throws IOException {
    Tiny tiny = new Tiny();
    String text = tiny.run(new StrategiesExperiment(), directory).markdown();
    assertThat(text)
        .contains("; published 12 → 3), and the slowest hundredth takes ")
        .contains("| SSTables per read, median | 12 → 3 | ")
        .contains("\n| size-tiered | 2 | ")
        .contains("\n| time-window | 20 | ")
        .contains("\n| leveled | 20 | ")
        .contains("\n| unified | 20 | ")
        .contains("sstables-per-read-on-average.");
    assertThat(tiny.progress).hasSize(4);
    assertThat(directory).isEmptyDirectory();
  }
}
