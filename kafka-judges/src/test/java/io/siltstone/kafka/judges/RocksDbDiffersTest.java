package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.kafka.streams.StoreContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.VersionedBytesStore;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Results of RocksDB's stores that the documentation calls wrong, and the right ones. If a version
 * of Kafka mends one, the documentation has to change.
 */
class RocksDbDiffersTest {
  private static final Bytes KEY = Bytes.wrap(bytes("k"));

  @TempDir private Path directory;

  private StoreContext context(StoreEngine engine) {
    return new StoreContext(directory.resolve(engine.toString()), 0);
  }

  private static StateStore open(StoreEngine engine, StoreKind kind, StoreContext context) {
    StateStore store = kind.store(engine);
    store.init(InternalContext.of(context), store);
    return store;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(StoreEngine.class)
  void aVersionedStoreThatIsOpenedAgainHasItsEarlierVersionsAndDeletions(StoreEngine engine) {
    StoreContext context = context(engine);
    VersionedBytesStore store = (VersionedBytesStore) open(engine, StoreKind.VERSIONS, context);
    store.put(KEY, bytes("1"), 10_000);
    store.put(KEY, bytes("2"), 20_000);
    Bytes deleted = Bytes.wrap(bytes("deleted"));
    assertThat(store.put(deleted, null, 20_000)).isEqualTo(-1);
    assertThat(store.get(KEY, 15_000)).isNotNull();
    store.commit(Map.of(StoreKind.CHANGELOG, 3L));
    store.close();
    store = (VersionedBytesStore) open(engine, StoreKind.VERSIONS, context);
    boolean isRight = engine == StoreEngine.SILTSTONE;
    assertThat(store.get(KEY, 15_000) != null).isEqualTo(isRight);
    // A late version ends with the deletion.
    assertThat(store.put(deleted, bytes("late"), 10_000)).isEqualTo(isRight ? 20_000 : -1);
    assertThat(store.get(deleted) == null).isEqualTo(isRight);
    store.close();
  }

  @ParameterizedTest
  @EnumSource(StoreEngine.class)
  void theOffsetStaysWhenAllSegmentsExpire(StoreEngine engine) {
    for (StoreKind kind : List.of(StoreKind.WINDOWS, StoreKind.SESSIONS)) {
      StoreContext context = new StoreContext(directory.resolve(kind + "-" + engine), 0);
      StateStore store = open(engine, kind, context);
      kind.put(store, 10_000);
      store.commit(Map.of(StoreKind.CHANGELOG, 3L));
      kind.put(store, 10_000_000);
      store.close();
      store = open(engine, kind, context);
      assertThat(store.committedOffset(StoreKind.CHANGELOG))
          .isEqualTo(engine == StoreEngine.SILTSTONE ? 3L : null);
      store.close();
    }
  }

  @ParameterizedTest
  @EnumSource(StoreEngine.class)
  void aRestoredLateVersionEndsWithADeletionThatHasExpired(StoreEngine engine) {
    StoreContext context = context(engine);
    VersionedBytesStore store = (VersionedBytesStore) open(engine, StoreKind.VERSIONS, context);
    context.restore(
        List.of(
            version(KEY, null, 50_000),
            version(KEY, "late", 30_000),
            version(Bytes.wrap(bytes("other")), "1", 900_000)));
    assertThat(store.get(KEY) == null).isEqualTo(engine == StoreEngine.SILTSTONE);
    store.close();
  }

  @ParameterizedTest
  @EnumSource(StoreEngine.class)
  void aDeletionAtTheTimeOfTheLatestVersionEndsALateVersion(StoreEngine engine) {
    StoreContext context = context(engine);
    VersionedBytesStore store = (VersionedBytesStore) open(engine, StoreKind.VERSIONS, context);
    store.put(KEY, bytes("1"), 20_000);
    assertThat(store.put(KEY, null, 20_000)).isEqualTo(-1);
    boolean isRight = engine == StoreEngine.SILTSTONE;
    assertThat(store.put(KEY, bytes("late"), 10_000)).isEqualTo(isRight ? 20_000 : -1);
    assertThat(store.get(KEY) == null).isEqualTo(isRight);
    store.close();
  }

  private static ConsumerRecord<byte[], byte[]> version(Bytes key, String value, long time) {
    return StoreContext.changelog(key.get(), value == null ? null : bytes(value), null, time);
  }
}
