package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.ColumnVector;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.ColumnarRows;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Split;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Columnar reads of tables: of memtables and SSTables, snapshots, checkpoints and splits. */
class ColumnarReadsTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .columnIndexSizeBytes(1 << 10)
          .memtableBytes(8 << 20)
          .chunkCacheBytes(1 << 20)
          .scanThreads(0)
          .build();
  private static final DatabaseOptions READ_ONLY = OPTIONS.toBuilder().readOnly(true).build();
  private static final String TABLE =
      "CREATE TABLE w.t (k int, c int, s text static, v text, n bigint, m map<int, text>,"
          + " PRIMARY KEY (k, c))";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  @TempDir private Path temporary;

  @AfterEach
  void noThreadIsLeft() {
    Leftovers.requireNoThreads();
  }

  /** Writes and deletes at random; some of it is flushed. */
  private static void change(Table table, Random random, int changes) throws IOException {
    for (int i = 0; i < changes; i++) {
      int k = random.nextInt(20);
      int c = random.nextInt(50);
      switch (random.nextInt(12)) {
        case 0 -> table.write(table.mutation(k).deletePartition().build());
        case 1 -> table.write(table.mutation(k).deleteRow(c).build());
        case 2 -> table.write(table.mutation(k).set("s", "static " + i).build());
        case 3 -> table.write(table.mutation(k).update(c).put("m", i, "entry").build());
        case 4 -> table.write(table.mutation(k).update(c).delete("v").build());
        case 5 -> table.write(table.mutation(k).ttl(1000 + i).insert(c).set("n", (long) i).build());
        default ->
            table.write(
                table.mutation(k).insert(c).set("v", "v" + i).set("n", 1L << i % 60).build());
      }
      if (random.nextInt(200) == 0) {
        table.flush();
      }
    }
  }

  private static List<List<@Nullable Object>> rows(LiveRows rows) throws IOException {
    try (rows) {
      return rows.stream().map(ColumnarRows::of).toList();
    }
  }

  @Test
  void tablesSnapshotsAndCopiesShowWhatTheirRowsDo() throws IOException {
    Random random = new Random(11);
    Directory root = leaks.watch(new MemoryDirectory());
    Directory checkpoint = new MemoryDirectory();
    try (Database database = Database.open(root, OPTIONS)) {
      Table table = database.createTable(TABLE);
      change(table, random, 1500);
      Query query = table.query().nowSeconds(2_000_000_000L).build();
      List<List<@Nullable Object>> before = rows(table.read(query));
      assertThat(before).hasSizeGreaterThan(50);
      ColumnarReader reader = table.readColumns(query);
      database.checkpoint(checkpoint);
      change(table, random, 500);
      // The snapshot was taken before the changes.
      assertThat(ColumnarRows.all(reader, random)).isEqualTo(before);
      assertThat(ColumnarRows.all(table.readColumns(query), random))
          .isEqualTo(rows(table.read(query)))
          .isNotEqualTo(before);
      try (Database copy = Database.open(checkpoint, READ_ONLY)) {
        assertThat(ColumnarRows.all(copy.table("w", "t").readColumns(query), random))
            .isEqualTo(before);
      }
      Directory keyspace = checkpoint.directory("data").directory("w");
      Directory files = keyspace.directory(keyspace.directories().get(0));
      try (OfflineTable offline = OfflineTable.open(files, null, null, READ_ONLY)) {
        assertThat(ColumnarRows.all(offline.readColumns(query), random)).isEqualTo(before);
      }
    }
    leaks.requireNothingOpen();
  }

  @Test
  void splitsHaveEachRowOnce() throws IOException {
    Random random = new Random(12);
    try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
      Table table = database.createTable(TABLE);
      for (int c = 0; c < 500; c++) {
        table.write(table.mutation(100).insert(c).set("v", "x".repeat(50)).build());
      }
      change(table, random, 2000);
      table.write(table.mutation(200).set("s", "alone").build());
      table.flush();
      List<List<@Nullable Object>> all = new ArrayList<>();
      List<Split> splits = table.splits(10_000);
      assertThat(splits).hasSizeGreaterThan(4).anyMatch(Split::isOfRows);
      for (Split split : splits) {
        Query query = table.query().split(split).nowSeconds(2_000_000_000L).build();
        all.addAll(ColumnarRows.all(table.readColumns(query), random));
      }
      Query whole = table.query().nowSeconds(2_000_000_000L).build();
      assertThat(all).isEqualTo(rows(table.read(whole)));
    }
  }

  @Test
  void readersEndWithTheirDatabase() throws IOException {
    Database database = Database.open(new MemoryDirectory(), OPTIONS);
    Table table = database.createTable(TABLE);
    change(table, new Random(13), 300);
    Query query = table.query().build();
    ColumnarReader reader = table.readColumns(query);
    @Nullable ColumnVector[] none = new ColumnVector[reader.columns().size()];
    assertThat(reader.fill(none, 3)).isEqualTo(3);
    assertThat(database.statistics().openHandles()).isEqualTo(1);
    database.close();
    assertThatThrownBy(() -> reader.fill(none, 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the rows were closed");
    reader.close();
    assertThatThrownBy(() -> table.readColumns(query)).isInstanceOf(IllegalStateException.class);
  }

  /** Adds up what it gets. */
  private static final class Sum implements ColumnVector {
    private long sum;

    @Override
    public void putNull(int row) {
      sum++;
    }

    @Override
    public void putLong(int row, long value) {
      sum += value;
    }

    @Override
    public void putBytes(int row, byte[] from, int offset, int length) {
      sum += length == 0 ? 0 : from[offset];
    }
  }

  @Test
  void nothingIsAllocatedPerRow() throws IOException {
    int partitions = 100;
    int rows = 250;
    try (Database database = Database.open(temporary, OPTIONS)) {
      Table table = database.createTable(TABLE);
      for (int half = 0; half < 2; half++) {
        for (int k = half; k < partitions; k += 2) {
          table.write(table.mutation(k).set("s", "static").build());
          for (int c = 0; c < rows; c++) {
            table.write(
                table
                    .mutation(k)
                    .insert(c)
                    .set("v", "value")
                    .set("n", (long) c)
                    .put("m", c, "e")
                    .build());
          }
        }
        if (half == 0) {
          table.flush();
        }
      }
      Query few = table.query().limit(5_000).build();
      Query all = table.query().build();
      Sum sum = new Sum();
      ColumnVector[] vectors = {sum, sum, sum, sum, sum, sum};
      for (int i = 0; i < 3; i++) {
        scan(table, few, vectors, 5_000);
        scan(table, all, vectors, partitions * rows);
      }
      // The least of several: a pool of buffers that other reads have emptied is filled once.
      long more = Long.MAX_VALUE;
      for (int i = 0; i < 3; i++) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        scan(table, few, vectors, 5_000);
        long ofFew = THREADS.getCurrentThreadAllocatedBytes() - before;
        scan(table, all, vectors, partitions * rows);
        long ofAll = THREADS.getCurrentThreadAllocatedBytes() - before - ofFew;
        more = Math.min(more, ofAll - ofFew);
      }
      // A scan allocates its buffers, and each batch a copy of its last row. One byte per row would
      // be 20,000.
      assertThat(more).isLessThan(10_000L);
      assertThat(sum.sum).isPositive();
    }
  }

  private static void scan(Table table, Query query, ColumnVector[] vectors, int expected)
      throws IOException {
    int rows = 0;
    try (ColumnarReader reader = table.readColumns(query)) {
      for (int count = reader.fill(vectors, 4096); count > 0; ) {
        rows += count;
        count = reader.fill(vectors, 4096);
      }
    }
    assertThat(rows).isEqualTo(expected);
  }
}
