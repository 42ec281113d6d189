package io.siltstone.kafka.streams.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueSnapshot;
import io.siltstone.KeyValueStore;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.query.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of a store: its order of keys, and entries and state as of one commit. */
final class StateTableTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .partitioner(Partitioner.BYTE_ORDERED)
          .memoryBytes(64 << 20)
          .memtableBytes(16 << 20)
          .chunkCacheBytes(4 << 20)
          .build();

  private final long seed = Long.getLong("siltstone.seed", new Random().nextLong());
  private final Random random = new Random(seed);

  private static KeyValueStore entries(Database database) throws IOException {
    TableOptions options = TableOptions.builder().durableWrites(false).gcGraceSeconds(0).build();
    return KeyValueStore.createIn(database, "store", List.of("entries"), options).get(0);
  }

  private static StoreState state(long offset) {
    return new StoreState(
        false,
        offset,
        Map.of(CHANGELOG, offset),
        Position.emptyPosition().withComponent("input", 1, offset));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, String> contents(StateTable table) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (StateCursor cursor = table.cursor(null, null, true, true, true)) {
      while (cursor.next()) {
        found.put(
            new String(cursor.key(), StandardCharsets.UTF_8),
            new String(cursor.value(), StandardCharsets.UTF_8));
      }
    }
    return found;
  }

  @Test
  void afterAPowerLossEntriesAndStateAreThoseOfOneCommit() throws IOException {
    int rounds = 8 * Integer.getInteger("siltstone.scale", 1);
    int survived = 0;
    for (int round = 0; round < rounds; round++) {
      SimulatedDisk disk = new SimulatedDisk();
      Map<Long, Map<String, String>> commits = new HashMap<>();
      commits.put(-1L, Map.of());
      Database database = Database.open(disk, OPTIONS);
      KeyValueStore entries = entries(database);
      disk.crashAfter(random.nextInt(200));
      write(database, entries, commits);
      SimulatedDisk after = disk.powerLoss(random.nextLong());
      try {
        database.close();
      } catch (IOException e) {
        // The disk is gone.
      }

      try (Database again = Database.open(after, OPTIONS)) {
        StateTable found = new StateTable(again, entries(again), true, new Semaphore(1));
        StoreState state = found.state();
        assertThat(contents(found))
            .as("seed %s, round %s, state %s", seed, round, state)
            .isEqualTo(commits.get(state.streamTime()));
        if (!state.offsets().isEmpty()) {
          assertThat(state).isEqualTo(state(state.streamTime()));
          survived++;
        }
      }
    }
    assertThat(survived).as("seed %s", seed).isPositive();
  }

  private void write(
      Database database, KeyValueStore entries, Map<Long, Map<String, String>> commits) {
    StateTable table = new StateTable(database, entries, true, new Semaphore(1));
    Map<String, String> model = new TreeMap<>();
    try {
      for (long offset = 0; offset < 1000; offset++) {
        for (int i = random.nextInt(10); i >= 0; i--) {
          String key = "k" + random.nextInt(40);
          String value = random.nextInt(4) == 0 ? null : "v" + offset + "." + i;
          table.put(bytes(key), value == null ? null : bytes(value));
          if (value == null) {
            model.remove(key);
          } else {
            model.put(key, value);
          }
          if (random.nextInt(30) == 0) {
            database.flush();
          }
        }
        commits.put(offset, new TreeMap<>(model));
        table.commit(state(offset));
      }
    } catch (IOException | RuntimeException e) {
      // The power is gone.
    }
  }

  @Test
  void aCommitIsOneRecord() throws Exception {
    try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
      KeyValueStore entries = entries(database);
      StateTable table = new StateTable(database, entries, true, new Semaphore(1));
      AtomicBoolean ended = new AtomicBoolean();
      CompletableFuture<Void> reader =
          CompletableFuture.runAsync(
              () -> {
                while (!ended.get()) {
                  requireOneCommit(entries);
                }
              });
      for (long offset = 0; offset < 3000; offset++) {
        table.put(bytes("n"), ByteBuffer.allocate(Long.BYTES).putLong(offset).array());
        table.commit(state(offset));
      }
      ended.set(true);
      reader.get();
    }
  }

  private static void requireOneCommit(KeyValueStore entries) {
    try (KeyValueSnapshot moment = entries.snapshot()) {
      byte[] stored = moment.get(KeyForm.STATE);
      byte[] value = moment.get(bytes("n"));
      if (stored != null) {
        assertThat(ByteBuffer.wrap(value).getLong())
            .isEqualTo(StoreState.of(stored, "store").streamTime());
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Keys of all lengths, with the bounds of ranges, beside a map. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keysAreInTheOrderOfTheirBytes(boolean transactional) throws IOException {
    Directory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, OPTIONS)) {
      StateTable table =
          new StateTable(database, entries(database), transactional, new Semaphore(1));
      TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
      table.commit(state(1));
      for (int i = 0; i < 300; i++) {
        byte[] key = key();
        byte[] value = random.nextInt(3) == 0 ? null : bytes("v" + i);
        table.put(key, value);
        if (value == null) {
          model.remove(key);
        } else {
          model.put(key, value);
        }
        if (random.nextInt(50) == 0) {
          table.commit(state(i));
        }
        byte[] sought = key();
        assertThat(table.get(sought, false)).as("seed %s", seed).isEqualTo(model.get(sought));
        byte[] from = random.nextInt(4) == 0 ? null : key();
        byte[] to = random.nextInt(4) == 0 ? null : key();
        if (i % 5 == 0 && (from == null || to == null || Arrays.compareUnsigned(from, to) <= 0)) {
          boolean inclusive = random.nextBoolean();
          boolean forward = random.nextBoolean();
          var expected =
              from == null && to == null
                  ? model
                  : from == null
                      ? model.headMap(to, inclusive)
                      : to == null
                          ? model.tailMap(from, true)
                          : model.subMap(from, true, to, inclusive);
          List<byte[]> keys =
              new ArrayList<>(forward ? expected.navigableKeySet() : expected.descendingKeySet());
          List<byte[]> found = new ArrayList<>();
          try (StateCursor cursor = table.cursor(from, to, inclusive, forward, false)) {
            while (cursor.next()) {
              found.add(cursor.key());
              assertThat(cursor.value()).isEqualTo(model.get(cursor.key()));
            }
          }
          assertThat(found)
              .as("seed %s", seed)
              .usingElementComparator(Arrays::compareUnsigned)
              .containsExactlyElementsOf(keys);
          byte[] target = key();
          keys.removeIf(each -> forward == (Arrays.compareUnsigned(each, target) < 0));
          found.clear();
          try (StateCursor cursor = table.cursor(from, to, inclusive, forward, false)) {
            if (random.nextBoolean()) {
              cursor.next();
            }
            cursor.seek(target);
            while (cursor.next()) {
              found.add(cursor.key());
              assertThat(cursor.value()).isEqualTo(model.get(cursor.key()));
            }
          }
          assertThat(found)
              .as("seed %s, after a seek", seed)
              .usingElementComparator(Arrays::compareUnsigned)
              .containsExactlyElementsOf(keys);
        }
      }
    }
  }

  private byte[] key() {
    int length =
        switch (random.nextInt(5)) {
          case 0 -> 0;
          case 1 -> 65_530 + random.nextInt(10);
          default -> random.nextInt(4);
        };
    byte[] key = new byte[length];
    for (int i = Math.max(0, length - 6); i < length; i++) {
      key[i] = (byte) (random.nextInt(3) - 1); // 0xff, 0 or 1
    }
    return key;
  }
}
