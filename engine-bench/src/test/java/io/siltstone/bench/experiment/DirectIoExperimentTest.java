package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectIoExperimentTest {
  @TempDir Path directory;

  @Test
  void tellsHowLongReadsTakeBesideACompaction() throws IOException {
    Tiny tiny = new Tiny();
    String text = tiny.run(new DirectIoExperiment(), directory).markdown();
    assertThat(text)
        .contains("While another table is compacted, 99 % of reads end within ")
        .contains("| 99 % of reads within | 16.2 → 1.9 ms | ")
        .contains("| compaction with direct I/O | ")
        .contains("latency-of-reads.png")
        .contains("each in its own JVM");
    // Nothing was compacted beside the first, something beside the others.
    assertThat(tiny.progress.get(1)).contains("no compaction").endsWith("compacted 0 MB/s");
    assertThat(tiny.progress.subList(2, 4))
        .allSatisfy(line -> assertThat(line).doesNotEndWith("compacted 0 MB/s"));
    assertThat(directory).isEmptyDirectory();
  }
}
