package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueBatch;
import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueSnapshot;
import io.siltstone.KeyValueStore;
import io.siltstone.OfflineTable;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.LiveSSTable;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deletions of ranges of keys and compactions: what is left out, and when they are purged. */
class KeyRangeDeletionPurgeTest {
  private static final long SEED = Long.getLong("siltstone.seed", 71);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final String FILE = "key_range_deletions";

  private final AtomicLong seconds = new AtomicLong(1_700_000_000);

  private DatabaseOptions options() {
    return DatabaseOptions.builder()
        .compaction(
            new CompactionService(
                CompactionOptions.builder()
                    .bytesPerSecond(0)
                    .compactors(1)
                    .pipelineThreads(0)
                    .subCompactions(1)
                    .clock(() -> Instant.ofEpochSecond(seconds.get()))
                    .build()))
        .partitioner(Partitioner.BYTE_ORDERED)
        .clock(() -> Instant.ofEpochSecond(seconds.get()))
        .memtableBytes(1 << 20)
        .chunkCacheBytes(1 << 20)
        .keyCacheBytes(0)
        .commitLog(
            CommitLogOptions.builder()
                .syncMode(SyncMode.BATCH)
                .segmentBytes(4096)
                .bufferBytes(64 << 10)
                .build())
        .build();
  }

  private static KeyValueStore store(Database database, boolean isLogged) throws IOException {
    return KeyValueStore.createIn(
            database,
            isLogged ? "logged" : "loose",
            List.of("t"),
            TableOptions.builder()
                .gcGraceSeconds(0)
                .durableWrites(isLogged)
                .compaction(Map.of("class", "SizeTieredCompactionStrategy", "enabled", "false"))
                .build())
        .get(0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void put(KeyValueStore store, String... keys) throws IOException {
    for (String key : keys) {
      store.put(bytes(key), bytes("of " + key));
    }
  }

  private static List<String> keys(KeyValueStore store) throws IOException {
    List<String> keys = new ArrayList<>();
    try (KeyValueIterator entries = store.iterator()) {
      for (entries.seekToFirst(); entries.isValid(); entries.next()) {
        keys.add(new String(entries.key(), StandardCharsets.UTF_8));
      }
    }
    return keys;
  }

  private static Directory directoryOf(Directory database, String keyspace) throws IOException {
    Directory parent = database.directory("data").directory(keyspace);
    return parent.directory(parent.directories().get(0));
  }

  private static Set<Descriptor> tables(KeyValueStore store) throws IOException {
    return store.table().sstables().stream()
        .map(LiveSSTable::descriptor)
        .collect(Collectors.toSet());
  }

  /** Compacts some SSTables, a second after what was written last. */
  private void compact(KeyValueStore store, Set<Descriptor> only) throws Exception {
    seconds.incrementAndGet();
    CompactionRequest request = CompactionRequest.of(CompactionRequest.Operation.MAJOR);
    store
        .table()
        .compact(only.isEmpty() ? request : request.withTables(only))
        .toCompletableFuture()
        .get()
        .orThrow();
  }

  @Test
  void aDeletionIsKeptUntilNoSSTableMayHaveWhatItDeletes() throws Exception {
    Directory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, options())) {
      KeyValueStore store = store(database, true);
      Directory files = directoryOf(disk, "logged");
      put(store, "a", "b", "c", "z");
      store.table().flush();
      Set<Descriptor> oldest = tables(store);
      put(store, "b", "m", "z");
      store.deleteRange(bytes("b"), bytes("d"));
      put(store, "c2");
      assertThat(files.exists(FILE)).isFalse();
      store.table().flush();
      assertThat(files.exists(FILE)).isTrue();
      Set<Descriptor> newest = tables(store);
      newest.removeAll(oldest);

      compact(store, newest);
      assertThat(files.exists(FILE)).as("the oldest has b and c").isTrue();
      assertThat(keys(store)).containsExactly("a", "c2", "m", "z");

      // Keys and timestamps of the output do not show that it has nothing that is deleted. Only the
      // note in the file does.
      compact(store, oldest);
      assertThat(files.exists(FILE)).isFalse();
      assertThat(keys(store)).containsExactly("a", "c2", "m", "z");
      assertThat(store.table().sstables()).hasSize(2);
    }
    try (Database database = Database.open(disk, options())) {
      KeyValueStore store = store(database, true);
      assertThat(keys(store)).containsExactly("a", "c2", "m", "z");
      compact(store, Set.of());
      assertThat(keys(store)).containsExactly("a", "c2", "m", "z");
    }
  }

  /** The file keeps which SSTables a compaction has freed of deleted entries, over a reopening. */
  @Test
  void whatWasLeftOutOfAnSSTableIsKept() throws Exception {
    Directory disk = new MemoryDirectory();
    Set<Descriptor> oldest;
    try (Database database = Database.open(disk, options())) {
      KeyValueStore store = store(database, true);
      put(store, "a", "c", "z");
      store.table().flush();
      oldest = tables(store);
      put(store, "b", "c", "y");
      store.table().flush();
      Set<Descriptor> second = tables(store);
      second.removeAll(oldest);
      store.deleteRange(bytes("b"), bytes("d"));
      store.table().flush();
      Set<Descriptor> others = tables(store);
      others.removeAll(oldest);
      compact(store, others);
      assertThat(store.table().sstables()).hasSize(2);
    }
    try (Database database = Database.open(disk, options())) {
      KeyValueStore store = store(database, true);
      assertThat(directoryOf(disk, "logged").exists(FILE)).isTrue();
      compact(store, oldest);
      assertThat(directoryOf(disk, "logged").exists(FILE)).isFalse();
      assertThat(keys(store)).containsExactly("a", "y", "z");
    }
  }

  @Test
  void aDeletionIsKeptUntilTheGracePeriodIsOver() throws Exception {
    Directory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, options())) {
      KeyValueStore store = store(database, true);
      database.alterTable("logged", "t", "ALTER TABLE logged.t WITH gc_grace_seconds = 100");
      put(store, "a", "b");
      store.deleteRange(null, null);
      put(store, "c");
      store.table().flush();
      compact(store, Set.of());
      assertThat(directoryOf(disk, "logged").exists(FILE)).isTrue();
      seconds.addAndGet(100);
      put(store, "d");
      store.table().flush();
      compact(store, Set.of());
      assertThat(directoryOf(disk, "logged").exists(FILE)).isFalse();
      assertThat(keys(store)).containsExactly("c", "d");
    }
  }

  @Test
  void aSnapshotGoesOnToShowWhatWasDeletedAndPurged() throws Exception {
    Directory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, options())) {
      KeyValueStore store = store(database, true);
      put(store, "a", "b");
      store.table().flush();
      KeyValueSnapshot before = store.snapshot();
      store.deleteRange(null, null);
      store.table().flush();
      KeyValueSnapshot after = store.snapshot();
      compact(store, Set.of());
      assertThat(store.table().sstables()).isEmpty();
      assertThat(before.get(bytes("a"))).isEqualTo(bytes("of a"));
      assertThat(after.get(bytes("a"))).isNull();
      try (before;
          after;
          KeyValueIterator shown = before.iterator();
          KeyValueIterator hidden = after.iterator()) {
        shown.seekToFirst();
        assertThat(shown.isValid()).isTrue();
        hidden.seekToLast();
        assertThat(hidden.isValid()).isFalse();
      }
    }
  }

  @Test
  void theDirectoryOfATableIsEnoughToReadAndToCompactIt() throws Exception {
    Directory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, options())) {
      KeyValueStore store = store(database, false);
      put(store, "a", "b", "c");
      database.flush();
      store.deleteRange(bytes("a"), bytes("c"));
    }
    Directory files = directoryOf(disk, "loose");
    DatabaseOptions offline = options();
    try (OfflineTable table = OfflineTable.open(files, null, null, offline)) {
      assertThat(rows(table)).containsExactly("63");
      seconds.incrementAndGet();
      table
          .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
          .toCompletableFuture()
          .get()
          .orThrow();
      assertThat(rows(table)).containsExactly("63");
      assertThat(table.sstables()).hasSize(1);
      // Nothing of what was deleted is left for other programs.
      assertThat(table.sstables().get(0).partitions()).isEqualTo(1);
    }
    assertThat(files.exists(FILE)).isFalse();
    try (Database database = Database.open(disk, options())) {
      assertThat(keys(store(database, false))).containsExactly("c");
    }
  }

  private static List<String> rows(OfflineTable table) throws IOException {
    List<String> keys = new ArrayList<>();
    try (LiveRows rows = table.read(table.query().build())) {
      while (rows.hasNext()) {
        keys.add(HexFormat.of().formatHex(rows.next().getBytes("key")));
      }
    }
    return keys;
  }

  @Test
  void whatIsDeletedIsNotImported() throws Exception {
    Directory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, options())) {
      KeyValueStore store = store(database, true);
      put(store, "a", "b");
      store.deleteRange(bytes("a"), bytes("b"));
      store.table().flush();
    }
    Directory files = directoryOf(disk, "logged");
    try (Database database = Database.open(new MemoryDirectory(), options())) {
      KeyValueStore target = store(database, true);
      assertThatThrownBy(() -> target.table().importTables(files))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(FILE);
      assertThat(keys(target)).isEmpty();
      try (Database source = Database.open(disk, options())) {
        compact(store(source, true), Set.of());
      }
      target.table().importTables(files);
      assertThat(keys(target)).containsExactly("b");
    }
  }

  /** An action on a store, at each of whose operations the power is lost. */
  private interface Action {
    void run(KeyValueStore store) throws Exception;
  }

  @ParameterizedTest
  @CsvSource({"JOURNALED,true", "JOURNALED,false", "UNORDERED,false"})
  void aFlushWithADeletionHappensAsAWhole(String modelName, boolean isLogged) throws Exception {
    requireAtEachOperation(
        FileSystemModel.valueOf(modelName),
        isLogged,
        store -> {
          put(store, "a", "b");
          store.table().flush();
        },
        store -> {
          store.write(new KeyValueBatch().deleteRange(null, null).put(bytes("c"), bytes("v")));
          store.table().flush();
        },
        Set.of(List.of("a", "b"), List.of("c")));
  }

  @ParameterizedTest
  @CsvSource({"JOURNALED,true", "UNORDERED,false"})
  void aPurgeHappensAfterTheCompaction(String modelName, boolean isLogged) throws Exception {
    requireAtEachOperation(
        FileSystemModel.valueOf(modelName),
        isLogged,
        store -> {
          put(store, "a", "b", "d");
          store.table().flush();
          store.deleteRange(bytes("a"), bytes("d"));
          put(store, "c");
          store.table().flush();
        },
        store -> compact(store, Set.of()),
        Set.of(List.of("c", "d")));
  }

  @Test
  void aTruncationTakesTheDeletionsWithIt() throws Exception {
    requireAtEachOperation(
        FileSystemModel.JOURNALED,
        true,
        store -> {
          put(store, "a", "b");
          store.deleteRange(null, bytes("b"));
          store.table().flush();
        },
        store -> {
          store.table().truncate();
          assertThat(keys(store)).isEmpty();
          put(store, "a");
        },
        Set.of(List.of("b"), List.of(), List.of("a")));
  }

  private void requireAtEachOperation(
      FileSystemModel model,
      boolean isLogged,
      Action prepare,
      Action action,
      Set<List<String>> allowed)
      throws Exception {
    SimulatedDisk prepared = new SimulatedDisk(model);
    run(prepared, isLogged, prepare);
    SimulatedDisk whole = prepared.powerLoss(SEED);
    run(whole, isLogged, action);
    long operations = whole.operations();
    Set<List<String>> found = new HashSet<>();
    int every = SCALE > 1 ? 1 : 14;
    // The last run is whole, even if threads of the database do a few operations more.
    for (long point = SEED % every; point <= operations + every; point += every) {
      SimulatedDisk disk = prepared.powerLoss(SEED);
      disk.crashAfter(point);
      try {
        run(disk, isLogged, action);
      } catch (Exception e) {
        assertThat(disk.isLost()).as("%s", e).isTrue();
      }
      SimulatedDisk rebooted = disk.powerLoss(SEED + point);
      String when = "seed " + SEED + ", operation " + point + ", " + disk.lastOperations();
      for (int opening = 0; opening < (isLogged ? 1 : 3); opening++) {
        try (Database database = Database.open(rebooted, options())) {
          KeyValueStore store = store(database, isLogged);
          assertThat(keys(store)).as(when).isIn(allowed);
          found.add(keys(store));
          if (opening == 1) {
            // The first opening has removed what was lost: its name may be given away now.
            put(store, "x");
            store.table().flush();
            store.delete(bytes("x"));
          }
        }
      }
    }
    assertThat(found).isEqualTo(allowed);
  }

  private void run(Directory disk, boolean isLogged, Action action) throws Exception {
    try (Database database = Database.open(disk, options())) {
      action.run(store(database, isLogged));
    }
  }
}
