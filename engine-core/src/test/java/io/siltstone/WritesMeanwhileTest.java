package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Condition;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * What is written while a table is altered or truncated is written before or behind that, wherever
 * the change of the table is held up.
 */
class WritesMeanwhileTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .commitLog(CommitLogOptions.builder().period(Duration.ofHours(1)).build())
          .build();

  private final MemoryDirectory disk = new MemoryDirectory();
  private final AtomicReference<Meanwhile> next = new AtomicReference<>();

  /** A write by another thread that begins in the middle of a change. */
  private static final class Meanwhile {
    private final FutureTask<Boolean> write;
    private final Thread thread;

    Meanwhile(Callable<Boolean> write) {
      this.write = new FutureTask<>(write);
      this.thread = new Thread(this.write, "writer");
    }

    /** Returns when the write is done, or waits for the change. */
    void begin() {
      thread.start();
      while (thread.getState() != Thread.State.WAITING
          && thread.getState() != Thread.State.TERMINATED) {
        Thread.onSpinWait();
      }
    }

    boolean result() throws Throwable {
      try {
        return write.get();
      } catch (ExecutionException | InterruptedException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }
  }

  /** Has the next write begin at such an operation. */
  private Fault at(Operation operation, String files) {
    return Fault.on(operation)
        .files(files)
        .runs(
            "a write begins",
            () -> {
              Meanwhile meanwhile = next.getAndSet(null);
              if (meanwhile != null) {
                meanwhile.begin();
              }
            });
  }

  private Meanwhile arm(Callable<Boolean> write) {
    Meanwhile meanwhile = new Meanwhile(write);
    next.set(meanwhile);
    return meanwhile;
  }

  private Database open(Fault... faults) throws IOException {
    return Database.open(new FaultyDirectory(disk, 1, faults), OPTIONS);
  }

  private static Table create(Database database) throws IOException {
    Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int, w int)");
    table.write(table.mutation(1).insert().set("v", 1).set("w", 1).build());
    return table;
  }

  private static boolean write(Table table) throws IOException {
    table.write(table.mutation(2).insert().set("v", 2).set("w", 2).build());
    return true;
  }

  private static boolean updateIfExists(Table table) throws IOException {
    return table.writeIf(
        table.mutation(1).update().set("v", 2).build(), List.of(), Condition.exists());
  }

  @Test
  void ofAColumnThatIsDroppedNothingComesBack() throws Throwable {
    for (Operation operation : new Operation[] {Operation.CREATE, Operation.SYNC}) {
      drop(operation);
    }
  }

  private void drop(Operation operation) throws Throwable {
    try (Database database = open(at(operation, "*schema.cql.tmp"))) {
      Table table = create(database);
      Meanwhile writer = arm(() -> write(table));
      database.alterTable("w", "t", "ALTER TABLE w.t DROP w");
      assertThatThrownBy(writer::result).hasMessageContaining("w");
      database.alterTable("w", "t", "ALTER TABLE w.t ADD w int");
      assertThat(Contents.of(table)).containsExactly("1 1 null");
      database.dropTable("w", "t");
    }
  }

  @Test
  void intoATableThatIsNoStoreAnyMoreNothingIsPut() throws Throwable {
    DatabaseOptions ordered = OPTIONS.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
    Fault holdsUp = at(Operation.SYNC, "*schema.cql.tmp");
    try (Database database = Database.open(new FaultyDirectory(disk, 1, holdsUp), ordered)) {
      database.createTable("CREATE TABLE w.t (key blob PRIMARY KEY, value blob)");
      KeyValueStore store = KeyValueStore.in(database, "w", "t");
      store.put(new byte[] {1}, new byte[] {1});
      for (Callable<Boolean> write :
          List.<Callable<Boolean>>of(
              () -> {
                store.put(new byte[] {2}, new byte[] {2});
                return true;
              },
              () -> {
                store.write(new KeyValueBatch().put(new byte[] {2}, new byte[] {2}));
                return true;
              })) {
        Meanwhile writer = arm(write);
        database.alterTable("w", "t", "ALTER TABLE w.t ADD a blob");
        assertThatThrownBy(writer::result)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("was altered");
        database.alterTable("w", "t", "ALTER TABLE w.t DROP a");
        assertThat(store.get(new byte[] {2})).isNull();
        assertThat(store.get(new byte[] {1})).containsExactly(1);
      }
    }
  }

  @Test
  void afterAnAlterationThatFailedNothingIsWritten() throws Throwable {
    Fault fails = Fault.on(Operation.RENAME).files("*schema.cql").call(2).failsAfterwards("EIO");
    try (Database database = open(at(Operation.SYNC, "*schema.cql.tmp"), fails)) {
      Table table = create(database);
      Meanwhile writer = arm(() -> write(table));
      assertThatThrownBy(() -> database.alterTable("w", "t", "ALTER TABLE w.t DROP w"))
          .hasMessageContaining("EIO");
      assertThatThrownBy(writer::result)
          .isInstanceOf(ReadOnlyException.class)
          .hasMessageContaining("w.t was altered");
      assertThat(Contents.of(table)).containsExactly("1 1 1");
    } catch (ReadOnlyException e) {
      assertThat(e).hasMessageContaining("w.t was altered");
    }
    try (Database database = open()) {
      assertThat(Contents.of(database.table("w", "t"))).containsExactly("1 1");
    }
  }

  @Test
  void aConditionalWriteSeesNoRowThatIsTruncated() throws Throwable {
    try (Database database = open(at(Operation.SYNC, "*commitlog/*"))) {
      Table table = create(database);
      database.sync();
      Meanwhile writer = arm(() -> updateIfExists(table));
      table.truncate();
      assertThat(writer.result()).isFalse();
      assertThat(Contents.of(table)).isEmpty();
    }
    try (Database database = open()) {
      assertThat(Contents.of(database.table("w", "t"))).isEmpty();
    }
  }

  @Test
  void aConditionalWriteSeesNoRowOfAnSSTableThatIsTruncated() throws Throwable {
    try (Database database = open(at(Operation.SYNC, "*_txn_*"))) {
      Table table = create(database);
      table.flush();
      Meanwhile writer = arm(() -> updateIfExists(table));
      table.truncate();
      assertThat(writer.result()).isFalse();
      assertThat(Contents.of(table)).isEmpty();
    }
  }

  @Test
  void afterATruncationThatFailedNothingIsWritten() throws Throwable {
    // A flush syncs its transaction log twice, and so does a truncation: the second time after the
    // truncation was logged.
    Fault fails = Fault.on(Operation.SYNC).files("*_txn_*").call(4).fails("EIO");
    try (Database database = open(at(Operation.SYNC, "*commitlog/*"), fails)) {
      Table table = create(database);
      table.flush();
      Meanwhile writer = arm(() -> updateIfExists(table));
      assertThatThrownBy(table::truncate).hasMessageContaining("EIO");
      assertThatThrownBy(writer::result)
          .isInstanceOf(ReadOnlyException.class)
          .hasMessageContaining("w.t was truncated");
      assertThat(Contents.of(table)).containsExactly("1 1 1");
    } catch (ReadOnlyException e) {
      assertThat(e).hasMessageContaining("w.t was truncated");
    }
    try (Database database = open()) {
      assertThat(Contents.of(database.table("w", "t"))).isEmpty();
    }
  }
}
