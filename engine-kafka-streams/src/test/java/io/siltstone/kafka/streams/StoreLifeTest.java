package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.CHANGELOG;
import static io.siltstone.kafka.streams.Entries.all;
import static io.siltstone.kafka.streams.Entries.bytes;
import static io.siltstone.kafka.streams.Entries.commit;
import static io.siltstone.kafka.streams.Entries.key;
import static io.siltstone.kafka.streams.Entries.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.kafka.streams.host.OpenDatabases;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.internals.StateDirectory;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which database and table a store has, and when they are opened, closed and dropped. */
final class StoreLifeTest {
  @TempDir Path directory;

  @AfterEach
  void nothingIsOpenAfterTheLastClose() {
    assertThat(OpenDatabases.areNone()).isTrue();
  }

  private StoreContext context(int partition) {
    return new StoreContext(directory, partition);
  }

  @Test
  void storesOfAnApplicationShareADatabaseThatIsClosedWithTheLast() throws IOException {
    KeyValueStore<Bytes, byte[]> first = open("a", context(0));
    KeyValueStore<Bytes, byte[]> second = open("a", context(1));
    KeyValueStore<Bytes, byte[]> third = open("b", context(0));
    assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION).tables()).hasSize(3);
    first.close();
    second.close();
    assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION)).isNotNull();
    third.close();
    third.close();
    assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION)).isNull();
  }

  @Test
  void aStoreThatCannotBeOpenedLeavesNothingOpen() {
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    KeyValueStore<Bytes, byte[]> same = SiltstoneStores.persistentKeyValueStore("a").get();
    assertThatThrownBy(() -> same.init(context(0), same))
        .isInstanceOf(ProcessorStateException.class)
        .hasRootCauseMessage("store a of task 0_0 is open, and cannot be opened once more");
    assertThat(same.isOpen()).isFalse();
    store.close();
  }

  @Test
  void entriesOfEachPartitionAreApartAndStay() {
    KeyValueStore<Bytes, byte[]> first = open("a", context(0));
    KeyValueStore<Bytes, byte[]> second = open("a", context(1));
    first.put(key("k"), bytes("1"));
    second.put(key("k"), bytes("2"));
    commit(first, 1);
    commit(second, 1);
    first.close();
    second.close();
    KeyValueStore<Bytes, byte[]> again = open("a", context(1));
    assertThat(all(again)).containsExactly("k=2");
    again.close();
  }

  @Test
  void aTaskWhoseDirectoryWasDeletedBeginsAnewAndItsTableIsDropped() throws IOException {
    KeyValueStore<Bytes, byte[]> kept = open("a", context(1));
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    store.put(key("k"), bytes("1"));
    commit(store, 1);
    store.close();
    Utils.delete(context(0).taskDirectory().toFile());

    store.init(context(0), store);
    assertThat(all(store)).isEmpty();
    assertThat(store.committedOffset(CHANGELOG)).isNull();
    assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION).tables()).hasSize(3);
    assertThat(OpenDatabases.sweep(directory, StoreContext.APPLICATION)).isEqualTo(1);
    assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION).tables()).hasSize(2);
    store.close();
    kept.close();
  }

  @Test
  void aTableIsNotDroppedWhileItsStoreIsOpen() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    store.put(key("k"), bytes("1"));
    Utils.delete(context(0).taskDirectory().toFile());
    assertThat(OpenDatabases.sweep(directory, StoreContext.APPLICATION)).isZero();
    assertThat(all(store)).containsExactly("k=1");
    store.close();
  }

  @Test
  void tablesOfTasksThatMovedAwayAreDroppedWhenTheDatabaseIsOpened() throws IOException {
    open("a", context(0)).close();
    open("a", context(1)).close();
    open("a", context(2)).close();
    Utils.delete(context(0).taskDirectory().toFile());
    Utils.delete(context(1).taskDirectory().toFile());
    KeyValueStore<Bytes, byte[]> store = open("a", context(2));
    assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION).tables()).hasSize(1);
    store.close();
  }

  private Path closedDatabase() {
    return directory
        .resolve(StoreContext.APPLICATION)
        .resolve("global")
        .resolve("siltstone-closed");
  }

  private Path openDatabase() {
    return directory.resolve(StoreContext.APPLICATION).resolve("siltstone");
  }

  @Test
  void theDatabaseIsOutsideOfTheDirectoryOfGlobalStoresWhileOneIsOpen() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    KeyValueStore<Bytes, byte[]> global = open("g", StoreContext.global(directory));
    store.put(key("k"), bytes("1"));
    commit(store, 1);
    global.close();
    Utils.delete(StoreContext.global(directory).taskDirectory().toFile()); // Kafka wipes the store
    assertThat(all(store)).containsExactly("k=1");

    // Kafka may also delete it after the last store was closed.
    global.init(StoreContext.global(directory), global);
    store.close();
    global.close();
    assertThat(openDatabase()).isDirectory();
    assertThat(closedDatabase()).doesNotExist();
    Utils.delete(StoreContext.global(directory).taskDirectory().toFile());
    store.init(context(0), store);
    assertThat(all(store)).containsExactly("k=1");
    store.close();

    // The table of the global store was dropped, so that the database can be put aside.
    assertThat(openDatabase()).doesNotExist();
    assertThat(closedDatabase()).isDirectory();
    store.init(context(0), store);
    assertThat(all(store)).containsExactly("k=1");
    store.close();
  }

  @Test
  void theDatabaseIsNotPutWhereGlobalStoresOfOthersAre() throws IOException {
    Path global = StoreContext.global(directory).taskDirectory();
    Files.createDirectories(global.resolve("rocksdb").resolve("table"));
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    store.put(key("k"), bytes("1"));
    commit(store, 1);
    store.close();
    Utils.delete(global.toFile()); // Kafka wipes the global stores before tasks are opened.
    store.init(context(0), store);
    assertThat(all(store)).containsExactly("k=1");
    store.close();
    assertThat(closedDatabase()).isDirectory();
  }

  @Test
  void tablesNameTheirMarkersRelativeToAStateDirectoryThatIsALink() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);
    StoreContext context = new StoreContext(link, 0);
    KeyValueStore<Bytes, byte[]> store = open("a", context);
    assertThat(
            OpenDatabases.find(link, StoreContext.APPLICATION)
                .tables()
                .get(0)
                .schema()
                .options()
                .comment())
        .isEqualTo("0_0/siltstone/a");
    store.close();
  }

  @Test
  void aStoreMayHaveTheNameOfAnotherAndAnEnding() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open("a.tmp", context(0));
    store.put(key("k"), bytes("1"));
    commit(store, 1);
    store.close();
    open("a", context(0)).close();
    store.init(context(0), store);
    assertThat(all(store)).containsExactly("k=1");
    store.close();
  }

  @Test
  void aDatabaseThatIsThereTwiceIsUsedWhereItIsOpen() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    Files.createDirectories(closedDatabase());
    store.put(key("k"), bytes("1"));
    commit(store, 1);
    store.close();
    assertThat(openDatabase()).isDirectory();
    store.init(context(0), store);
    assertThat(all(store)).containsExactly("k=1");
    store.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?", "t0_0_1 a key-value", "a b c d\n", "\n"})
  void aDamagedMarkerIsThatOfItsStoreOnly(String text) throws IOException {
    KeyValueStore<Bytes, byte[]> other = open("other", context(0));
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    other.put(key("k"), bytes("1"));
    store.put(key("k"), bytes("2"));
    commit(other, 1);
    commit(store, 1);
    other.close();
    store.close();
    Path marker = context(0).taskDirectory().resolve("siltstone").resolve("a");
    Files.writeString(marker, text);

    other.init(context(0), other);
    assertThat(all(other)).containsExactly("k=1");
    // Nothing is dropped whose marker is not known.
    assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION).tables()).hasSize(2);
    store.init(context(0), store);
    assertThat(all(store)).isEmpty();
    assertThat(store.committedOffset(CHANGELOG)).isNull();
    assertThat(Files.readString(marker)).matches("t0_0_[0-9a-f]{16} a key-value\n");
    assertThat(OpenDatabases.sweep(directory, StoreContext.APPLICATION)).isEqualTo(1);
    store.close();
    other.close();
  }

  @Test
  void aMarkerThatCannotBeReadIsNamed() throws IOException {
    KeyValueStore<Bytes, byte[]> other = open("other", context(0));
    other.put(key("k"), bytes("1"));
    commit(other, 1);
    Path marker = context(0).taskDirectory().resolve("siltstone").resolve("a");
    Files.createDirectories(marker);
    KeyValueStore<Bytes, byte[]> store = SiltstoneStores.persistentKeyValueStore("a").get();
    assertThatThrownBy(() -> store.init(context(0), store))
        .isInstanceOf(ProcessorStateException.class)
        .rootCause()
        .hasMessageContaining(marker.toString());
    assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION).tables()).hasSize(1);
    assertThat(all(other)).containsExactly("k=1");
    other.close();
  }

  @Test
  void aNewTableIsFlushedSoonAfterItsFirstCommit() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    store.put(key("k"), bytes("1"));
    Table table =
        OpenDatabases.find(directory, StoreContext.APPLICATION).tables().iterator().next();
    assertThat(table.statistics().sstables().count()).isZero();
    commit(store, 1);
    while (table.statistics().sstables().count() == 0) {
      Thread.onSpinWait();
    }
    store.close();
  }

  @Test
  void databasesShareTheThreadThatMaintainsThem() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    try (StoreHost first = StoreHost.builder(directory.resolve("1")).memoryBytes(64L << 20).open();
        StoreHost second =
            StoreHost.builder(directory.resolve("2")).memoryBytes(64L << 20).open()) {
      assertThat(first.dropUnused() + second.dropUnused()).isZero();
      assertThat(
              Thread.getAllStackTraces().keySet().stream()
                  .filter(thread -> thread.getName().equals("siltstone-maintenance")))
          .hasSizeLessThanOrEqualTo(1);
    }
    store.close();
  }

  @Test
  void whatKafkaCleansUpIsDroppedWhenTheDatabaseIsOpened() throws IOException {
    for (boolean byUser : new boolean[] {false, true}) {
      KeyValueStore<Bytes, byte[]> store = open("a", context(0));
      store.put(key("k"), bytes("1"));
      commit(store, 1);
      store.close();

      Map<String, Object> configs = context(0).appConfigs();
      configs.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
      StateDirectory state =
          new StateDirectory(new StreamsConfig(configs), Time.SYSTEM, true, false);
      if (byUser) {
        state.clean(); // KafkaStreams.cleanUp
        assertThat(directory.resolve(StoreContext.APPLICATION)).doesNotExist();
      } else {
        state.cleanRemovedTasks(-1); // after state.cleanup.delay.ms
        assertThat(closedDatabase()).isDirectory();
      }
      assertThat(context(0).taskDirectory()).doesNotExist();

      store.init(context(0), store);
      assertThat(all(store)).isEmpty();
      assertThat(store.committedOffset(CHANGELOG)).isNull();
      assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION).tables()).hasSize(1);
      store.close();
    }
  }

  @Test
  void aTableOfAnotherFormatIsNotUsed() {
    KeyValueStore<Bytes, byte[]> plain = open("a", context(0));
    plain.put(key("k"), bytes("1"));
    commit(plain, 1);
    plain.close();
    KeyValueStore<Bytes, byte[]> timestamped =
        SiltstoneStores.persistentTimestampedKeyValueStore("a").get();
    timestamped.init(context(0), timestamped);
    assertThat(all(timestamped)).isEmpty();
    assertThat(timestamped.committedOffset(CHANGELOG)).isNull();
    timestamped.close();
  }

  @Test
  void iteratorsAreClosedWithTheStore() {
    KeyValueStore<Bytes, byte[]> store = open("a", context(0));
    store.put(key("k"), bytes("1"));
    KeyValueIterator<Bytes, byte[]> open = store.all();
    store.close();
    assertThatThrownBy(open::hasNext).isInstanceOf(InvalidStateStoreException.class);
    open.close();
    assertThatThrownBy(() -> store.get(key("k"))).isInstanceOf(InvalidStateStoreException.class);
  }

  @Test
  void aHostOfTheConfigurationIsUsedAndNotClosed() throws Exception {
    Path elsewhere = directory.resolve("elsewhere");
    try (StoreHost host = StoreHost.builder(elsewhere).memoryBytes(64L << 20).open()) {
      StoreContext context = context(0).with(StoreHost.HOST_CONFIG, host);
      KeyValueStore<Bytes, byte[]> store = open("a", context);
      store.put(key("k"), bytes("1"));
      commit(store, 1);
      store.close();
      assertThat(OpenDatabases.find(directory, StoreContext.APPLICATION)).isNull();
      assertThat(host.database().tables()).hasSize(1);
      assertThat(host.dropUnused()).isZero();
      store.init(context, store);
      assertThat(all(store)).containsExactly("k=1");
      store.close();
      Utils.delete(context.taskDirectory().toFile());
      assertThat(host.dropUnused()).isEqualTo(1);
    }
  }

  @Test
  void aCheckpointHasTheEntriesAsColumns() throws Exception {
    Path copy = directory.resolve("copy");
    try (StoreHost host =
        StoreHost.builder(directory.resolve("host")).memoryBytes(64L << 20).open()) {
      KeyValueStore<Bytes, byte[]> store =
          open("words", context(0).with(StoreHost.HOST_CONFIG, host));
      store.put(key("k"), bytes("1"));
      commit(store, 1);
      host.database().checkpoint(copy);
      store.close();
    }
    try (Database database =
        Database.open(
            copy,
            DatabaseOptions.builder()
                .readOnly(true)
                .memoryBytes(16 << 20)
                .chunkCacheBytes(1 << 20)
                .build())) {
      Table table = database.tables().get(0);
      assertThat(table.schema().name()).isEqualTo("words");
      assertThat(table.schema().options().comment()).endsWith("0_0/siltstone/words");
      List<String> rows = new ArrayList<>();
      try (LiveRows all = table.read(table.query().build())) {
        for (Row row : all) {
          rows.add(Entries.text(row.getBytes("key")));
          if (rows.size() == 2) {
            assertThat(Entries.text(row.getBytes("value"))).isEqualTo("1");
          }
        }
      }
      assertThat(rows).containsExactly("\0", "k");
    }
  }

  @Test
  void theDocumentationHasTheOptions() throws IOException {
    String page = Files.readString(Path.of("../docs/kafka-streams.md"));
    assertThat(page)
        .contains(
            "| `"
                + StoreHost.MEMORY_BYTES_CONFIG
                + "` | "
                + StoreHost.DEFAULT_MEMORY_BYTES
                + ", which is 256 MiB | from "
                + StoreHost.LEAST_MEMORY_BYTES)
        .contains("| `" + StoreHost.HOST_CONFIG + "` |")
        .contains(
            StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG
                + "="
                + SiltstoneDslStoreSuppliers.class.getName());
  }

  @Test
  void aTaskOutsideOfTheStateDirectoryHasADatabaseOfItsOwn() {
    for (String configured : new String[] {null, directory.resolve("other").toString()}) {
      StoreContext context = context(0).with(StreamsConfig.STATE_DIR_CONFIG, configured);
      KeyValueStore<Bytes, byte[]> store = open("a", context);
      store.put(key("k"), bytes("1"));
      commit(store, 1);
      store.close();
      store.init(context, store);
      assertThat(all(store)).containsExactly("k=1");
      store.close();
      assertThat(context.taskDirectory().resolve(StoreContext.APPLICATION)).isDirectory();
      assertThat(directory.resolve("other")).doesNotExist();
    }
  }

  @Test
  void aWrongConfigurationIsRefused() {
    KeyValueStore<Bytes, byte[]> store = SiltstoneStores.persistentKeyValueStore("a").get();
    for (StoreContext wrong :
        List.of(
            context(0).with(StoreHost.HOST_CONFIG, "a host"),
            context(0).with(StoreHost.MEMORY_BYTES_CONFIG, "much"),
            context(0).with(StoreHost.MEMORY_BYTES_CONFIG, 1000))) {
      assertThatThrownBy(() -> store.init(wrong, store))
          .isInstanceOf(ProcessorStateException.class)
          .hasCauseInstanceOf(ConfigException.class);
    }
    assertThatThrownBy(() -> StoreHost.builder(directory).memoryBytes(1))
        .hasMessageContaining("allowed 33554432");
  }

  @Test
  void aDamagedTableIsRestoredAndTheOthersStayOpen() throws Exception {
    KeyValueStore<Bytes, byte[]> other = open("other", context(0));
    other.put(key("k"), bytes("1"));
    KeyValueStore<Bytes, byte[]> store = open("damaged", context(0));
    for (int i = 0; i < 2000; i++) {
      store.put(key("key" + i), bytes("value" + i));
    }
    commit(store, 1);
    commit(other, 1);
    OpenDatabases.find(directory, StoreContext.APPLICATION).flush();
    damage("damaged");

    assertThatThrownBy(() -> all(store)).isInstanceOf(TaskCorruptedException.class);
    store.close();
    assertThat(all(other)).containsExactly("k=1");
    store.init(context(0), store);
    assertThat(all(store)).isEmpty();
    assertThat(store.committedOffset(CHANGELOG)).isNull();
    store.close();
    other.close();
  }

  // Kafka restores by a thread of its own, which handles this exception as that of the task does.
  @Test
  void damageIsReportedToTheThreadThatRestores() throws Exception {
    StoreContext context = context(0);
    KeyValueStore<Bytes, byte[]> store = open("damaged", context);
    String common = "k".repeat(70_000);
    store.put(key(common), new byte[10_000]);
    commit(store, 1);
    OpenDatabases.find(directory, StoreContext.APPLICATION).flush();
    damage("damaged");

    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    Thread restorer =
        new Thread(
            () -> {
              try {
                context.restore(List.of(StoreContext.changelog(bytes(common), bytes("1"), null)));
              } catch (RuntimeException e) {
                failure.set(e);
              }
            });
    restorer.start();
    restorer.join();
    assertThat(failure.get()).isInstanceOf(TaskCorruptedException.class);
    store.close();
  }

  private void damage(String table) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> data =
          files
              .filter(file -> file.toString().contains("/" + table + "-"))
              .filter(file -> file.toString().endsWith("-Data.db"))
              .toList();
      assertThat(data).isNotEmpty();
      for (Path file : data) {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
          bytes.seek(bytes.length() / 2);
          int before = bytes.read();
          bytes.seek(bytes.length() / 2);
          bytes.write(before ^ 0xff);
        }
      }
    }
  }
}
