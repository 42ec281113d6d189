package io.siltstone.compaction;

import static io.siltstone.testkit.Operation.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A job takes the statistics of its inputs from their opening: they are not read again, neither for
 * planning nor for merging.
 */
class InputStatisticsTest {
  private static final int INPUTS = 4;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final CountingDirectory disk = new CountingDirectory(leaks.watch(new MemoryDirectory()));

  private final CountDownLatch compacted = new CountDownLatch(1);
  private final EngineListener listener =
      new EngineListener() {
        @Override
        public void compactionCompleted(CompactionCompleted event) {
          compacted.countDown();
        }
      };

  private Database open() throws IOException {
    CompactionService service =
        new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build());
    return Database.open(
        disk, DatabaseOptions.builder().compaction(service).listener(listener).build());
  }

  /** A table with some SSTables that compacts nothing by itself; reads are counted from here on. */
  private Table resting(Database db) throws IOException {
    Table table =
        db.createTable(
            "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compaction = {'class':"
                + " 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
    for (int i = 0; i < INPUTS; i++) {
      for (int key = 0; key < 10; key++) {
        table.write(table.mutation(key).insert().set("v", "value " + i).build());
      }
      table.flush();
    }
    disk.reset();
    return table;
  }

  private static List<String> statistics(Table table) throws IOException {
    return table.live().tables().stream()
        .map(LiveTable::descriptor)
        .map(descriptor -> descriptor.fileName(Component.STATISTICS))
        .toList();
  }

  private void requireNotOpened(List<String> inputs, List<String> outputs) {
    for (String file : inputs) {
      assertThat(disk.count(OPEN, file)).as("%s in%n%s", file, disk.report()).isZero();
    }
    for (String file : outputs) {
      assertThat(disk.count(OPEN, file)).as("%s in%n%s", file, disk.report()).isOne();
    }
  }

  @Test
  void areNotReadAgainWhenTheStrategyChooses() throws Exception {
    try (Database db = open()) {
      Table table = resting(db);
      List<String> inputs = statistics(table);
      db.alterTable(
          "ks",
          "t",
          "ALTER TABLE ks.t WITH compaction = {'class': 'SizeTieredCompactionStrategy'}");
      assertThat(compacted.await(30, TimeUnit.SECONDS)).isTrue();
      List<String> outputs = statistics(table);
      assertThat(outputs).hasSize(1);
      requireNotOpened(inputs, outputs);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"MAJOR", "GARBAGE_COLLECT", "SCRUB", "SPLIT"})
  void areNotReadAgainOnRequest(Operation operation) throws Exception {
    try (Database db = open()) {
      Table table = resting(db);
      List<String> inputs = statistics(table);
      assertThat(inputs).hasSize(INPUTS);
      CompactionRequest request = CompactionRequest.of(operation).withOutputBytes(1);
      var report = table.compact(request).toCompletableFuture().get(30, TimeUnit.SECONDS).orThrow();
      assertThat(report.completed()).isNotEmpty();
      requireNotOpened(inputs, statistics(table));
    }
  }
}
