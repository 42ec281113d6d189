package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.io.NioOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/configuration.md. */
class ConfigurationTest {
  @TempDir private Path directory;

  @Test
  void threeLayers() throws Exception {
    CompactionService compaction =
        new CompactionService(
            CompactionOptions.builder().compactors(2).bytesPerSecond(100 << 20).build());
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(2L << 30)
            .memtableBytes(512 << 20)
            .chunkCacheBytes(1 << 30)
            .files(NioOptions.DEFAULT.withDirectIo(true, true))
            .commitLog(CommitLogOptions.builder().syncMode(SyncMode.GROUP).build())
            .compaction(compaction)
            .build();
    try (Database db = Database.open(directory, options)) {
      db.createTable(
          """
          CREATE TABLE app.events (id uuid, at timestamp, body text, PRIMARY KEY (id, at))
              WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '4'}
              AND compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '160'}
          """);
      db.alterTable("app", "events", "ALTER TABLE app.events WITH gc_grace_seconds = 3600");
      compaction.bytesPerSecond(0); // at once, also for jobs that run
    }

    try (Database again = Database.open(directory, options)) {
      assertEquals(3600, again.table("app", "events").schema().options().gcGraceSeconds());
    }
    assertEquals(0, compaction.bytesPerSecond());
  }
}
