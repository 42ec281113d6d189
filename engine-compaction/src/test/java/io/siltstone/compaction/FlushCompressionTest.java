package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.FlushCompression;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.rows.Row;
import io.siltstone.spi.LiveTable;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A flush may compress differently from the table's option; a compaction follows the option. */
class FlushCompressionTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @ParameterizedTest
  @CsvSource({"TABLE, ZstdCompressor", "FAST, LZ4Compressor", "NONE, NoopCompressor"})
  void ofAFlushAndOfTheCompactionAfterIt(FlushCompression flush, String flushed)
      throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .flushCompression(flush)
            .compaction(new CompactionService(CompactionOptions.builder().build()))
            .build();
    try (Database db = Database.open(new MemoryDirectory(), options)) {
      Table table =
          db.createTable(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compression ="
                  + " {'class': 'ZstdCompressor', 'chunk_length_in_kb': 4} AND compaction ="
                  + " {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
      for (int k = 0; k < 2; k++) {
        table.write(table.mutation(k).insert().set("v", "value ".repeat(1_000)).build());
        table.flush();
      }
      assertThat(table.live().tables())
          .extracting(live -> live.compression().className())
          .containsExactly(flushed, flushed);
      requireRows(table);

      table
          .compact(CompactionRequest.of(Operation.MAJOR))
          .toCompletableFuture()
          .orTimeout(60, TimeUnit.SECONDS)
          .join()
          .orThrow();

      assertThat(table.live().tables())
          .extracting(LiveTable::compression)
          .extracting(CompressionOptions::className)
          .containsExactly("ZstdCompressor");
      requireRows(table);
    }
  }

  private static void requireRows(Table table) throws IOException {
    for (int k = 0; k < 2; k++) {
      Row row = table.get(table.query().partition(k).build()).orElseThrow();
      assertThat(row.get("v")).isEqualTo("value ".repeat(1_000));
    }
  }
}
