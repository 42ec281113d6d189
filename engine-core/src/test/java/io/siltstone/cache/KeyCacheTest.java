package io.siltstone.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class KeyCacheTest {
  @Test
  void aKeyIsFoundByItsTableAndWholeHash() {
    KeyCache cache = KeyCache.withCapacity(1 << 20);
    KeyLookup lookup = cache.lookup(cache.newTable());
    KeyLookup other = cache.lookup(cache.newTable());
    assertThat(lookup.find(1, 2)).isFalse();
    assertThatThrownBy(lookup::dataPosition).isInstanceOf(IllegalStateException.class);
    lookup.add(1, 2, 300, KeyLookup.NO_BLOCKS);
    lookup.add(5, 6, 700, 40);
    assertThat(lookup.find(1, 2)).isTrue();
    assertThat(lookup.dataPosition()).isEqualTo(300);
    assertThat(lookup.entryPosition()).isEqualTo(KeyLookup.NO_BLOCKS);
    assertThat(lookup.find(5, 6)).isTrue();
    assertThat(lookup.dataPosition()).isEqualTo(700);
    assertThat(lookup.entryPosition()).isEqualTo(40);
    assertThat(lookup.find(1, 3)).isFalse();
    assertThat(lookup.find(2, 2)).isFalse();
    assertThat(other.find(1, 2)).isFalse();
    assertThat(cache.statistics())
        .isEqualTo(new CacheStatistics(2, 4, 0, 2, 2 * KeyEntry.BYTES, 1 << 20));
  }

  @Test
  void aNewPlaceOfAHashReplacesTheOld() {
    KeyCache cache = KeyCache.withCapacity(1 << 20);
    KeyLookup lookup = cache.lookup(cache.newTable());
    lookup.add(1, 2, 300, KeyLookup.NO_BLOCKS);
    lookup.add(1, 2, 900, KeyLookup.NO_BLOCKS);
    assertThat(lookup.find(1, 2)).isTrue();
    assertThat(lookup.dataPosition()).isEqualTo(900);
  }

  @Test
  void theCapacityIsKept() {
    KeyCache cache = KeyCache.withCapacity(100 * KeyEntry.BYTES);
    KeyLookup lookup = cache.lookup(cache.newTable());
    for (int i = 0; i < 10_000; i++) {
      lookup.add(i * 0x9e37_79b9_7f4a_7c15L, i, i, KeyLookup.NO_BLOCKS);
      assertThat(cache.statistics().bytes()).isLessThanOrEqualTo(100 * KeyEntry.BYTES);
    }
    assertThat(cache.statistics().evictions()).isEqualTo(9_900);
  }

  @Test
  void withoutRoomForAKeyItIsOff() {
    KeyCache cache = KeyCache.withCapacity(KeyEntry.BYTES - 1);
    KeyLookup lookup = cache.lookup(cache.newTable());
    lookup.add(1, 2, 300, KeyLookup.NO_BLOCKS);
    assertThat(cache.isOff()).isTrue();
    assertThat(lookup.find(1, 2)).isFalse();
    assertThat(cache.statistics().misses()).isZero();
    assertThatThrownBy(() -> KeyCache.withCapacity(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
