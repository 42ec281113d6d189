package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WidePartitionExperimentTest {
  @TempDir Path directory;

  @Test
  void tellsTimeHeapAndLatencyForEachSize() throws IOException {
    Tiny tiny = new Tiny();
    String text = tiny.run(new WidePartitionExperiment(), directory).markdown();
    assertThat(text)
        .contains("A partition of 5,000 rows (")
        .contains("With 2.50 times the rows")
        .contains("| 30 million rows take | 12 GB | not measured; use --full |")
        .contains("| 5,000 in 64 MB, none failed |")
        .contains("heap-in-use-2-000-rows-heap-64-mb.")
        .contains("| 5,000 rows, heap 64 MB | 100 rows backward from a random one | ");
    assertThat(tiny.progress).hasSize(2);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void theHeapOverTimeKeepsItsPeaksInFewPoints() {
    try (HeapOverTime heap = HeapOverTime.begin()) {
      heap.beginPhase();
      long huge = 1L << 50;
      for (long i = 0; i < 10_000; i++) {
        heap.add(i == 7_777 ? huge : 1_000 + i);
      }
      assertThat(heap.points()).hasSizeBetween(200, 400).contains(huge);
      assertThat(heap.phasePeakBytes()).isEqualTo(huge);
    }
  }
}
