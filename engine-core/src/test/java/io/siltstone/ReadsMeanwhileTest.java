package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Reads while a table is truncated again and again: what they see goes at once, or is all there.
 */
class ReadsMeanwhileTest {
  private static final int ROUNDS = 100 * Integer.getInteger("siltstone.scale", 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void aTruncationIsSeenAsAWhole() throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(2);
    AtomicBoolean ended = new AtomicBoolean();
    try (Database database =
        Database.open(
            leaks.watch(new MemoryDirectory()),
            DatabaseOptions.builder()
                .memtableBytes(1 << 20)
                .chunkCacheBytes(1 << 20)
                .compaction(Compaction.none())
                .build())) {
      Table table =
          database.createTable("CREATE TABLE w.t (k int, c int, v int, PRIMARY KEY (k, c))");
      List<Future<Integer>> reading = new ArrayList<>();
      reading.add(readers.submit(() -> read(() -> partition(table), ended)));
      reading.add(readers.submit(() -> read(() -> Contents.of(table), ended)));
      for (int i = 0; i < ROUNDS; i++) {
        table.write(table.mutation(1).insert(1).set("v", 1).build());
        table.flush();
        table.write(table.mutation(1).insert(2).set("v", 2).build());
        table.truncate();
      }
      ended.set(true);
      for (Future<Integer> each : reading) {
        assertThat(each.get(30, TimeUnit.SECONDS)).isPositive();
      }
    } finally {
      ended.set(true);
      readers.shutdown();
    }
  }

  /** Reads until the end; returns how often. */
  private static int read(Callable<List<String>> rows, AtomicBoolean ended) throws Exception {
    int count = 0;
    while (!ended.get()) {
      assertThat(rows.call()).isIn(List.of(), List.of("1 1 1"), List.of("1 1 1", "1 2 2"));
      count++;
    }
    return count;
  }

  private static List<String> partition(Table table) throws IOException {
    List<String> found = new ArrayList<>();
    Query query = table.query().partition(1).build();
    try (LiveRows rows = table.read(query)) {
      rows.forEachRemaining(row -> found.add("1 " + row.getInt("c") + " " + row.getInt("v")));
    }
    return found;
  }
}
