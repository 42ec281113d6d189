package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadAheadExperimentTest {
  @TempDir Path directory;

  @Test
  void tellsWhatTheBufferDoesBesideThePublishedFigures() throws IOException {
    Tiny tiny = new Tiny();
    String text = tiny.run(new ReadAheadExperiment(), directory).markdown();
    assertThat(text)
        .contains("On the limited volume compaction with the 256 KiB buffer is ")
        .contains("published 51 → 106")
        .contains("| reads per second, without and with | 3,000 → 500 | ")
        .contains("| 3,000 reads/s and 125 MiB/s, 256 KiB buffer, direct I/O | ")
        .contains("files-read-by-compaction-mb-s.")
        .contains("each in its own JVM")
        .contains("3,000 reads/s and 125 MiB/s by a throttling file layer in the engine's process")
        .contains("Memory is not limited to 512 MiB, because there is no memory controller")
        .contains("The page cache was not dropped between the rounds");
    assertThat(tiny.progress).hasSize(1 + 6);
    assertThat(directory).isEmptyDirectory();
  }
}
