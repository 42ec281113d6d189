package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.statistics.CacheStatistics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the hot paths of a store may allocate. */
class KeyValueAllocationTest {
  private static final int KEYS = 2_000;
  private static final int VALUE_BYTES = 900;
  private static final int WARM_UP = 20_000;
  private static final int READS = 20_000;
  private static final int SHORT_RANGE = 20;

  // What statistics and caches allocate once in a while.
  private static final long FEW_BYTES = 1 << 17;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private interface Work {
    void run(int number) throws IOException;
  }

  private static long bytesOf(Work work) throws IOException {
    for (int i = 0; i < WARM_UP; i++) {
      work.run(i);
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < READS; i++) {
      work.run(i);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(16).putInt(12, number).array();
  }

  private static KeyValueStore filled() throws IOException {
    KeyValueStore store =
        KeyValueStore.open(
            new MemoryDirectory(), DatabaseOptions.builder().compaction(Compaction.none()).build());
    for (int i = 0; i < KEYS; i++) {
      store.put(key(i), new byte[VALUE_BYTES]);
      if (i == KEYS / 2) {
        store.database().flush();
      }
    }
    return store;
  }

  @Test
  void aReadAllocatesItsValueAndLessThan100Bytes() throws IOException {
    byte[][] keys = new byte[KEYS + 10][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(i);
    }
    try (KeyValueStore store = filled()) {
      long bytes = bytesOf(i -> assertThatIsValue(store.get(keys[i % KEYS])));
      assertThat(bytes).isLessThan(READS * (VALUE_BYTES + 100L) + FEW_BYTES);
      ByteBuffer into = ByteBuffer.allocate(VALUE_BYTES);
      bytes = bytesOf(i -> assertThatIsLength(store.get(keys[i % KEYS], into.clear())));
      assertThat(bytes).isLessThan(READS * 100L + FEW_BYTES);
      bytes = bytesOf(i -> store.contains(keys[KEYS + i % 10]));
      assertThat(bytes).isLessThan(READS * 100L + FEW_BYTES);
    }
  }

  @Test
  void aReadThatMissesTheChunkCacheAllocatesNoMore(@TempDir Path directory) throws IOException {
    byte[][] keys = new byte[10 * KEYS][];
    Random random = new Random(53);
    // Holds a 20th of what is not compressible.
    DatabaseOptions options =
        DatabaseOptions.builder().compaction(Compaction.none()).chunkCacheBytes(1 << 20).build();
    try (KeyValueStore store = KeyValueStore.open(directory, options)) {
      byte[] value = new byte[VALUE_BYTES];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = key(i);
        random.nextBytes(value);
        store.put(keys[i], value);
      }
      store.database().flush();
      // The key cache grows as long as keys are new to it.
      for (byte[] key : keys) {
        assertThatIsValue(store.get(key));
      }
      long bytes = bytesOf(i -> assertThatIsValue(store.get(keys[random.nextInt(keys.length)])));
      assertThat(bytes).isLessThan(READS * (VALUE_BYTES + 100L) + FEW_BYTES);
      ByteBuffer into = ByteBuffer.allocate(VALUE_BYTES);
      bytes =
          bytesOf(
              i -> assertThatIsLength(store.get(keys[random.nextInt(keys.length)], into.clear())));
      assertThat(bytes).isLessThan(READS * 100L + FEW_BYTES);
      CacheStatistics cache = store.database().statistics().chunkCache();
      assertThat(cache.misses()).isGreaterThan(10 * cache.hits());
      assertThat(cache.evictions()).isPositive();
    }
  }

  @Test
  void aShortRangeAllocatesLittleForItself() throws IOException {
    byte[][] keys = new byte[KEYS - SHORT_RANGE][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(i);
    }
    try (KeyValueStore store = filled()) {
      long bytes =
          bytesOf(
              i -> {
                try (KeyValueIterator entries = store.iterator(keys[i % keys.length], null)) {
                  int found = 0;
                  for (entries.seekToFirst(); found < SHORT_RANGE; entries.next()) {
                    found += entries.isValid() ? 1 : 0;
                  }
                }
              });
      assertThat(bytes).isLessThan(READS * 1_400L + FEW_BYTES);
    }
  }

  private static void assertThatIsValue(byte @Nullable [] value) {
    if (value == null) {
      throw new AssertionError("a value is missing");
    }
    assertThatIsLength(value.length);
  }

  private static void assertThatIsLength(int length) {
    if (length != VALUE_BYTES) {
      throw new AssertionError("a value has " + length + " bytes");
    }
  }

  @Test
  void aStepForwardAllocatesNothing() throws IOException {
    try (KeyValueStore store = filled();
        KeyValueIterator entries = store.iterator()) {
      long bytes =
          bytesOf(
              i -> {
                if (i % (KEYS - 1) == 0) {
                  entries.seekToFirst();
                } else {
                  entries.next();
                }
                assertThatIsLength(entries.valueView().remaining());
                if (entries.keyView().remaining() != 16) {
                  throw new AssertionError("a key has " + entries.keyView().remaining());
                }
              });
      // Of the scans that are begun.
      long windows = READS / KEYS + 2;
      assertThat(bytes).isLessThan(windows * (1 << 20));
      assertThat(bytes / READS).isLessThan(VALUE_BYTES / 2);
    }
  }
}
