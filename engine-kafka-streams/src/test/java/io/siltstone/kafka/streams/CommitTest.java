package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.CHANGELOG;
import static io.siltstone.kafka.streams.Entries.all;
import static io.siltstone.kafka.streams.Entries.bytes;
import static io.siltstone.kafka.streams.Entries.commit;
import static io.siltstone.kafka.streams.Entries.key;
import static io.siltstone.kafka.streams.Entries.open;
import static io.siltstone.kafka.streams.Entries.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Table;
import io.siltstone.kafka.streams.host.OpenDatabases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a commit writes changes, offsets and position, and that a crash leaves all or none.
 */
final class CommitTest {
  @TempDir Path directory;

  private StoreContext context() {
    return new StoreContext(directory, 0);
  }

  @Test
  void changesAreStagedUntilTheyAreCommitted() {
    StoreContext context = context().transactional();
    KeyValueStore<Bytes, byte[]> store = open("counts", context);
    store.put(key("a"), bytes("1"));
    commit(store, 10);
    store.put(key("a"), bytes("2"));
    store.put(key("b"), bytes("2"));

    assertThat(all(store)).containsExactly("a=2", "b=2");
    assertThat(store.approximateNumUncommittedBytes()).isPositive();
    var committed = store.readOnly(IsolationLevel.READ_COMMITTED);
    assertThat(text(committed.get(key("a")))).isEqualTo("1");
    assertThat(Entries.list(committed.all())).containsExactly("a=1");
    assertThat(Entries.list(committed.reverseRange(null, key("z")))).containsExactly("a=1");
    var uncommitted = store.readOnly(IsolationLevel.READ_UNCOMMITTED);
    assertThat(Entries.list(uncommitted.reverseAll())).containsExactly("b=2", "a=2");

    commit(store, 20);
    assertThat(store.approximateNumUncommittedBytes()).isZero();
    assertThat(Entries.list(committed.all())).containsExactly("a=2", "b=2");
    store.close();
  }

  @Test
  void whatWasNotCommittedIsGoneAfterAClose() {
    StoreContext context = context().transactional();
    KeyValueStore<Bytes, byte[]> store = open("counts", context);
    store.put(key("a"), bytes("1"));
    commit(store, 10);
    store.put(key("a"), bytes("2"));
    store.put(key("b"), bytes("2"));
    store.close();

    KeyValueStore<Bytes, byte[]> again = open("counts", context);
    assertThat(all(again)).containsExactly("a=1");
    assertThat(again.committedOffset(CHANGELOG)).isEqualTo(10);
    again.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void offsetsAreKeptRemovedAndForgotten(boolean transactional) {
    TopicPartition other = new TopicPartition("changelog", 1);
    StoreContext context = transactional ? context().transactional() : context();
    KeyValueStore<Bytes, byte[]> store = open("counts", context);
    assertThat(store.committedOffset(CHANGELOG)).isNull();
    store.commit(Map.of(CHANGELOG, 1L, other, 2L));
    store.commit(Map.of(other, 3L));
    store.close();
    store.init(context, store);
    assertThat(store.committedOffset(CHANGELOG)).isEqualTo(1);
    assertThat(store.committedOffset(other)).isEqualTo(3);

    Map<TopicPartition, Long> removal = new HashMap<>();
    removal.put(other, null);
    store.commit(removal);
    store.close();
    store.init(context, store);
    assertThat(store.committedOffset(CHANGELOG)).isEqualTo(1);
    assertThat(store.committedOffset(other)).isNull();

    store.put(key("a"), bytes("1"));
    store.commit(Map.of());
    store.close();
    store.init(context, store);
    assertThat(store.committedOffset(CHANGELOG)).isNull();
    assertThat(all(store)).containsExactly("a=1");
    store.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thePositionIsCommittedWithTheChanges(boolean transactional) {
    StoreContext context = transactional ? context().transactional() : context();
    KeyValueStore<Bytes, byte[]> store = open("counts", context);
    context.processing("input", 0, 5);
    store.put(key("a"), bytes("1"));
    commit(store, 1);
    context.processing("input", 0, 7);
    store.put(key("b"), bytes("1"));
    assertThat(store.getPosition().getPartitionPositions("input")).containsEntry(0, 7L);
    if (!transactional) {
      commit(store, 2);
    }
    store.close();
    store.init(context, store);
    assertThat(store.getPosition().getPartitionPositions("input"))
        .containsEntry(0, transactional ? 5L : 7L);
    store.close();
  }

  @Test
  void aStoreThatWasNotClosedIsRefusedUnderExactlyOnceUntilItsTaskIsWiped() throws Exception {
    StoreContext context = context().exactlyOnce();
    KeyValueStore<Bytes, byte[]> store = open("counts", context);
    store.put(key("a"), bytes("1"));
    commit(store, 10);
    store.put(key("a"), bytes("2"));
    Path crashed = crash("after");
    store.close();

    StoreContext after = new StoreContext(crashed, 0).exactlyOnce();
    KeyValueStore<Bytes, byte[]> again = SiltstoneStores.persistentKeyValueStore("counts").get();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> again.init(after, again))
          .isInstanceOfSatisfying(
              TaskCorruptedException.class,
              e -> assertThat(e.corruptedTasks()).containsExactly(after.taskId()));
      assertThat(again.isOpen()).isFalse();
    }

    Utils.delete(after.taskDirectory().toFile());
    again.init(after, again);
    assertThat(all(again)).isEmpty();
    assertThat(again.committedOffset(CHANGELOG)).isNull();
    again.close();
    again.init(after, again);
    again.close();
  }

  // Kafka opens the stores of all tasks when an application begins, and commits the same offsets.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStoreThatDoesNotChangeIsNotWritten(boolean transactional) throws Exception {
    StoreContext context =
        transactional ? context().exactlyOnce().transactional() : context().exactlyOnce();
    KeyValueStore<Bytes, byte[]> store = open("counts", context);
    store.put(key("a"), bytes("1"));
    commit(store, 10);
    store.close();
    store.init(context, store);
    commit(store, 10);
    Table table = OpenDatabases.find(directory, StoreContext.APPLICATION).tables().get(0);
    assertThat(table.statistics().memtable().rows()).isZero();
    // The store has not changed since it was opened, so a crash leaves what the close before has
    // left.
    Path crashed = crash("after");
    store.close();
    KeyValueStore<Bytes, byte[]> again = open("counts", new StoreContext(crashed, 0).exactlyOnce());
    assertThat(all(again)).containsExactly("a=1");
    commit(again, 11);
    assertThat(again.committedOffset(CHANGELOG)).isEqualTo(11);
    again.close();
  }

  @Test
  void aStoreThatWasClosedWithoutACommitIsRefusedUnderExactlyOnce() {
    StoreContext context = context().exactlyOnce();
    KeyValueStore<Bytes, byte[]> store = open("counts", context);
    store.put(key("a"), bytes("1"));
    commit(store, 10);
    store.close();
    store.init(context, store);
    store.put(key("a"), bytes("2"));
    store.close();
    assertThatThrownBy(() -> store.init(context, store)).isInstanceOf(TaskCorruptedException.class);
  }

  @Test
  void aStoreThatWasNotClosedIsOpenedUnderAtLeastOnce() throws Exception {
    KeyValueStore<Bytes, byte[]> store = open("counts", context());
    store.put(key("a"), bytes("1"));
    commit(store, 10);
    Path crashed = crash("after");
    store.close();

    KeyValueStore<Bytes, byte[]> again = open("counts", new StoreContext(crashed, 0));
    assertThat(all(again)).containsExactly("a=1");
    assertThat(again.committedOffset(CHANGELOG)).isEqualTo(10);
    again.close();
  }

  // Kafka wipes the directory of a task, but none for a global store.
  @Test
  void aGlobalStoreThatWasNotClosedBeginsAnewUnderExactlyOnce() throws Exception {
    StoreContext context = StoreContext.global(directory).exactlyOnce();
    KeyValueStore<Bytes, byte[]> store = open("names", context);
    store.put(key("a"), bytes("1"));
    commit(store, 10);
    Path crashed = crash("after");
    store.close();
    store.init(context, store);
    assertThat(all(store)).containsExactly("a=1");
    store.close();

    KeyValueStore<Bytes, byte[]> again = open("names", StoreContext.global(crashed).exactlyOnce());
    assertThat(all(again)).isEmpty();
    assertThat(again.committedOffset(CHANGELOG)).isNull();
    again.close();
  }

  // Kafka commits them too seldom for that.
  @Test
  void changesOfAGlobalStoreAreNotStaged() {
    KeyValueStore<Bytes, byte[]> store =
        open("names", StoreContext.global(directory).transactional());
    store.put(key("a"), bytes("1"));
    assertThat(Entries.list(store.readOnly(IsolationLevel.READ_COMMITTED).all()))
        .containsExactly("a=1");
    assertThat(store.approximateNumUncommittedBytes()).isZero();
    store.close();
  }

  /** Copies all files as they are now, after a flush, while nothing changes them. */
  private Path crash(String name) throws IOException {
    OpenDatabases.find(directory, StoreContext.APPLICATION).flush();
    return Crash.of(directory.resolve(StoreContext.APPLICATION), directory.resolve(name));
  }

  @Test
  void managesItsOffsetsItself() {
    StateStore store = SiltstoneStores.persistentKeyValueStore("counts").get();
    @SuppressWarnings("deprecation")
    boolean manages = store.managesOffsets();
    assertThat(manages).isTrue();
    assertThat(store.persistent()).isTrue();
    assertThat(store.isOpen()).isFalse();
  }
}
