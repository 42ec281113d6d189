package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.siltstone.io.NioDirectory;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commit of a bulk load allocates no more for many rows and partitions than for few. */
class BulkWriterAllocationTest {
  private static final TableSchema TABLE =
      SchemaParser.parse("CREATE TABLE w.t (k int, c int, v text, PRIMARY KEY (k, c))").onlyTable();
  private static final int FEW = 15_000;
  private static final int MANY = 10 * FEW;

  /** Buffers of runs, and the bookkeeping of filter and index. */
  private static final long TOLERANCE = 1 << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder;

  /** Returns what the commit of rows allocates, of which one in five is there twice. */
  private long allocated(int rows, String name) throws IOException {
    try (BulkWriter writer =
        BulkWriter.into(NioDirectory.open(folder.resolve(name)), TABLE)
            .memoryBytes(50L * rows)
            .open()) {
      for (int i = 0; i < rows; i++) {
        int row = (int) (i * 7919L % (rows * 4L / 5));
        writer.add(writer.mutation(row / 3).insert(row % 3).set("v", "v" + i % 10).build());
      }
      long before = THREADS.getCurrentThreadAllocatedBytes();
      BulkWriter.Result result = writer.commit();
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertThat(result.rows()).isEqualTo(rows * 4L / 5);
      assertThat(result.runs()).isEqualTo(2);
      return bytes;
    }
  }

  @Test
  void aCommitAllocatesNothingPerRow() throws IOException {
    allocated(FEW, "warm");
    assertThat(allocated(MANY, "many") - allocated(FEW, "few")).isLessThan(TOLERANCE);
  }
}
