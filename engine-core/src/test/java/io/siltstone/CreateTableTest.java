package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.schema.TableId;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
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
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CreateTableTest {
  private static final String TABLE = "ks.t (k int PRIMARY KEY, v int)";
  private static final String IF_MISSING = "CREATE TABLE IF NOT EXISTS " + TABLE;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
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

  @ParameterizedTest
  @EnumSource(Operation.class)
  void afterAnErrorThereIsNoneAndMayBeOne(Operation operation) throws IOException {
    int call = 1;
    while (failsAt(operation, call)) {
      call++;
    }
  }

  /** Creates a table, and once more if that fails. Whether there was a call of that number. */
  private boolean failsAt(Operation operation, int call) throws IOException {
    MemoryDirectory root = new MemoryDirectory();
    AtomicInteger left = new AtomicInteger();
    Fault fault = Fault.on(operation).runs("a full heap", () -> countDown(left));
    boolean fails;
    boolean isThere = false;
    try (Database database = Database.open(faulty(root, fault), options)) {
      left.set(call);
      try {
        database.createTable("CREATE TABLE " + TABLE);
        isThere = true;
      } catch (OutOfMemoryError | IOException e) {
        assertThat(database.tables()).isEmpty();
      }
      fails = left.getAndSet(0) == 0;
      if (!isThere) {
        database.createTable("CREATE TABLE " + TABLE);
        isThere = true;
      }
    } catch (IOException e) {
      // It has become read-only.
      fails = true;
    }
    try (Database again = Database.open(root, options)) {
      assertThat(again.tables()).hasSize(isThere ? 1 : 0);
    }
    return fails;
  }

  @Test
  void oneWhoseFilesCouldNotBeRemovedMayBeCreatedAgain() throws IOException {
    AtomicInteger left = new AtomicInteger();
    Fault fault = Fault.on(Operation.DELETE).runs("a full heap", () -> countDown(left));
    try (Database database = Database.open(faulty(disk, fault), options)) {
      database.createTable("CREATE TABLE " + TABLE);
      left.set(1);
      assertThatThrownBy(() -> database.dropTable("ks", "t")).isInstanceOf(OutOfMemoryError.class);
      assertThat(database.tables()).isEmpty();
      database.createTable("CREATE TABLE " + TABLE);
    }
    try (Database again = Database.open(disk, options)) {
      assertThat(again.tables()).hasSize(1);
    }
  }

  private Directory faulty(Directory root, Fault fault) {
    return leaks.watch(new FaultyDirectory(root, 1, fault));
  }

  private static void countDown(AtomicInteger left) {
    if (left.get() > 0 && left.decrementAndGet() == 0) {
      throw new OutOfMemoryError("Java heap space");
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
