package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.model.Contents;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A refresh replays what the commit log has grown by, and shows it whole. */
class GrownLogRefreshTest {
  private static final DatabaseOptions WRITER =
      DatabaseOptions.builder().compaction(Compaction.none()).build();
  private static final DatabaseOptions READ_ONLY = WRITER.toBuilder().readOnly(true).build();
  private static final String TABLE = "CREATE TABLE w.t (k int PRIMARY KEY, v text)";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static void put(Table table, int k, String v) throws IOException {
    table.write(table.mutation(k).insert().set("v", v).build());
  }

  private static @Nullable String get(Database reader, int k) throws IOException {
    Table table = reader.table("w", "t");
    return table
        .get(table.query().partition(k).build())
        .map(row -> row.getString("v"))
        .orElse(null);
  }

  @Test
  void itReadsWhatTheLogHasGrownBy() throws IOException {
    Directory root = new MemoryDirectory();
    try (Database writer = Database.open(root, WRITER)) {
      Table table = writer.createTable(TABLE);
      for (int k = 0; k < 5000; k++) {
        put(table, k, "x".repeat(1000));
      }
      CountingDirectory counted = new CountingDirectory(leaks.watch(root));
      try (Database reader = Database.open(counted, READ_ONLY)) {
        assertThat(reader.refresh()).isTrue();
        LiveRows before = reader.table("w", "t").read(reader.table("w", "t").query().build());
        for (int k = 0; k < 20; k++) {
          put(table, 5000 + k, "new");
          put(table, k, "changed");
          counted.reset();
          assertThat(reader.refresh()).isTrue();
          // Beginning and end of the segment.
          assertThat(counted.bytes(Operation.READ, "CommitLog-*")).isLessThan(1_000_000);
          assertThat(get(reader, 5000 + k)).isEqualTo("new");
          assertThat(get(reader, k)).isEqualTo("changed");
          assertThat(reader.refresh()).isFalse();
        }
        // What was open shows the content from before.
        assertThat(before.stream().filter(row -> row.getString("v").length() == 1000).count())
            .isEqualTo(5000);
        before.close();
        assertThat(Contents.of(reader)).isEqualTo(Contents.of(writer));
        writer.engine().writePath().log().startSegment();
        put(table, 6000, "in the next segment");
        counted.reset();
        assertThat(reader.refresh()).isTrue();
        assertThat(counted.bytes(Operation.READ, "CommitLog-*")).isLessThan(1_000_000);
        assertThat(get(reader, 6000)).isEqualTo("in the next segment");
        // All of it is in SSTables, and memtables are empty.
        writer.flush();
        put(table, 6001, "after the flush");
        assertThat(reader.refresh()).isTrue();
        put(table, 6002, "later");
        assertThat(reader.refresh()).isTrue();
        assertThat(Contents.of(reader)).isEqualTo(Contents.of(writer));
        assertThat(reader.table("w", "t").statistics().memtable().partitions()).isEqualTo(2);
      }
    }
    leaks.requireNothingOpen();
  }

  @Test
  void aTableWithoutRowsInTheLogGetsThem() throws IOException {
    Directory root = new MemoryDirectory();
    try (Database writer = Database.open(root, WRITER)) {
      Table table = writer.createTable(TABLE);
      Table other = writer.createTable(TABLE.replace("w.t", "w.other"));
      put(other, 1, "one");
      try (Database reader = Database.open(leaks.watch(root), READ_ONLY)) {
        reader.refresh();
        put(table, 1, "one");
        reader.refresh();
        put(table, 2, "two");
        reader.refresh();
        assertThat(get(reader, 1)).isEqualTo("one");
        assertThat(get(reader, 2)).isEqualTo("two");
      }
    }
    leaks.requireNothingOpen();
  }

  @Test
  void snapshotsOfSeveralStoresSeeABatchWholeOrNotAtAll() throws Exception {
    Directory root = new MemoryDirectory();
    byte[] key = {1};
    DatabaseOptions ordered = WRITER.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
    try (Database writer = Database.open(root, ordered)) {
      List<KeyValueStore> stores =
          KeyValueStore.createIn(
              writer, "w", List.of("one", "two"), KeyValueStore.DEFAULT_TABLE_OPTIONS);
      KeyValueStore one = stores.get(0);
      KeyValueStore two = stores.get(1);
      one.put(key, new byte[] {0});
      two.put(key, new byte[] {0});
      try (Database reader = Database.open(root, READ_ONLY)) {
        KeyValueStore first = KeyValueStore.in(reader, "w", "one");
        KeyValueStore second = KeyValueStore.in(reader, "w", "two");
        AtomicBoolean isEnded = new AtomicBoolean();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread looking =
            new Thread(
                () -> {
                  try {
                    while (!isEnded.get()) {
                      try (KeyValueSnapshots both = KeyValueSnapshots.take(first, second)) {
                        assertThat(both.of(first).get(key)).isEqualTo(both.of(second).get(key));
                      }
                    }
                  } catch (IOException | RuntimeException | Error e) {
                    failure.set(e);
                  }
                });
        looking.start();
        try {
          for (int i = 1; i <= 300 && failure.get() == null; i++) {
            byte[] value = {(byte) i};
            one.write(new KeyValueBatch().put(one, key, value).put(two, key, value));
            if (i % 50 == 0) {
              writer.flush();
            }
            reader.refresh();
            assertThat(first.get(key)).isEqualTo(value);
          }
        } finally {
          isEnded.set(true);
          looking.join();
        }
        assertThat(Optional.ofNullable(failure.get())).isEmpty();
      }
    }
  }

  @Test
  void afterAnyReadThatFailsAllIsShownAsBeforeOrAfter() throws IOException {
    for (int call = 1; ; call++) {
      Fault fault =
          Fault.on(Operation.READ).files("CommitLog-*").call(call).fails("the disk was away");
      Directory disk = new MemoryDirectory();
      try (Database writer = Database.open(disk, WRITER)) {
        Table table = writer.createTable(TABLE);
        put(table, 1, "one");
        try (Database reader =
            Database.open(leaks.watch(new FaultyDirectory(disk, 1, fault)), READ_ONLY)) {
          tryToRefresh(reader);
          put(table, 2, "two");
          put(table, 1, "changed");
          boolean isRefreshed = tryToRefresh(reader);
          assertThat(get(reader, 1)).isEqualTo(isRefreshed ? "changed" : "one");
          assertThat(get(reader, 2)).isEqualTo(isRefreshed ? "two" : null);
          if (!isRefreshed) {
            assertThat(reader.refresh()).isTrue();
          }
          assertThat(get(reader, 1)).isEqualTo("changed");
          assertThat(get(reader, 2)).isEqualTo("two");
        } catch (IOException e) {
          // The opening has failed.
          assertThat(e).hasMessageContaining("the disk was away");
        }
      }
      leaks.requireNothingOpen();
      if (fault.fired() == 0) {
        assertThat(call).isGreaterThan(4);
        return;
      }
    }
  }

  private static boolean tryToRefresh(Database reader) {
    try {
      return reader.refresh();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("the disk was away");
      return false;
    }
  }

  @Test
  void withoutMemoryForWhatIsNewAllIsShownAsBefore() throws IOException {
    Directory root = new MemoryDirectory();
    DatabaseOptions small = READ_ONLY.toBuilder().chunkCacheBytes(0).memoryBytes(3 << 20).build();
    try (Database writer = Database.open(root, WRITER)) {
      Table table = writer.createTable(TABLE);
      put(table, 0, "x".repeat(900_000));
      try (Database reader = Database.open(leaks.watch(root), small)) {
        reader.refresh();
        // The second one fits beside the first, and the third does not.
        put(table, 1, "a");
        put(table, 2, "y".repeat(900_000));
        put(table, 3, "z".repeat(1_900_000));
        assertThatThrownBy(reader::refresh)
            .isInstanceOf(OutOfBudgetException.class)
            .hasMessageContaining("was not refreshed, and is shown as before");
        for (int k = 1; k <= 3; k++) {
          assertThat(get(reader, k)).as("row %s", k).isNull();
        }
        assertThat(Contents.count(reader.table("w", "t"))).isOne();
        writer.flush();
        assertThat(reader.refresh()).isTrue();
        assertThat(Contents.of(reader)).isEqualTo(Contents.of(writer));
      }
    }
    leaks.requireNothingOpen();
  }

  @Test
  void aTruncationIsSeen() throws IOException {
    Directory root = new MemoryDirectory();
    try (Database writer = Database.open(root, WRITER)) {
      Table table = writer.createTable(TABLE);
      put(table, 1, "one");
      try (Database reader = Database.open(leaks.watch(root), READ_ONLY)) {
        reader.refresh();
        put(table, 2, "two");
        table.truncate();
        put(table, 3, "three");
        reader.refresh();
        assertThat(Contents.count(reader.table("w", "t"))).isOne();
        assertThat(get(reader, 3)).isEqualTo("three");
      }
    }
    leaks.requireNothingOpen();
  }
}
