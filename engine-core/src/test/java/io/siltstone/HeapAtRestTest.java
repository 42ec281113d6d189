package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.mutation.Mutation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What large rows have taken of the heap is free again when nobody writes or reads them. */
class HeapAtRestTest {
  private static final int LARGE = 1 << 20;
  private static final int ROWS = 16;
  // A quarter of what the large values of one round have; what else the JVM does takes less.
  private static final long LITTLE = LARGE * ROWS / 4;
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .memtableBytes(256 << 20)
          .chunkCacheBytes(0)
          .memoryBytes(384 << 20)
          .build();

  @TempDir private Path temporary;

  @Test
  void ofRowsOfTables() throws IOException {
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table table =
          database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v blob, m map<int, blob>)");
      small(table);
      long before = usedHeap();
      for (int k = 0; k < ROWS; k++) {
        table.write(large(table, k));
      }
      assertThat(usedHeap() - before).as("writes").isLessThan(LITTLE);
      for (int k = 0; k < ROWS; k++) {
        table.write(table.mutation(k).update().put("m", 1, new byte[LARGE]).build());
      }
      assertThat(usedHeap() - before).as("writes that are merged").isLessThan(LITTLE);
      byEachThread(() -> read(table));
      assertThat(usedHeap() - before).as("reads of the memtable").isLessThan(LITTLE);
      table.flush();
      for (int k = 0; k < ROWS; k++) {
        table.write(table.mutation(k).update().put("m", 2, new byte[LARGE]).build());
      }
      byEachThread(() -> read(table));
      assertThat(usedHeap() - before).as("reads that are merged").isLessThan(LITTLE);
    }
  }

  @Test
  void ofEntriesOfStores() throws IOException {
    try (KeyValueStore store = KeyValueStore.open(temporary, OPTIONS)) {
      store.put(new byte[] {-1}, new byte[1]);
      long before = usedHeap();
      for (byte k = 0; k < ROWS; k++) {
        store.put(new byte[] {k}, new byte[LARGE]);
      }
      assertThat(usedHeap() - before).as("puts").isLessThan(LITTLE);
      byEachThread(() -> assertThat(store.get(new byte[] {0})).hasSize(LARGE));
      assertThat(usedHeap() - before).as("gets").isLessThan(LITTLE);
    }
  }

  private static Mutation large(Table table, int k) {
    return table.mutation(k).insert().set("v", ByteBuffer.allocate(LARGE)).build();
  }

  private static void small(Table table) throws IOException {
    table.write(table.mutation(-1).insert().put("m", 1, new byte[1]).build());
    table.write(table.mutation(-1).insert().put("m", 2, new byte[1]).build());
    assertThat(table.get(table.query().partition(-1).build())).isPresent();
  }

  private static void read(Table table) throws IOException {
    assertThat(table.get(table.query().partition(0).build())).isPresent();
  }

  private interface Reads {
    void run() throws IOException;
  }

  /** By as many threads as reads can rest, one after the other. */
  private static void byEachThread(Reads reads) {
    for (int i = 0; i < ROWS; i++) {
      CompletableFuture.runAsync(() -> run(reads), task -> new Thread(task).start()).join();
    }
  }

  private static void run(Reads reads) {
    try {
      reads.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long usedHeap() {
    // More than once, and the least, as other threads allocate.
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
