package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.bytes;
import static io.siltstone.kafka.streams.Entries.key;
import static io.siltstone.kafka.streams.Entries.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows whose keys begin with the same 65,535 bytes, among those of other segments. */
final class LongKeysTest {
  private static final long MINUTE = 60_000;

  @TempDir Path directory;

  @Test
  void windowsOfLongKeysAreFoundInEachSegment() {
    WindowStore<Bytes, byte[]> store =
        SiltstoneStores.persistentWindowStore(
                "w", Duration.ofMinutes(20), Duration.ofMinutes(1), false)
            .get();
    store.init(new StoreContext(directory, 0), store);
    String common = "k".repeat(70_000);
    Bytes first = key(common + "a");
    Bytes last = key(common + "b");
    store.put(key("a"), bytes("short"), 0);
    for (int i = 1; i <= 2; i++) {
      store.put(first, bytes("a" + i), 11 * i * MINUTE);
      store.put(last, bytes("b" + i), 11 * i * MINUTE);
    }
    store.put(key("z"), bytes("short"), 30 * MINUTE);
    long end = 40 * MINUTE;
    assertThat(values(store.fetch(first, 0, end))).containsExactly("a1", "a2");
    assertThat(values(store.fetch(last, 0, end))).containsExactly("b1", "b2");
    assertThat(values(store.backwardFetch(first, 0, end))).containsExactly("a2", "a1");
    assertThat(values(store.backwardFetch(last, 0, end))).containsExactly("b2", "b1");
    assertThat(values(store.fetch(last, last, 0, end))).containsExactly("b1", "b2");
    assertThat(values(store.fetch(first, last, 0, end))).containsExactly("a1", "b1", "a2", "b2");
    store.close();
  }

  private static <K> List<String> values(KeyValueIterator<K, byte[]> entries) {
    List<String> values = new ArrayList<>();
    try (entries) {
      entries.forEachRemaining(entry -> values.add(text(entry.value)));
    }
    return values;
  }
}
