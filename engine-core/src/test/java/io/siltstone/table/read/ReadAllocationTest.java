package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.siltstone.cache.ChunkCache;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.ReadCaches;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Slice;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A read of a partition allocates the cursor that the caller sees, and nothing else. */
class ReadAllocationTest {
  private static final int KEYS = 100;
  private static final int WARM_UP = 20_000;
  private static final int READS = 20_000;
  private static final long BYTES_OF_A_CURSOR = 32;

  // What statistics and caches allocate once in a while.
  private static final long FEW_BYTES = 1 << 17;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  @Test
  void aCachedReadAllocatesItsCursorOnly() throws IOException {
    try (ChunkCache chunks = ChunkCache.withCapacity(16 << 20, memory);
        TestedTable table =
            new TestedTable(
                SchemaParser.parse(
                        "CREATE TABLE ks.t (k int, c int, a int, b text, PRIMARY KEY (k, c))")
                    .onlyTable(),
                Partitioner.MURMUR3,
                leaks.watch(new MemoryDirectory()),
                new ReadCaches(chunks, KeyCache.withCapacity(1 << 20)),
                memory)) {
      for (int round = 0; round < 4; round++) {
        for (int k = 0; k < KEYS; k++) {
          table.write(
              table
                  .mutation(k)
                  .timestamp(round)
                  .insert(round % 2)
                  .set("a", k)
                  .set("b", "x".repeat(500))
                  .build());
        }
        if (round < 3) {
          table.flush();
        }
      }
      List<Read.OfPartition> reads = reads(table);
      read(table, reads, WARM_UP);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      int rows = read(table, reads, READS);
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertThat(rows).isEqualTo(2 * READS);
      assertThat(allocated).isLessThan(READS * BYTES_OF_A_CURSOR + FEW_BYTES);
      assertThat(table.sources().statistics().summary().sstables().count())
          .isEqualTo(WARM_UP + READS);
      assertThat(table.sources().statistics().summary().chunks().max()).isPositive();
    }
  }

  private static List<Read.OfPartition> reads(TestedTable table) {
    List<Slice> everything = List.of(Slice.all(table.encoding()));
    List<Read.OfPartition> reads = new ArrayList<>();
    for (int k = 0; k < KEYS; k++) {
      byte[] bytes = CqlTypes.INT.encode(k);
      PartitionKey key = PartitionKey.of(bytes, Partitioner.MURMUR3.token(bytes, 0, bytes.length));
      reads.add(new Read.OfPartition(key, everything, k % 5 == 0));
    }
    return reads;
  }

  private static int read(TestedTable table, List<Read.OfPartition> reads, int count)
      throws IOException {
    int rows = 0;
    for (int i = 0; i < count; i++) {
      try (PartitionCursor cursor = table.sources().open(reads.get(i % reads.size()))) {
        while (cursor.nextPartition()) {
          while (cursor.nextUnfiltered()) {
            rows++;
          }
        }
      }
    }
    return rows;
  }
}
