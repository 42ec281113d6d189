package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.MemoryKind;
import io.siltstone.model.Contents;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The memory and threads of a database that is open for reading only. */
class ReadOnlyCostTest {
  private static final int ROWS = 5000;

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("siltstone-"))
        .count();
  }

  @Test
  void itTakesWhatItReads() throws IOException {
    Directory root = new MemoryDirectory();
    try (Database writer =
        Database.open(root, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = writer.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      for (int k = 0; k < ROWS; k++) {
        table.write(table.mutation(k).insert().set("v", "x".repeat(200)).build());
      }
    }
    DatabaseOptions options =
        DatabaseOptions.builder().readOnly(true).memoryBytes(2 << 20).scanThreads(0).build();
    long before = threads();
    try (Database reader = Database.open(root, options)) {
      Table table = reader.table("w", "t");
      Map<MemoryKind, Long> kinds = reader.statistics().offHeap().bytesByKind();
      assertThat(kinds.get(MemoryKind.MEMTABLE)).isZero();
      assertThat(kinds.get(MemoryKind.CHUNK_CACHE)).isZero();
      // A filter, a summary and chunk offsets.
      assertThat(reader.statistics().offHeap().bytes()).isBetween(1L, 3L * ROWS);
      assertThat(table.get(table.query().partition(1).build())).isPresent();
      assertThat(reader.statistics().offHeap().bytesByKind().get(MemoryKind.CHUNK_CACHE))
          .isBetween(1L, 100_000L);
      assertThat(Contents.count(table)).isEqualTo(ROWS);
      assertThat(reader.refresh()).isTrue();
      assertThat(threads()).isEqualTo(before);
    }
    assertThat(threads()).isEqualTo(before);
  }
}
