package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cursors of reads whose steps fail. */
class OpenCursorTest {
  private static final int TABLES = 3;
  private static final int PARTITIONS = 4;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private static TestedTable open(Directory directory, MemoryBudget memory) throws IOException {
    return TestedTable.of("CREATE TABLE ks.t (k int PRIMARY KEY, a int)", directory, memory);
  }

  private static void walk(PartitionCursor cursor, int[] partitions) throws IOException {
    while (cursor.nextPartition()) {
      while (cursor.nextUnfiltered()) {
        cursor.unfiltered();
      }
      partitions[0]++;
    }
  }

  @Test
  void behindAFailureEachStepIsAnErrorAndNotTheEnd() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (TestedTable table = open(disk, memory)) {
      for (int i = 0; i < TABLES * PARTITIONS; i++) {
        table.write(table.mutation(i).insert().set("a", i).build());
        if (i % PARTITIONS == PARTITIONS - 1) {
          table.flush(table.switchMemtable());
        }
      }
    }
    int failures = 0;
    for (int call = 1; readsOnce(disk, call); call++) {
      failures++;
    }
    assertThat(failures).isGreaterThanOrEqualTo(TABLES);
  }

  /** Whether that one of the reads failed. */
  private boolean readsOnce(Directory disk, int call) throws IOException {
    Fault fault = Fault.on(Operation.READ).component("Data.db").call(call).fails("bad sector");
    try (TestedTable table = open(new FaultyDirectory(disk, 1, fault), memory);
        TableSnapshot snapshot = table.sources().snapshot();
        PartitionCursor cursor = snapshot.open(new Read.OfRange(PartitionRange.ALL))) {
      int[] partitions = {0};
      Throwable first = catchThrowable(() -> walk(cursor, partitions));
      if (first == null) {
        assertThat(partitions[0]).isEqualTo(TABLES * PARTITIONS);
        return false;
      }
      assertThat(first).isInstanceOf(IOException.class).hasMessageContaining("bad sector");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(cursor::nextPartition).isInstanceOf(IOException.class).hasCause(first);
        assertThatThrownBy(cursor::nextUnfiltered).isInstanceOf(IOException.class).hasCause(first);
      }
      return true;
    }
  }
}
