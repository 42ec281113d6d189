package io.siltstone.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.statistics.CacheStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class KeyCacheTest {
  /** Bytes that eight keys take. */
  private static final long KEY_SET = 128;

  @Test
  void aKeyIsFoundByItsTableAndWholeHash() {
    KeyCache cache = KeyCache.withCapacity(1 << 20);
    KeyLookup lookup = cache.lookup(cache.newTable());
    KeyLookup other = cache.lookup(cache.newTable());
    assertThat(lookup.find(1, 2)).isFalse();
    assertThatThrownBy(lookup::position).isInstanceOf(IllegalStateException.class);
    lookup.addPartition(1, 2, 300, KeyLookup.UNKNOWN);
    lookup.addEntry(5, 6, 40);
    assertThat(lookup.find(1, 2)).isTrue();
    assertThat(lookup.position()).isEqualTo(300);
    assertThat(lookup.isOfEntry()).isFalse();
    assertThat(lookup.find(5, 6)).isTrue();
    assertThat(lookup.position()).isEqualTo(40);
    assertThat(lookup.isOfEntry()).isTrue();
    assertThat(lookup.find(1, 3)).isFalse();
    assertThat(lookup.find(2, 2)).isFalse();
    assertThat(other.find(1, 2)).isFalse();
    CacheStatistics statistics = cache.statistics();
    assertThat(statistics).isEqualTo(new CacheStatistics(2, 4, 0, 2, statistics.bytes(), 1 << 20));
    assertThat(statistics.bytes()).isBetween(1L, 1L << 10);
  }

  @Test
  void thePlacesAtBothEndsAreKept() {
    KeyCache cache = KeyCache.withCapacity(1 << 20);
    KeyLookup lookup = cache.lookup(cache.newTable());
    for (long position : new long[] {0, 1, Integer.MAX_VALUE, 1L << 32, (1L << 46) - 1}) {
      lookup.addPartition(position, 2, position, KeyLookup.UNKNOWN);
      lookup.addEntry(position, 3, position);
      for (int times = 0; times < 9; times++) {
        assertThat(lookup.find(position, 2)).isTrue();
        assertThat(lookup.position()).isEqualTo(position);
        assertThat(lookup.isOfEntry()).isFalse();
        assertThat(lookup.find(position, 3)).isTrue();
        assertThat(lookup.position()).isEqualTo(position);
        assertThat(lookup.isOfEntry()).isTrue();
      }
    }
  }

  @Test
  void aNewPlaceOfAHashReplacesTheOld() {
    KeyCache cache = KeyCache.withCapacity(1 << 20);
    KeyLookup lookup = cache.lookup(cache.newTable());
    lookup.addPartition(1, 2, 300, KeyLookup.UNKNOWN);
    lookup.addPartition(1, 2, 900, KeyLookup.UNKNOWN);
    assertThat(lookup.find(1, 2)).isTrue();
    assertThat(lookup.position()).isEqualTo(900);
    assertThat(cache.statistics().entries()).isEqualTo(1);
  }

  @Test
  void allKeysAreKeptWhileThereIsRoomForTwiceAsMany() {
    KeyCache cache = KeyCache.withCapacity(1 << 20);
    KeyLookup lookup = cache.lookup(cache.newTable());
    int keys = 1 << 14;
    for (int i = 0; i < keys; i++) {
      lookup.addPartition(i, ~i, i, KeyLookup.UNKNOWN);
    }
    int found = 0;
    for (int i = 0; i < keys; i++) {
      if (lookup.find(i, ~i)) {
        assertThat(lookup.position()).isEqualTo(i);
        found++;
      }
    }
    assertThat(found).isGreaterThan(keys * 95 / 100);
    assertThat(cache.statistics().entries()).isEqualTo(found);
  }

  @Test
  void theCapacityIsKept() {
    for (long capacity : new long[] {KEY_SET, 100 * KEY_SET, 77_777}) {
      KeyCache cache = KeyCache.withCapacity(capacity);
      KeyLookup lookup = cache.lookup(cache.newTable());
      for (int i = 0; i < 50_000; i++) {
        lookup.addPartition(i * 0x9e37_79b9_7f4a_7c15L, i, i, KeyLookup.UNKNOWN);
      }
      CacheStatistics statistics = cache.statistics();
      assertThat(statistics.bytes()).isBetween(capacity / 2, capacity);
      assertThat(statistics.entries()).isEqualTo(statistics.bytes() / (KEY_SET / 8));
      assertThat(statistics.evictions()).isEqualTo(50_000 - statistics.entries());
    }
  }

  @Test
  void keysThatAreFoundOftenOutliveManyThatAreNot() {
    KeyCache cache = KeyCache.withCapacity(1 << 16);
    KeyLookup lookup = cache.lookup(cache.newTable());
    for (int i = 0; i < 1000; i++) {
      lookup.addPartition(i, 0, i, KeyLookup.UNKNOWN);
    }
    int lost = 0;
    for (int i = 0; i < 200_000; i++) {
      lookup.addPartition(i, 1, i, KeyLookup.UNKNOWN);
      if (!lookup.find(i % 1000, 0)) {
        lookup.addPartition(i % 1000, 0, i % 1000, KeyLookup.UNKNOWN);
        lost++;
      }
    }
    assertThat(lost).isLessThan(20_000);
  }

  @Test
  void noReaderIsToldThePlaceOfAnotherKey() throws Exception {
    KeyCache cache = KeyCache.withCapacity(2 * KEY_SET);
    int keys = 64;
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Long>> readers = new ArrayList<>();
      long table = cache.newTable();
      for (int thread = 0; thread < 2; thread++) {
        readers.add(
            threads.submit(
                () -> {
                  KeyLookup lookup = cache.lookup(table);
                  long found = 0;
                  for (int i = 0; !done.get() || found == 0; i++) {
                    if (lookup.find(i % keys, 0)) {
                      if (lookup.position() % keys != i % keys) {
                        throw new AssertionError(lookup.position() + " for key " + i % keys);
                      }
                      found++;
                    }
                  }
                  return found;
                }));
      }
      KeyLookup writer = cache.lookup(table);
      for (int i = 0; i < 500_000; i++) {
        writer.addPartition(i % keys, 0, i, KeyLookup.UNKNOWN);
      }
      done.set(true);
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    } finally {
      done.set(true);
      threads.shutdown();
    }
  }

  @Test
  void withoutRoomForAKeyItIsOff() {
    KeyCache cache = KeyCache.withCapacity(KEY_SET - 1);
    KeyLookup lookup = cache.lookup(cache.newTable());
    lookup.addPartition(1, 2, 300, KeyLookup.UNKNOWN);
    assertThat(cache.isOff()).isTrue();
    assertThat(lookup.find(1, 2)).isFalse();
    assertThat(cache.statistics().misses()).isZero();
    assertThatThrownBy(() -> KeyCache.withCapacity(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  @Test
  void aPositionBeyondAllFilesIsNotKept() {
    KeyCache cache = KeyCache.withCapacity(1 << 20);
    KeyLookup lookup = cache.lookup(cache.newTable());
    lookup.addPartition(1, 2, 1L << 46, 10);
    lookup.addEntry(3, 4, -1);
    assertThat(lookup.find(1, 2)).isFalse();
    assertThat(lookup.find(3, 4)).isFalse();
  }

  @Test
  void theLengthOfAPartitionIsRoundedUpALittle() {
    KeyCache cache = KeyCache.withCapacity(1 << 20);
    KeyLookup lookup = cache.lookup(cache.newTable());
    for (long length = 1; length < 1L << 38; length += 1 + length / 97) {
      lookup.addPartition(1, 2, 300, length);
      assertThat(lookup.find(1, 2)).isTrue();
      assertThat(lookup.position()).isEqualTo(300);
      assertThat(lookup.length()).isBetween(length, length + length / 100);
    }
    for (long unknown : new long[] {KeyLookup.UNKNOWN, -1, 1L << 40, Long.MAX_VALUE}) {
      lookup.addPartition(1, 2, 300, unknown);
      assertThat(lookup.find(1, 2)).isTrue();
      assertThat(lookup.position()).isEqualTo(300);
      assertThat(lookup.length()).isEqualTo(KeyLookup.UNKNOWN);
    }
  }
}
