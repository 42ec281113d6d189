package io.siltstone.kafka.streams.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.query.Position;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The path of restored entries: what is visible and durable when, and with which offsets. */
final class RestorePathTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);
  private static final int VALUE_BYTES = 40_000;
  // The number of entries that begins a bulk restore.
  private static final int LEAST = (int) (RestorePath.LEAST_BULK_BYTES / VALUE_BYTES) + 1;
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .partitioner(Partitioner.BYTE_ORDERED)
          .memoryBytes(64 << 20)
          .memtableBytes(32 << 20)
          .chunkCacheBytes(4 << 20)
          .build();

  private final long seed = Long.getLong("siltstone.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final Semaphore permits = new Semaphore(1);

  private static Database open(Directory directory) throws IOException {
    return Database.open(directory, OPTIONS);
  }

  private static KeyValueStore entries(Database database) throws IOException {
    TableOptions options = TableOptions.builder().durableWrites(false).gcGraceSeconds(0).build();
    return KeyValueStore.createIn(database, "store", List.of("entries"), options).get(0);
  }

  private RestorePath path(KeyValueStore entries) {
    return new RestorePath(entries, permits);
  }

  private static StoreState state(long offset) {
    return new StoreState(false, offset, Map.of(CHANGELOG, offset), Position.emptyPosition());
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(5).put((byte) 1).putInt(number).array();
  }

  private static byte[] value(int number) {
    return ByteBuffer.allocate(VALUE_BYTES).putInt(number).array();
  }

  private static void fill(RestorePath path, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      path.write(key(i), value(i));
    }
  }

  @Test
  void muchIsCollectedAndVisibleAtTheEnd() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      KeyValueStore entries = entries(database);
      RestorePath path = path(entries);
      fill(path, 0, LEAST + 10);
      path.write(key(0), null);
      path.write(key(LEAST + 5), value(7));
      path.write(key(LEAST + 6), null);
      assertThat(entries.get(key(0))).isNotNull();
      assertThat(entries.get(key(LEAST + 5))).isNull();
      assertThat(permits.availablePermits()).isZero();
      path.end();
      assertThat(permits.availablePermits()).isOne();
      assertThat(entries.get(key(0))).isNull();
      assertThat(entries.get(key(1))).isEqualTo(value(1));
      assertThat(entries.get(key(LEAST + 5))).isEqualTo(value(7));
      assertThat(entries.get(key(LEAST + 6))).isNull();
      assertThat(entries.get(key(LEAST + 9))).isEqualTo(value(LEAST + 9));
    }
  }

  @Test
  void onlyAsManyAsThereArePermitsAreCollected() throws IOException {
    permits.drainPermits();
    try (Database database = open(new MemoryDirectory())) {
      KeyValueStore entries = entries(database);
      RestorePath path = path(entries);
      fill(path, 0, LEAST + 10);
      assertThat(entries.get(key(LEAST + 9))).isNotNull();
      assertThat(path.keep(state(1))).isFalse();
    }
  }

  @Test
  void offsetsAreWrittenAfterTheEntries() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      KeyValueStore entries = entries(database);
      RestorePath path = path(entries);
      fill(path, 0, LEAST + 10);
      assertThat(path.keep(state(1))).isTrue();
      assertThat(path.keep(state(2))).isTrue();
      assertThat(entries.get(KeyForm.STATE)).isNull();
      path.end();
      assertThat(StoreState.of(entries.get(KeyForm.STATE), "store")).isEqualTo(state(2));
      assertThat(path.keep(state(3))).isFalse();
    }
  }

  @Test
  void offsetsThatComeAfterTheEndAreFlushed() throws IOException {
    for (boolean transactional : new boolean[] {false, true}) {
      SimulatedDisk disk = new SimulatedDisk();
      Database database = open(disk);
      StateTable table = new StateTable(database, entries(database), transactional, permits);
      StateTable.Restore restore = table.restore();
      for (int i = 0; i < LEAST + 10; i++) {
        restore.put(key(i), value(i));
      }
      table.endRestore(); // As a query does.
      table.commit(state(LEAST + 10));
      SimulatedDisk after = disk.powerLoss(random.nextLong());
      table.close();
      try {
        database.close();
      } catch (IOException e) {
        // The disk is gone.
      }
      try (Database again = open(after)) {
        StateTable found = new StateTable(again, entries(again), transactional, permits);
        assertThat(found.state()).isEqualTo(state(LEAST + 10));
        found.close();
      }
    }
  }

  @Test
  void aRestoreThatStopsOrBecomesSlowEnds() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      KeyValueStore entries = entries(database);
      RestorePath path = path(entries);
      fill(path, 0, LEAST + 10);
      path.endIfSlow(); // Nothing is known of before.
      fill(path, 0, 100);
      path.endIfSlow();
      assertThat(permits.availablePermits()).isZero();
      fill(path, 0, 10);
      path.endIfSlow();
      assertThat(permits.availablePermits()).isOne();
      fill(path, 0, LEAST - 1);
      assertThat(permits.availablePermits()).isOne();
    }
  }

  @Test
  void aStoreThatIsReadMeanwhileGoesThroughTheMemtable() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      RestorePath path = path(entries(database));
      fill(path, 0, LEAST + 1);
      path.end();
      fill(path, 0, 2 * LEAST);
      assertThat(permits.availablePermits()).isOne();
      // The reads may have been a few at the beginning.
      fill(path, 0, (int) (RestorePath.EARLY_END_BYTES / VALUE_BYTES));
      assertThat(permits.availablePermits()).isZero();
      path.end();
    }
  }

  @Test
  void nothingIsCommittedAfterAFailure() throws IOException {
    try (Database database = open(new MemoryDirectory())) {
      RestorePath path = path(entries(database));
      fill(path, 0, LEAST + 1);
      assertThat(path.keep(state(5))).isTrue();
      database.dropTable("store", "entries");
      assertThatThrownBy(() -> path.write(key(1), value(1)))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> path.keep(state(6)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has failed before");
      assertThat(permits.availablePermits()).isOne();
    }
  }

  @Test
  void nothingIsReadOrChangedAfterAFailure() throws IOException {
    Fault full =
        Fault.on(Operation.CREATE).component("Data.db").disarmed().call(1).fails(Fault.NO_SPACE);
    try (Database database = open(new FaultyDirectory(new MemoryDirectory(), seed, full))) {
      StateTable table = new StateTable(database, entries(database), false, permits);
      StateTable.Restore restore = table.restore();
      for (int i = 0; i < LEAST + 10; i++) {
        restore.put(key(i), value(i));
      }
      table.commit(state(LEAST + 10));
      full.arm();
      table.endSlowRestore(); // Nothing is known of before.
      assertThatThrownBy(table::endSlowRestore).hasStackTraceContaining(Fault.NO_SPACE);
      assertThat(full.fired()).isOne();
      List<ThrowingCallable> calls =
          List.of(
              () -> table.get(key(LEAST + 9), false),
              () -> table.cursor(null, null, true, true, true),
              () -> table.put(key(1), value(1)),
              () -> table.deleteBefore(key(1)),
              () -> restore.put(key(1), value(1)),
              () -> table.commit(state(LEAST + 11)));
      for (ThrowingCallable call : calls) {
        assertThatThrownBy(call)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("has failed before, so that the store has to be opened again");
      }
      table.close();
    }
  }

  @Test
  void afterAPowerLossTheChangelogFromTheOffsetsOnGivesAll() throws IOException {
    int rounds = 6 * Integer.getInteger("siltstone.scale", 1);
    for (int round = 0; round < rounds; round++) {
      SimulatedDisk disk = new SimulatedDisk();
      int count = 3 * LEAST;
      int[] keys = random.ints(count, 0, 2 * LEAST).toArray();
      Database database = open(disk);
      KeyValueStore entries = entries(database);
      if (round > 0) {
        disk.crashAfter(random.nextInt(150));
      }
      try {
        restore(path(entries), entries, keys, 0);
      } catch (IOException | IllegalStateException e) {
        // The disk is gone.
      }
      SimulatedDisk after = disk.powerLoss(random.nextLong());
      try {
        database.close();
      } catch (IOException e) {
        // The disk is gone.
      }

      permits.drainPermits();
      permits.release();
      try (Database again = open(after)) {
        KeyValueStore found = entries(again);
        byte[] state = found.get(KeyForm.STATE);
        int offset = state == null ? 0 : (int) StoreState.of(state, "store").streamTime();
        RestorePath path = path(found);
        restore(path, found, keys, offset);
        path.end();
        Map<Integer, Integer> last = new HashMap<>();
        for (int i = 0; i < count; i++) {
          last.put(keys[i], i);
        }
        for (int i = 0; i < 2 * LEAST; i++) {
          Integer at = last.get(i);
          byte[] expected = at == null || at % 7 == 0 ? null : value(at);
          assertThat(found.get(key(i)))
              .as("seed %s, round %s, offset %s, key %s", seed, round, offset, i)
              .isEqualTo(expected);
        }
      }
    }
  }

  /** Restores records, of which each seventh is a deletion, with a commit now and then. */
  private void restore(RestorePath path, KeyValueStore entries, int[] keys, int from)
      throws IOException {
    for (int i = from; i < keys.length; i++) {
      path.write(key(keys[i]), i % 7 == 0 ? null : value(i));
      if (random.nextInt(20) == 0 && !path.keep(state(i + 1))) {
        entries.put(KeyForm.STATE, state(i + 1).toBytes());
      }
      if (random.nextInt(100) == 0) {
        entries.table().flush();
      }
    }
  }
}
