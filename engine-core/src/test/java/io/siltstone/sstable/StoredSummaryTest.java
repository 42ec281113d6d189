package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StoredSummaryTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  @Test
  void levelsBeyondAllThereAreCountTogether() throws IOException {
    SimpleTable simple = new SimpleTable(FormatVersion.OA);
    TableModel model = simple.partition(SimpleTable.key((byte) 1), simple.row(1, 10)).model();
    MemoryDirectory directory = new MemoryDirectory();
    Descriptor low = Descriptor.of(FormatVersion.OA, 1);
    Descriptor high = Descriptor.of(FormatVersion.OA, 2);
    write(model, directory, low, 3);
    write(model, directory, high, Integer.MAX_VALUE);
    try (SSTable first = SSTable.open(directory, low, SSTableOptions.DEFAULT, memory);
        SSTable second = SSTable.open(directory, high, SSTableOptions.DEFAULT, memory)) {
      StoredSummary summary = StoredSummary.of(List.of(first, second), 0);
      List<Integer> levels = summary.levels().sstables();
      assertThat(levels).hasSize(100).endsWith(1);
      assertThat(levels.get(3)).isEqualTo(1);
      assertThat(summary.levels().bytes().get(99)).isPositive();
    }
  }

  private void write(TableModel model, MemoryDirectory directory, Descriptor descriptor, int level)
      throws IOException {
    SSTableWriterOptions options = SSTableWriterOptions.builder().level(level).build();
    ModelTables.write(model, directory, descriptor, options, memory);
  }
}
