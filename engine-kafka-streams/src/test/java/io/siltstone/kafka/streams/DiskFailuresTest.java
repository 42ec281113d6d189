package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.CHANGELOG;
import static io.siltstone.kafka.streams.Entries.all;
import static io.siltstone.kafka.streams.Entries.bytes;
import static io.siltstone.kafka.streams.Entries.commit;
import static io.siltstone.kafka.streams.Entries.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.kafka.streams.host.FaultyStores;
import io.siltstone.kafka.streams.store.StateKeyValueStore;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the exceptions that Kafka gets if a disk is full or fails, and the stores afterwards. */
final class DiskFailuresTest {
  private static final String FAILED = "Input/output error";
  private static final int MOST_PUTS = 10_000;

  @TempDir Path directory;

  private final Directory files = new MemoryDirectory();

  private FaultyStores stores(Fault... faults) throws IOException {
    return new FaultyStores(directory.resolve("siltstone"), files, faults);
  }

  private KeyValueStore<Bytes, byte[]> open(FaultyStores stores, String name) {
    KeyValueStore<Bytes, byte[]> store = StateKeyValueStore.plain(name, stores.tables());
    store.init(new StoreContext(directory.resolve("state"), 0), store);
    return store;
  }

  @Test
  void aFullDiskIsReportedWhenTheMemtablesAreFullAndThingsGoOnWhenThereIsSpace()
      throws IOException {
    Fault full = Fault.on(Operation.WRITE).files("*Data.db*").noSpaceAfter(0);
    try (FaultyStores stores = stores(full)) {
      KeyValueStore<Bytes, byte[]> other = open(stores, "other");
      other.put(key("k"), bytes("1"));
      KeyValueStore<Bytes, byte[]> store = open(stores, "store");
      store.put(key("k"), bytes("2"));
      byte[] value = new byte[100_000];
      Throwable failure = null;
      for (int i = 0; failure == null && i < MOST_PUTS; i++) {
        Bytes key = key("key" + i);
        failure = catchThrowable(() -> store.put(key, value));
      }
      // Not a TaskCorruptedException, upon which Kafka would restore it onto the full disk.
      assertThat(failure)
          .isExactlyInstanceOf(ProcessorStateException.class)
          .hasMessage("store store cannot be written")
          .hasStackTraceContaining(Fault.NO_SPACE);
      assertThat(store.get(key("k"))).isEqualTo(bytes("2"));
      assertThat(all(other)).containsExactly("k=1");

      full.giveSpace(Long.MAX_VALUE / 2);
      stores.database().flush();
      store.put(key("k"), bytes("3"));
      other.put(key("k"), bytes("3"));
      commit(store, 1);
      commit(other, 1);
      store.close();
      other.close();
    }
    try (FaultyStores stores = stores()) {
      KeyValueStore<Bytes, byte[]> store = open(stores, "store");
      assertThat(store.get(key("k"))).isEqualTo(bytes("3"));
      assertThat(store.committedOffset(CHANGELOG)).isEqualTo(1);
      store.close();
    }
  }

  @Test
  void afterAFailedSyncAllStoresRefuseChangesUntilTheDatabaseIsOpenedAgain() throws IOException {
    Fault fails = Fault.on(Operation.SYNC).files("*Data.db*").disarmed().fails(FAILED);
    FaultyStores stores = stores(fails);
    KeyValueStore<Bytes, byte[]> other = open(stores, "other");
    KeyValueStore<Bytes, byte[]> store = open(stores, "store");
    store.put(key("k"), bytes("1"));
    commit(store, 1);
    stores.database().flush();
    store.put(key("k"), bytes("2"));
    fails.arm();
    assertThatThrownBy(() -> stores.database().flush()).hasStackTraceContaining(FAILED);
    for (KeyValueStore<Bytes, byte[]> each : List.of(store, other)) {
      assertThatThrownBy(() -> each.put(key("k"), bytes("3")))
          .isExactlyInstanceOf(ProcessorStateException.class)
          .hasCauseInstanceOf(ReadOnlyException.class)
          .hasStackTraceContaining(FAILED);
      assertThatThrownBy(() -> commit(each, 2))
          .isExactlyInstanceOf(ProcessorStateException.class)
          .hasCauseInstanceOf(ReadOnlyException.class);
    }
    assertThat(all(store)).containsExactly("k=2");
    store.close();
    other.close();
    assertThatThrownBy(stores::close).isInstanceOf(ReadOnlyException.class);

    // The changelog goes on after what was flushed.
    try (FaultyStores again = stores()) {
      KeyValueStore<Bytes, byte[]> opened = open(again, "store");
      assertThat(all(opened)).containsExactly("k=1");
      assertThat(opened.committedOffset(CHANGELOG)).isEqualTo(1);
      opened.close();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"LIST", "LOOK_UP", "OPEN", "READ"})
  void aFailureThatPassesCostsNoStoreItsEntries(Operation operation) throws IOException {
    try (FaultyStores stores = stores()) {
      KeyValueStore<Bytes, byte[]> store = open(stores, "store");
      store.put(key("k"), bytes("1"));
      commit(store, 1);
      store.close();
    }
    int failures = 0;
    for (boolean isCrashed : new boolean[] {false, true}) {
      long fired = 1;
      for (int call = 1; fired > 0; call++) {
        if (isCrashed && files.exists("clean_close")) {
          files.delete("clean_close");
        }
        Fault fault = Fault.on(operation).call(call).fails(FAILED);
        try (FaultyStores stores = stores(fault)) {
          KeyValueStore<Bytes, byte[]> store = open(stores, "store");
          assertThat(all(store)).as("%s %s", operation, call).containsExactly("k=1");
          assertThat(store.committedOffset(CHANGELOG)).isEqualTo(1);
          store.close();
        } catch (IOException | ProcessorStateException e) {
          assertThat(e).hasStackTraceContaining(FAILED);
        }
        fired = fault.fired();
        failures += (int) fired;
      }
    }
    assertThat(failures).isPositive();
  }
}
