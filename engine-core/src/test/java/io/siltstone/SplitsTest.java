package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.rows.Split;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Splits of random tables: all of them together show each row of a full scan exactly once. */
class SplitsTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .columnIndexSizeBytes(1 << 10)
          .memtableBytes(8 << 20)
          .memoryBytes(64 << 20)
          .chunkCacheBytes(1 << 20)
          .build();

  private static final int RUNS = 4;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  @TempDir Path temporary;

  @AfterEach
  void noThreadIsLeft() {
    Leftovers.requireNoThreads();
  }

  /** A random table: small partitions and large ones, of rows, deletions and static columns. */
  private static final class RandomTable {
    private final Random random;
    private final Table table;

    RandomTable(Random random, Database database) throws IOException {
      this.random = random;
      String order = random.nextBoolean() ? "c DESC, d ASC" : "c ASC, d DESC";
      this.table =
          database.createTable(
              "CREATE TABLE w.t (k int, c text, d int, s int static, v blob,"
                  + " PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY ("
                  + order
                  + ") AND min_index_interval = "
                  + (1 << (1 + random.nextInt(7))));
    }

    void fill() throws IOException {
      int flushes = random.nextInt(5);
      for (int i = 0; i <= flushes; i++) {
        int partitions = random.nextInt(300);
        for (int k = 0; k < partitions; k++) {
          write(random.nextInt(1000), random.nextInt(4));
        }
        for (int large = 0; large < 3; large++) {
          if (random.nextBoolean()) {
            write(1000 + large, random.nextInt(800));
          }
        }
        if (random.nextInt(8) > 0 && i < flushes) {
          table.flush();
        }
      }
    }

    private void write(int key, int rows) throws IOException {
      MutationBuilder change = table.mutation(key);
      if (random.nextInt(3) == 0) {
        change.set("s", random.nextInt());
      }
      // Of some partitions everything but the static columns is deleted.
      boolean deletes = random.nextInt(3) == 0;
      for (int i = 0; i < rows; i++) {
        String c = "c".repeat(random.nextInt(3)) + random.nextInt(20);
        int d = i; // So that no row is changed twice.
        if (deletes) {
          change.deleteRow(c, d);
        } else {
          change.insert(c, d).set("v", ByteBuffer.wrap(new byte[random.nextInt(200)]));
        }
      }
      table.write(change.build());
      if (random.nextInt(10) == 0) {
        table.write(
            table.mutation(key).deleteRange(ClusteringRange.all().from("c1").before("c7")).build());
      }
      if (random.nextInt(10) == 0) {
        table.write(table.mutation(key).deleteRange(ClusteringRange.all()).build());
      }
    }
  }

  /** Reads rows of a query, perhaps page by page. */
  private static List<String> rows(Random random, Function<Query, LiveRows> table, Query.Builder of)
      throws IOException {
    List<String> all = new ArrayList<>();
    Query query = random.nextBoolean() ? of.build() : of.pageSize(1 + random.nextInt(50)).build();
    Query next = query;
    while (next != null) {
      try (LiveRows rows = table.apply(next)) {
        rows.stream().map(Row::toString).forEach(all::add);
        PagingState state = rows.pagingState().orElse(null);
        next = state == null ? null : query.after(state);
      }
    }
    return all;
  }

  private static LiveRows read(Table table, Query query) {
    try {
      return table.read(query);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(
      Random random,
      List<Split> splits,
      Function<Query, LiveRows> table,
      Supplier<Query.Builder> query)
      throws IOException {
    long now = 2_000_000_000;
    for (ClusteringRange range :
        List.of(ClusteringRange.all(), ClusteringRange.all().from("c1").before("cc2"))) {
      List<String> whole = rows(random, table, query.get().rows(range).nowSeconds(now));
      List<String> parts = new ArrayList<>();
      for (Split split : splits) {
        parts.addAll(rows(random, table, query.get().split(split).rows(range).nowSeconds(now)));
      }
      assertThat(parts).containsExactlyElementsOf(whole);
    }
    assertThat(splits.get(0).partitions().from()).isNull();
    assertThat(splits.get(splits.size() - 1).partitions().to()).isNull();
  }

  @Test
  void eachRowIsInExactlyOneSplit() throws IOException {
    int divided = 0;
    Long one = Long.getLong("siltstone.seed");
    long runs = RUNS * (long) Integer.getInteger("siltstone.scale", 1);
    for (long seed = one == null ? 0 : one; seed < (one == null ? runs : one + 1); seed++) {
      try {
        divided += run(seed) ? 1 : 0;
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("repeat with -Dsiltstone.seed=" + seed + ": " + e, e);
      }
    }
    assertThat(one != null || divided > 0).isTrue();
  }

  private boolean run(long seed) throws IOException {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    Partitioner partitioner = random.nextBoolean() ? Partitioner.MURMUR3 : Partitioner.BYTE_ORDERED;
    DatabaseOptions options = OPTIONS.toBuilder().partitioner(partitioner).build();
    Path copy = temporary.resolve("copy" + seed);
    boolean isDivided = false;
    try (Database database = Database.open(leaks.watch(new MemoryDirectory()), options)) {
      RandomTable made = new RandomTable(random, database);
      made.fill();
      Table table = made.table;
      List<Split> splits = List.of();
      for (long bytes : new long[] {1 << 10, 20 << 10, Long.MAX_VALUE}) {
        splits = table.splits(bytes);
        isDivided |= splits.stream().anyMatch(Split::isOfRows);
        check(random, splits, query -> read(table, query), table::query);
      }
      assertThat(splits).hasSize(1);
      splits = table.splits(5 << 10);
      // What is written later, or flushed, belongs to one of them too.
      made.fill();
      check(random, splits, query -> read(table, query), table::query);
      table.flush();
      check(random, splits, query -> read(table, query), table::query);
      database.checkpoint(copy);
    }
    try (Database database = Database.open(copy, options.toBuilder().readOnly(true).build())) {
      Table table = database.table("w", "t");
      check(random, table.splits(5 << 10), query -> read(table, query), table::query);
    }
    return isDivided;
  }

  @Test
  void sizesAreAboutAsAskedForAndNoDataIsRead() throws IOException {
    CountingDirectory counting = new CountingDirectory(new MemoryDirectory());
    try (Database database = Database.open(leaks.watch(counting), OPTIONS)) {
      Table table =
          database.createTable(
              "CREATE TABLE w.t (k int, c int, v text, PRIMARY KEY (k, c))"
                  + " WITH compression = {'enabled': 'false'}");
      String value = "v".repeat(90);
      for (int i = 0; i < 20_000; i++) {
        // One partition has as much as all others together.
        table.write(table.mutation(i % 2 == 0 ? 0 : i).insert(i).set("v", value).build());
        if (i % 7_000 == 6_999) {
          table.flush();
        }
      }
      table.flush();
      counting.reset();
      long all = table.estimate(PartitionRange.ALL).dataBytes();
      assertThat(all).isEqualTo(table.statistics().sstables().dataBytes());
      long asked = all / 20;
      List<Split> splits = table.splits(asked);
      assertThat(counting.count(Operation.READ, "*-Data.db")).isZero();
      assertThat(splits.stream().mapToLong(Split::bytes).sum()).isBetween(all * 99 / 100, all);
      assertThat(splits.stream().filter(Split::isOfRows).count()).isBetween(8L, 12L);
      assertThat(splits).hasSizeBetween(18, 25);
      List<Integer> rows = new ArrayList<>();
      for (Split split : splits) {
        assertThat(split.bytes()).isLessThan(2 * asked);
        try (LiveRows of = table.read(table.query().split(split).build())) {
          rows.add((int) of.stream().count());
        }
      }
      assertThat(rows.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20_000);
      assertThat(rows).allMatch(count -> count < 2_000);
    }
  }

  @Test
  void aSplitThatDoesNotFitIsRefused() throws IOException {
    try (Database database = Database.open(leaks.watch(new MemoryDirectory()), OPTIONS)) {
      Table table =
          database.createTable("CREATE TABLE w.t (k int, c int, v text, PRIMARY KEY (k, c))");
      assertThatThrownBy(() -> table.splits(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("splits of 0 bytes, allowed 1 or more");
      assertThatThrownBy(() -> new Split(PartitionRange.ALL, List.of(1), List.of(), 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("allowed is one partition");
      PartitionKey key = table.query().partition(1).build().partitionKey().orElseThrow();
      PartitionRange one = new PartitionRange(key, key.successor());
      Split rows = new Split(one, List.of(1), List.of(5), 0);
      assertThatThrownBy(() -> table.query().split(rows).distinct().build())
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> table.query().split(rows).partition(1))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(
              () -> table.query().split(new Split(one, List.of(1, 2), List.of(), 0)).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the table has the clustering columns [c]");
      for (int c = 0; c < 10; c++) {
        table.write(table.mutation(1).insert(c).build());
      }
      try (LiveRows read = table.read(table.query().split(rows).reversed().build())) {
        assertThat(read.stream().map(row -> row.getInt("c"))).containsExactly(4, 3, 2, 1);
      }
    }
  }
}
