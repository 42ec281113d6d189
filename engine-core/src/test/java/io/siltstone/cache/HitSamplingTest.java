package io.siltstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule of the sampling, and what it does to the hit rate. */
class HitSamplingTest {
  @Test
  void oneHitInSixtyFourIsRecordedWhileNothingIsEvicted() {
    HitSampling sampling = new HitSampling(1, 5);
    int recorded = 0;
    int distance = 0;
    int longest = 0;
    for (int i = 0; i < 10_000 * HitSampling.RECORDED_ONE_IN; i++) {
      distance++;
      if (sampling.isRecorded(5)) {
        recorded++;
        longest = Math.max(longest, distance);
        distance = 0;
      }
    }
    assertThat(recorded).isBetween(9_800, 10_200);
    assertThat(longest).isLessThan(2 * HitSampling.RECORDED_ONE_IN);
  }

  @Test
  void eachOfAFewChunksThatAreReadInTurnIsRecorded() {
    HitSampling sampling = new HitSampling(1, 0);
    int[] recorded = new int[HitSampling.RECORDED_ONE_IN];
    for (int i = 0; i < 400 * recorded.length * recorded.length; i++) {
      if (sampling.isRecorded(0)) {
        recorded[i % recorded.length]++;
      }
    }
    for (int count : recorded) {
      assertThat(count).isBetween(300, 500);
    }
  }

  @Test
  void allHitsSoonAfterAnEvictionAreRecorded() {
    HitSampling sampling = new HitSampling(1, 0);
    for (int evictions = 1; evictions < 100; evictions++) {
      for (int i = 0; i < HitSampling.RECORDED_AFTER_EVICTION; i++) {
        assertThat(sampling.isRecorded(evictions)).isTrue();
      }
      int recorded = 0;
      for (int i = 0; i < 10 * HitSampling.RECORDED_ONE_IN; i++) {
        recorded += sampling.isRecorded(evictions) ? 1 : 0;
      }
      assertThat(recorded).isBetween(5, 15);
    }
  }

  private static final int CAPACITY = 2_000;
  private static final int READS = 250_000;

  /** The hits that a simulated reader records with the eviction policy. */
  private enum Recorded {
    ALL,
    SAMPLED
  }

  /** A sequence of the numbers of chunks that are read. */
  private interface Reads {
    int next(Random random, int i);
  }

  /** Four readers in turn, by which a full cache admits what is missed a second time. */
  private static double hitRate(Reads reads, Recorded which) {
    long[] evictions = new long[1];
    Cache<Integer, Integer> cache =
        Caffeine.newBuilder()
            .maximumWeight(CAPACITY)
            .weigher((Integer key, Integer value) -> 1)
            .removalListener(
                (@Nullable Integer key, @Nullable Integer value, RemovalCause cause) ->
                    evictions[0] += cause.wasEvicted() ? 1 : 0)
            .executor(Runnable::run)
            .build();
    Policy<Integer, Integer> policy = cache.policy();
    AdmissionFilter seenBefore = AdmissionFilter.amongLast(2L * CAPACITY);
    HitSampling[] readers = new HitSampling[4];
    Arrays.setAll(readers, i -> new HitSampling(i, 0));
    Random random = new Random(7);
    long hits = 0;
    int kept = 0;
    for (int i = 0; i < READS; i++) {
      int chunk = reads.next(random, i);
      HitSampling reader = readers[i % readers.length];
      if (policy.getIfPresentQuietly(chunk) != null) {
        // The first half fills the cache.
        hits += i >= READS / 2 ? 1 : 0;
        if (which == Recorded.ALL || reader.isRecorded(evictions[0])) {
          var unused = cache.getIfPresent(chunk);
        }
      } else if (kept < CAPACITY || seenBefore.test(CachedChunk.hash(1, chunk))) {
        kept++;
        cache.put(chunk, chunk);
      }
    }
    return hits / (READS / 2.0);
  }

  private static void assertHitRateStays(String name, Reads reads) {
    double all = hitRate(reads, Recorded.ALL);
    double sampled = hitRate(reads, Recorded.SAMPLED);
    assertThat(sampled).as(name).isGreaterThan(all - 0.01);
  }

  /** Returns numbers below {@code count}, of which the n-th is drawn as 1 / n^skew. */
  private static Reads zipf(int count, double skew) {
    double[] sums = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.pow(i + 1, -skew);
      sums[i] = sum;
    }
    double total = sum;
    return (random, i) -> {
      int found = Arrays.binarySearch(sums, random.nextDouble() * total);
      return found < 0 ? Math.min(count - 1, -found - 1) : found;
    };
  }

  @Test
  void samplingDoesNotCostHits() {
    assertHitRateStays("Zipf, most fit", zipf(2_500, 0.7));
    assertHitRateStays("Zipf, a fifth fits", zipf(10_000, 0.99));
    assertHitRateStays("Zipf, few fit", zipf(100_000, 0.7));
    assertHitRateStays("uniform", (random, i) -> random.nextInt(2_200));
    Reads popular = zipf(20_000, 0.99);
    assertHitRateStays(
        "Zipf and scans",
        (random, i) -> i % 4 == 0 ? 20_000 + i / 4 % 50_000 : popular.next(random, i));
    assertHitRateStays(
        "Zipf and short scans, each twice",
        (random, i) ->
            i % 4 == 0 ? 20_000 + i / 4 % 1_000 + i / 8_000 * 1_000 : popular.next(random, i));
    assertHitRateStays(
        "Zipf of which others are popular after a while",
        (random, i) -> popular.next(random, i) + i / 25_000 * 3_000);
    Reads few = zipf(1_500, 0.5);
    Reads many = zipf(100_000, 0.7);
    assertHitRateStays(
        "one table that fits and one that does not",
        (random, i) -> (i & 1) == 0 ? few.next(random, i) : 10_000 + many.next(random, i));
  }
}
