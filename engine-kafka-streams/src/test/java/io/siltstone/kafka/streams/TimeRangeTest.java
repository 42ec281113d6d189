package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.bytes;
import static io.siltstone.kafka.streams.Entries.key;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.DslStoreFormat;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.internals.SessionWindow;
import org.apache.kafka.streams.state.DslSessionParams;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranges of times that no entry can be in. */
final class TimeRangeTest {
  @TempDir Path directory;

  @Test
  void windowsBeforeTheEpochAreNone() {
    WindowStore<Bytes, byte[]> store =
        SiltstoneStores.persistentWindowStore(
                "w", Duration.ofMinutes(4), Duration.ofMinutes(1), false)
            .get();
    store.init(new StoreContext(directory, 0), store);
    store.put(key("a"), bytes("1"), 0);
    store.put(key("b"), bytes("1"), 5);
    for (long to : new long[] {-1, -300, Long.MIN_VALUE}) {
      assertThat(keys(store.fetch(key("a"), Long.MIN_VALUE, to))).isEmpty();
      assertThat(keys(store.backwardFetch(key("a"), Long.MIN_VALUE, to))).isEmpty();
      assertThat(keys(store.fetch(key("a"), key("b"), -1_000, to))).isEmpty();
      assertThat(keys(store.fetch(null, key("b"), -1_000, to))).isEmpty();
      assertThat(keys(store.fetchAll(-1_000, to))).isEmpty();
    }
    assertThat(keys(store.fetch(key("a"), key("b"), Long.MIN_VALUE, Long.MAX_VALUE))).hasSize(2);
    assertThat(keys(store.fetch(key("a"), Long.MIN_VALUE, 0))).hasSize(1);
    store.close();
  }

  @Test
  void sessionsThatEndBeforeTheBeginOfTheRangeAreNone() {
    SessionStore<Bytes, byte[]> store =
        new SiltstoneDslStoreSuppliers()
            .sessionStore(
                new DslSessionParams(
                    "s", Duration.ofMinutes(4), EmitStrategy.onWindowClose(), DslStoreFormat.PLAIN))
            .get();
    store.init(new StoreContext(directory, 0), store);
    store.put(new Windowed<>(key("a"), new SessionWindow(0, 10)), bytes("1"));
    assertThat(keys(store.findSessions(10, 10))).hasSize(1);
    assertThat(keys(store.findSessions(12, 5))).isEmpty();
    assertThat(keys(store.findSessions(-10, -5))).isEmpty();
    store.close();
  }

  private static <K> List<K> keys(KeyValueIterator<K, byte[]> entries) {
    List<K> keys = new ArrayList<>();
    try (entries) {
      entries.forEachRemaining(entry -> keys.add(entry.key));
    }
    return keys;
  }
}
