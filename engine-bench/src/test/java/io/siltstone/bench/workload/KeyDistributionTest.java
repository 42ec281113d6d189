package io.siltstone.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDistributionTest {
  private static final int DRAWS = 1_000_000;

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.99, 1.0, 1.5})
  void zipfHasTheFrequenciesOfItsTheory(double exponent) {
    int count = 1_000;
    long seed = 7;
    ZipfSampler sampler = new ZipfSampler(count, exponent);
    SplittableRandom random = new SplittableRandom(seed);
    long[] found = new long[count + 1];
    for (int i = 0; i < DRAWS; i++) {
      found[(int) sampler.next(random)]++;
    }
    double sum = 0;
    for (int rank = 1; rank <= count; rank++) {
      sum += Math.pow(rank, -exponent);
    }
    for (int rank = 1; rank <= count; rank++) {
      double expected = DRAWS * Math.pow(rank, -exponent) / sum;
      // Five standard deviations: among 4,000 figures, none deviates more by chance.
      assertThat((double) found[rank])
          .as("rank %d of seed %d", rank, seed)
          .isBetween(
              expected - 5 * Math.sqrt(expected) - 1, expected + 5 * Math.sqrt(expected) + 1);
    }
  }

  @Test
  void zipfOfBillionsNeedsNoTable() {
    SplittableRandom random = new SplittableRandom(1);
    KeyChooser chooser = KeyDistribution.ZIPF.over(50_000_000_000L);
    for (int i = 0; i < 10_000; i++) {
      assertThat(chooser.next(random)).isBetween(0L, 49_999_999_999L);
    }
  }

  @Test
  void popularItemsAreSpreadOverAll() {
    int count = 10_000;
    int[] found = new int[count];
    SplittableRandom random = new SplittableRandom(3);
    KeyChooser chooser = KeyDistribution.ZIPF.over(count);
    for (int i = 0; i < DRAWS; i++) {
      found[(int) chooser.next(random)]++;
    }
    int hundredth = Arrays.stream(found).sorted().skip(count - 100).findFirst().orElseThrow();
    BitSet tenths = new BitSet();
    for (int i = 0; i < count; i++) {
      if (found[i] >= hundredth) {
        tenths.set(i * 10 / count);
      }
    }
    assertThat(tenths.cardinality()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 1_000, 1_024, 1_025, 99_991})
  void scatterIsAPermutation(long count) {
    Permutation scatter = new Permutation(count);
    BitSet seen = new BitSet();
    for (long i = 0; i < count; i++) {
      long to = scatter.of(i);
      assertThat(to).isBetween(0L, count - 1);
      seen.set((int) to);
    }
    assertThat(seen.cardinality()).isEqualTo((int) count);
  }

  @Test
  void sequentialCoversAllBeforeItBeginsAnew() {
    KeyChooser chooser = KeyDistribution.SEQUENTIAL.over(100);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 250; i++) {
      assertThat(chooser.next(random)).isEqualTo(i % 100);
    }
  }

  @Test
  void uniformAsksForAllAlike() {
    KeyChooser chooser = KeyDistribution.UNIFORM.over(100);
    SplittableRandom random = new SplittableRandom(5);
    int[] found = new int[100];
    for (int i = 0; i < DRAWS; i++) {
      found[(int) chooser.next(random)]++;
    }
    assertThat(Arrays.stream(found).boxed()).allMatch(count -> Math.abs(count - 10_000) < 500);
  }

  @Test
  void textsAreParsedAndPrinted() {
    for (String text : new String[] {"uniform", "sequential", "zipf(0.8)", "zipf(1.2)"}) {
      assertThat(KeyDistribution.parse(text)).hasToString(text);
    }
    assertThat(KeyDistribution.parse("zipf")).hasToString("zipf(0.99)");
    for (String text : new String[] {"zipfian", "zipf(0)", "zipf(9)", "zipf(-1)", ""}) {
      assertThatThrownBy(() -> KeyDistribution.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("allowed");
    }
  }
}
