package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.task.TaskOptions.OverlappingTombstones;
import io.siltstone.files.ReadThrottle;
import io.siltstone.io.NioDirectory;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A task allocates no more for many partitions, rows and cells than for few: neither for merged nor
 * for purged, converted or left out ones.
 */
class TaskAllocationTest {
  private static final int WARM_UP = 500;
  private static final int FEW = 2_000;

  /** From this many partitions on, the estimate of their number has a fixed size. */
  private static final int PARTITIONS = 7_000;

  private static final int MANY = 6 * FEW;

  /** Buffers that grow, and the bookkeeping of filter and index. */
  private static final long TOLERANCE = 512 << 10;

  private static final String USER_TYPES =
      "CREATE TYPE ks.pair (a int, b text);"
          + " CREATE TABLE ks.t (k int, c int, u pair, PRIMARY KEY (k, c));";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  @TempDir Path folder;
  private int folders;

  /**
   * Partitions of a few rows with much deleted data, in three SSTables and one outside of the task.
   */
  private long allocated(int partitions, int rows, OverlappingTombstones level) throws IOException {
    Path own = Files.createDirectory(folder.resolve("f" + folders++));
    try (TaskTables tables = TaskTables.open(NioDirectory.open(own), leaks.memory())) {
      Set<Descriptor> inputs = new HashSet<>();
      for (int table = 0; table < 3; table++) {
        int first = table;
        inputs.add(
            tables.flush(
                writes -> {
                  for (int key = 0; key < partitions; key++) {
                    for (int c = 0; c < rows; c++) {
                      int row = c + first;
                      writes.at(
                          10 + first,
                          key,
                          b ->
                              b.insert(row)
                                  .set("v", "value")
                                  .set("m", Map.of(1, first, 2, row))
                                  .ttl(10)
                                  .update(row)
                                  .set("w", "expires"));
                    }
                    writes.at(9, key, b -> b.deleteRange(ClusteringRange.all().from(1).to(2)));
                    writes.at(12, key, b -> b.update(0).delete("v"));
                  }
                }));
      }
      tables.flush(
          writes -> {
            for (int key = 0; key < partitions; key += 2) {
              writes.at(11, key, b -> b.deleteRow(1));
              writes.at(11, key, b -> b.update(2).set("v", "newer"));
            }
          });
      TaskOptions options =
          tables
              .options(1000)
              .resources(TestResources.reading(64 << 10, ReadThrottle.NONE))
              .overlappingTombstones(level)
              .build();
      long before = THREADS.getCurrentThreadAllocatedBytes();
      JobReport report = tables.compact(inputs, options);
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertThat(report.purge().tombstones()).isGreaterThanOrEqualTo(partitions / 2);
      assertThat(report.purge().expiredCells()).isGreaterThanOrEqualTo(partitions / 2);
      return bytes;
    }
  }

  /** Rows with the fields of a user type, some of which are newer in another SSTable. */
  private long allocatedOfUserTypes(int rows) throws IOException {
    Path own = Files.createDirectory(folder.resolve("f" + folders++));
    try (TaskTables tables = TaskTables.open(USER_TYPES, NioDirectory.open(own), leaks.memory())) {
      Set<Descriptor> inputs = new HashSet<>();
      for (int table = 0; table < 3; table++) {
        int written = table;
        inputs.add(
            tables.flush(
                writes ->
                    writes.at(
                        10 + written,
                        1,
                        change -> {
                          for (int row = 0; row < rows; row++) {
                            change.update(row + written);
                            if (written == 0) {
                              change.set("u", Map.of("a", row, "b", "whole"));
                            } else {
                              change.setField("u", "b", written == 1 ? "newer" : null);
                            }
                          }
                        })));
      }
      TaskOptions options =
          tables
              .options(1000)
              .resources(TestResources.reading(64 << 10, ReadThrottle.NONE))
              .build();
      long before = THREADS.getCurrentThreadAllocatedBytes();
      JobReport report = tables.compact(inputs, options);
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertThat(report.written().rows()).isEqualTo(rows + 2);
      return bytes;
    }
  }

  @Test
  void manyRowsWithUserTypesCostNoMoreThanFew() throws IOException {
    allocatedOfUserTypes(WARM_UP);
    long few = allocatedOfUserTypes(FEW);
    long many = allocatedOfUserTypes(MANY);
    assertThat(many - few).as("%s and %s", few, many).isLessThan(TOLERANCE);
  }

  @Test
  void manyPartitionsCostNoMoreThanFew() throws IOException {
    allocated(WARM_UP, 3, OverlappingTombstones.CELL);
    long few = allocated(PARTITIONS, 3, OverlappingTombstones.CELL);
    long many = allocated(3 * PARTITIONS, 3, OverlappingTombstones.CELL);
    assertThat(many - few).as("%s and %s", few, many).isLessThan(TOLERANCE);
  }

  @Test
  void manyRowsOfOnePartitionCostNoMoreThanFew() throws IOException {
    for (OverlappingTombstones level : OverlappingTombstones.values()) {
      allocated(1, WARM_UP, level);
      long few = allocated(1, FEW, level);
      long many = allocated(1, MANY, level);
      assertThat(many - few).as("%s: %s and %s", level, few, many).isLessThan(TOLERANCE);
    }
  }
}
