package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.schema.TableId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CreateTableTest {
  private static final String TABLE = "ks.t (k int PRIMARY KEY, v int)";
  private static final String IF_MISSING = "CREATE TABLE IF NOT EXISTS " + TABLE;

  private final MemoryDirectory disk = new MemoryDirectory();
  private final AtomicInteger created = new AtomicInteger();
  private final DatabaseOptions options =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .listener(
              new EngineListener() {
                @Override
                public void tableCreated(TableCreated event) {
                  created.incrementAndGet();
                }
              })
          .build();

  @Test
  void aTableThatIsThereStaysAsItIs() throws IOException {
    TableId id;
    try (Database database = Database.open(disk, options)) {
      id = database.createTable(IF_MISSING).id();
    }
    try (Database database = Database.open(disk, options)) {
      Table found =
          database.createTable("CREATE TABLE IF NOT EXISTS ks.t (other text PRIMARY KEY)");
      assertThat(found.id()).isEqualTo(id);
      assertThat(found.schema().partitionKeyColumns().get(0).name()).isEqualTo("k");
      assertThatThrownBy(() -> database.createTable("CREATE TABLE " + TABLE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("there is a table ks.t already");
    }
    assertThat(created).hasValue(1);
  }

  @Test
  void itIsFoundAlsoWhereNoneMayBeCreated() throws IOException {
    try (Database database = Database.open(disk, options)) {
      database.createTable(IF_MISSING);
    }
    try (Database database = Database.open(disk, options.toBuilder().readOnly(true).build())) {
      assertThat(database.createTable(IF_MISSING)).hasToString("ks.t");
      assertThatThrownBy(
              () -> database.createTable("CREATE TABLE IF NOT EXISTS ks.u (k int PRIMARY KEY)"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("open for reading only");
    }
  }

  @Test
  void ofManyAtOnceOneCreatesIt() throws Exception {
    int threads = 8;
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try (Database database = Database.open(disk, options)) {
      Callable<Table> creation =
          () -> {
            start.await();
            return database.createTable(IF_MISSING);
          };
      List<Future<Table>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(executor.submit(creation));
      }
      Set<TableId> found = new HashSet<>();
      for (Future<Table> each : running) {
        found.add(each.get().id());
      }
      assertThat(found).hasSize(1);
      assertThat(database.tables()).hasSize(1);
    } finally {
      executor.shutdown();
    }
    assertThat(created).hasValue(1);
  }
}
