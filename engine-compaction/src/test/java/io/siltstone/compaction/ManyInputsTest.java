package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.model.Contents;
import io.siltstone.testkit.LeakChecking;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManyInputsTest {
  private static final int SSTABLES = 75 * Integer.getInteger("siltstone.scale", 1);
  private static final int ROWS = 30;
  private static final int VALUE_BYTES = 10_000;

  /** Full buffers for each input would take a megabyte, or a quarter of it with one thread. */
  private static final int MEMORY = 44 << 20;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());

  @ParameterizedTest
  @CsvSource({"0, 262144", "1, 262144", "1, 0"})
  void aMajorCompactionOfManyNeedsNoMoreMemoryThanOfFew(int pipelineThreads, int readAheadBytes)
      throws Exception {
    CompactionService service =
        new CompactionService(
            CompactionOptions.builder()
                .bytesPerSecond(0)
                .pipelineThreads(pipelineThreads)
                .readAheadBytes(readAheadBytes)
                .subCompactions(1)
                .build());
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(service)
            .memtableBytes(1 << 20)
            .chunkCacheBytes(0)
            .memoryBytes(MEMORY)
            .build();
    try (Database database = Database.open(disk, options)) {
      Table table =
          database.createTable(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v blob) WITH compaction ="
                  + " {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
      Random random = new Random(1);
      byte[] value = new byte[VALUE_BYTES];
      for (int i = 0; i < SSTABLES; i++) {
        for (int k = 0; k < ROWS; k++) {
          random.nextBytes(value);
          table.write(
              table
                  .mutation(i + SSTABLES * k)
                  .insert()
                  .set("v", ByteBuffer.wrap(value.clone()))
                  .build());
        }
        table.flush();
      }
      assertThat(table.live().tables()).hasSizeGreaterThanOrEqualTo(SSTABLES);
      CompactionReport report =
          table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join();
      assertThat(report.failed()).isEmpty();
      assertThat(table.live().tables()).hasSize(1);
      assertThat(Contents.count(table)).isEqualTo((long) SSTABLES * ROWS);
    }
  }
}
