package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.DatabaseStatistics;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.compaction.CompactionService;
import io.siltstone.maintenance.CompactionRequest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/tuning.md. */
class TuningTest {
  @TempDir private Path directory;

  @Test
  void statistics() throws Exception {
    CompactionService compaction = new CompactionService();
    DatabaseOptions options = DatabaseOptions.builder().compaction(compaction).build();
    try (Database db = Database.open(directory, options)) {
      Table table = db.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
      for (int k = 0; k < 100; k++) {
        table.write(table.mutation(k).insert().set("v", "value " + k).build());
      }
      table.flush();
      for (int k = 0; k < 200; k++) {
        table.get(table.query().partition(k).build());
      }

      TableStatistics now = table.statistics();
      System.out.println("SSTables per read " + now.reads().sstables());
      System.out.println("microseconds per read " + now.reads().readMicros());
      System.out.println("chunks from the disk per read " + now.reads().chunks());
      System.out.println(
          "ratio " + (double) now.sstables().onDiskBytes() / now.sstables().dataBytes());
      System.out.println("off-heap for filters and offsets " + now.sstables().offHeapBytes());
      System.out.println("write amplification " + now.traffic().writeAmplification());
      System.out.println("compaction is behind by " + now.compaction().debtBytes());

      DatabaseStatistics all = db.statistics();
      System.out.println("chunk cache " + all.chunkCache().hitRate());
      System.out.println("off-heap " + all.offHeap().bytesByKind());

      assertEquals(1, now.sstables().count());
      assertTrue(now.reads().sstables().count() > 0);
      assertTrue(all.chunkCache().hitRate() > 0.5);

      compaction.bytesPerSecond(100 << 20); // of all jobs together, at once
      compaction.pause();
      compaction.resume();
      assertEquals(100 << 20, compaction.bytesPerSecond());

      db.alterTable(
          "app",
          "t",
          "ALTER TABLE app.t WITH compression ="
              + " {'class': 'LZ4Compressor', 'chunk_length_in_kb': '4'}");
      table
          .compact(CompactionRequest.of(CompactionRequest.Operation.RECOMPRESS))
          .toCompletableFuture()
          .get()
          .orThrow();

      assertEquals(4096, table.schema().options().compression().chunkLengthBytes());
    }
  }
}
