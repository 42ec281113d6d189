package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.event.EngineListener;
import io.siltstone.explain.Finding;
import io.siltstone.explain.Source;
import io.siltstone.explain.Verdict;
import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.mutation.Condition;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deletion of a range of keys: what it costs, where it is kept, and what goes with it. */
class KeyRangeDeletionTest {
  private static final String FILE = "key_range_deletions";
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .partitioner(Partitioner.BYTE_ORDERED)
          .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
          .build();

  private final Directory disk = new MemoryDirectory();

  private static KeyValueStore store(Database database, boolean isLogged) throws IOException {
    return KeyValueStore.createIn(
            database, "ks", List.of("t"), TableOptions.builder().durableWrites(isLogged).build())
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

  private static Directory directoryOf(Directory database) throws IOException {
    Directory keyspace = database.directory("data").directory("ks");
    return keyspace.directory(keyspace.directories().get(0));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 3_000})
  void nothingIsWrittenForEachKey(int entries) throws IOException {
    CountingDirectory counting = new CountingDirectory(disk);
    try (Database database = Database.open(counting, OPTIONS)) {
      KeyValueStore store = store(database, true);
      KeyValueBatch batch = new KeyValueBatch();
      for (int i = 0; i < entries; i++) {
        batch.put(ByteBuffer.allocate(4).putInt(i).array(), bytes("v"));
      }
      store.write(batch);
      store.table().flush();
      counting.reset();
      store.deleteRange(ByteBuffer.allocate(4).putInt(0).array(), bytes("zzzz"));
      assertThat(counting.count(Operation.WRITE)).isEqualTo(1);
      // The head of the record, of its part and of the change, and the bounds.
      assertThat(counting.bytes(Operation.WRITE)).isBetween(26L, 100L);
      assertThat(store.table().statistics().memtable().partitions()).isEqualTo(1);
      assertThat(keys(store)).isEmpty();
      store.table().flush();
      assertThat(TextFile.read(directoryOf(disk), FILE).lines()).hasSize(3);
      assertThat(keys(store)).isEmpty();
    }
  }

  /** The test counts allocated bytes, as it cannot rely on times. */
  @Test
  void aDeletionCostsNoMoreBesideManyOthers() throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      allocatedByDeletions(store, 0, 500);
      long few = allocatedByDeletions(store, 500, 1000) / 500;
      long many = allocatedByDeletions(store, 1000, 8000) / 7000;
      assertThat(many).isLessThan(2 * few);
      store.put(ByteBuffer.allocate(4).putInt(7000).array(), bytes("v"));
      assertThat(keys(store)).hasSize(1);
    }
  }

  private static long allocatedByDeletions(KeyValueStore store, int from, int to)
      throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = from; i < to; i++) {
      byte[] first = ByteBuffer.allocate(4).putInt(i * 0x9e37_79b1).array();
      store.deleteRange(first, Arrays.copyOf(first, 5));
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofABatchTheOrderCounts(boolean isLogged) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, isLogged);
      put(store, "a", "b", "c");
      store.write(
          new KeyValueBatch()
              .put(bytes("b1"), bytes("before"))
              .deleteRange(store, bytes("b"), bytes("c"))
              .put(bytes("b2"), bytes("after"))
              .deleteRange(bytes("d"), bytes("d"))
              .delete(bytes("c")));
      assertThat(keys(store)).containsExactly("a", "b2");
      store.table().flush();
      assertThat(keys(store)).containsExactly("a", "b2");
    }
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, isLogged);
      assertThat(keys(store)).containsExactly("a", "b2");
      assertThat(store.putIfAbsent(bytes("b"), bytes("again"))).isTrue();
      assertThat(keys(store)).containsExactly("a", "b", "b2");
    }
  }

  @Test
  void boundsMayBeEmptyOrLongerThanKeys() throws IOException {
    byte[] longest = new byte[0xffff];
    Arrays.fill(longest, (byte) 'm');
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      put(store, "a", "n");
      store.put(longest, bytes("v"));
      store.deleteRange(longest, false, null, true);
      assertThat(store.contains(longest)).isTrue();
      assertThat(store.contains(bytes("n"))).isFalse();
      store.deleteRange(longest, true, longest, true);
      assertThat(keys(store)).containsExactly("a");
      store.deleteRange(new byte[0], new byte[0]);
      store.deleteRange(new byte[0], new byte[1]);
      assertThat(keys(store)).containsExactly("a");
      store.deleteRange(new byte[0], null);
      assertThat(keys(store)).isEmpty();
      assertThatThrownBy(() -> new KeyValueBatch().deleteRange(bytes("b"), bytes("a")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("keys from 0x62 to 0x61");
    }
  }

  @Test
  void aReaderBesideTheWriterHasItFromItsNextRefreshOn() throws IOException {
    DatabaseOptions readOnly = OPTIONS.toBuilder().readOnly(true).build();
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      put(store, "a", "b", "c");
      store.table().flush();
      try (Database reader = Database.open(disk, readOnly)) {
        KeyValueStore read = KeyValueStore.in(reader, "ks", "t");
        store.deleteRange(bytes("a"), bytes("b"));
        assertThat(keys(read)).containsExactly("a", "b", "c");
        assertThat(reader.refresh()).isTrue();
        assertThat(keys(read)).containsExactly("b", "c");
        store.deleteRange(bytes("b"), bytes("c"));
        store.table().flush();
        assertThat(reader.refresh()).isTrue();
        assertThat(keys(read)).containsExactly("c");
        assertThatThrownBy(() -> read.deleteRange(null, null))
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void checkpointsAndBackupsHaveIt() throws IOException {
    Directory checkpoint = new MemoryDirectory();
    Directory target = new MemoryDirectory();
    Backups backups = Backups.in(target);
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      put(store, "a", "b", "c", "d");
      store.table().flush();
      store.deleteRange(bytes("a"), bytes("b"));
      database.checkpoint(checkpoint);
      backups.create(database);
      store.table().flush();
      store.deleteRange(bytes("b"), bytes("c"));
      backups.create(database);
      store.deleteRange(null, null);
    }
    assertThat(keysOf(checkpoint)).containsExactly("b", "c", "d");
    List<Backups.Backup> all = backups.list();
    Directory first = new MemoryDirectory();
    backups.restore(all.get(0).id(), first);
    assertThat(keysOf(first)).containsExactly("b", "c", "d");
    Directory second = new MemoryDirectory();
    backups.restore(all.get(1).id(), second);
    assertThat(keysOf(second)).containsExactly("c", "d");
    assertThat(keysOf(disk)).isEmpty();
  }

  private static List<String> keysOf(Directory database) throws IOException {
    try (Database opened = Database.open(database, OPTIONS)) {
      return keys(KeyValueStore.in(opened, "ks", "t"));
    }
  }

  @Test
  void aTableThatIsMadeAgainHasNone() throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      put(store, "a");
      store.deleteRange(null, null);
      store.table().flush();
      database.dropTable("ks", "t");
      KeyValueStore again = store(database, true);
      put(again, "a");
      assertThat(keys(again)).containsExactly("a");
      again.table().flush();
      assertThat(directoryOf(disk).exists(FILE)).isFalse();
    }
  }

  /** Deletions of data in the future are deleted in the future: what comes later is later yet. */
  @Test
  void laterWritesAreNewerThanTheDeletion() throws IOException {
    long future = Long.MAX_VALUE / 4;
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      Table table = store.table();
      table.write(
          table
              .mutation(ByteBuffer.wrap(bytes("a")))
              .timestamp(future)
              .insert()
              .set("value", ByteBuffer.wrap(bytes("v")))
              .build());
      store.deleteRange(null, null);
      table.flush();
      assertThat(keys(store)).isEmpty();
      assertThat(
              table.writeIf(
                  table
                      .mutation(ByteBuffer.wrap(bytes("b")))
                      .insert()
                      .set("value", ByteBuffer.wrap(bytes("v")))
                      .build(),
                  List.of(),
                  Condition.notExists()))
          .isTrue();
      assertThat(keys(store)).containsExactly("b");
    }
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      put(store, "a");
      assertThat(keys(store)).containsExactly("a", "b");
    }
  }

  @Test
  void explainNamesIt() throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      put(store, "a", "b");
      store.table().flush();
      store.deleteRange(null, bytes("c"));
      assertThat(sourcesOfShadows(store)).containsExactly(Source.Kind.MEMTABLE);
      store.table().flush();
      assertThat(sourcesOfShadows(store)).containsExactly(Source.Kind.KEY_RANGES);
    }
  }

  private static List<Source.Kind> sourcesOfShadows(KeyValueStore store) throws IOException {
    List<Finding> findings = new ArrayList<>();
    Table table = store.table();
    var unused =
        table.explain(table.query().partition(ByteBuffer.wrap(bytes("b"))).build(), findings::add);
    return findings.stream()
        .filter(finding -> finding.verdict() == Verdict.SHADOWED)
        .map(finding -> finding.shadow().orElseThrow().by().kind())
        .distinct()
        .toList();
  }

  @Test
  void aDamagedFileIsFound() throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      KeyValueStore store = store(database, true);
      put(store, "a", "b");
      store.deleteRange(null, bytes("b"));
    }
    Directory files = directoryOf(disk);
    String text = TextFile.read(files, FILE);
    TextFile.replace(files, FILE, text.replace("range 00", "range 01"));
    assertThatThrownBy(() -> Database.open(disk, OPTIONS))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(FILE)
        .hasMessageContaining("checksum");
    List<EngineListener.CorruptionFound> found = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void corruptionFound(CorruptionFound event) {
            found.add(event);
          }
        };
    DatabaseOptions lenient = OPTIONS.toBuilder().lenient(true).listener(listener).build();
    try (Database database = Database.open(disk, lenient)) {
      assertThat(keys(store(database, true))).containsExactly("a", "b");
    }
    assertThat(found).singleElement().satisfies(event -> assertThat(event.path()).contains(FILE));
    TextFile.replace(files, FILE, text);
    assertThat(keysOf(disk)).containsExactly("b");
  }
}
