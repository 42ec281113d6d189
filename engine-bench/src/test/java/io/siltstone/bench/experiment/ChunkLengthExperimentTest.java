package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkLengthExperimentTest {
  @TempDir Path directory;

  @Test
  void comparesAllLengthsAndTellsThePrice() throws IOException {
    Tiny tiny = new Tiny();
    String text = tiny.run(new ChunkLengthExperiment(), directory).markdown();
    assertThat(text)
        .contains("With chunks of 4 KiB the store is ")
        .contains("; published 44k → 62k, 1.4 times)")
        .contains("| operations per second, 64 → 4 KiB | 44k → 62k | ")
        .contains("| memory for chunk offsets, 4 KiB relative to 64 KiB | 16 times | ")
        .contains("2,000 rows");
    for (int kib : new int[] {4, 16, 64}) {
      assertThat(text).contains("\n| LZ4 | " + kib + " | ");
    }
    assertThat(text)
        .contains("With a compression dictionary (Zstandard), chunks of 4 KiB take ")
        .contains("## On a cloud volume")
        .contains("## In the page cache");
    // The variant is in all three tables.
    assertThat(text.split("\n\\| Zstd \\+ dictionary \\| 4 \\| ", -1)).hasSize(4);
    assertThat(tiny.progress).hasSize(1 + 4 + 2 + 2);
    assertThat(directory).isEmptyDirectory();
  }
}
