package io.siltstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmissionFilterTest {

  @Test
  void everySecondTimeIsTold() {
    AdmissionFilter seen = AdmissionFilter.amongLast(1000);
    for (int hash : new int[] {0, -1, 17, Integer.MIN_VALUE}) {
      assertThat(seen.test(hash)).isFalse();
      assertThat(seen.test(hash)).isTrue();
      assertThat(seen.test(hash)).isFalse();
    }
  }

  @Test
  void mostOfTheLastAreRemembered() {
    int count = 1000;
    AdmissionFilter seen = AdmissionFilter.amongLast(count);
    int[] hashes = new Random(1).ints(count).toArray();
    IntStream.of(hashes).forEach(seen::test);
    // As many places as hashes: a hash has its own with a likelihood of 1/e and more.
    assertThat(IntStream.of(hashes).filter(seen::test).count()).isGreaterThan(count / 3);
  }

  @Test
  void whatWasLongAgoIsForgotten() {
    AdmissionFilter seen = AdmissionFilter.amongLast(0);
    int[] hashes = new Random(2).ints(100_000).toArray();
    IntStream.of(hashes).forEach(seen::test);
    assertThat(IntStream.of(hashes).filter(seen::test).count()).isLessThan(100);
  }
}
