package io.siltstone.sstable.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EstimatedHistogramTest {
  private static EstimatedHistogram of(EstimatedHistogram empty, long... values) {
    for (long value : values) {
      empty.add(value);
    }
    return empty;
  }

  @Test
  void aSumHasWhatItsPartsHave() {
    EstimatedHistogram sum =
        EstimatedHistogram.sum(
            List.of(
                of(EstimatedHistogram.ofPartitionSizes(), 1, 100, 5_000),
                of(EstimatedHistogram.ofPartitionSizes(), 100, 1_000_000)));
    assertThat(sum)
        .isEqualTo(of(EstimatedHistogram.ofPartitionSizes(), 1, 100, 100, 5_000, 1_000_000));
  }

  @Test
  void aSumHasTheBucketsOfTheLargestPart() {
    // 118 buckets end where 155 go on.
    EstimatedHistogram small = EstimatedHistogram.ofCellCounts();
    long beyond = small.limit(small.buckets() - 1) + 1;
    EstimatedHistogram sum =
        EstimatedHistogram.sum(
            List.of(
                of(small, 3, beyond * 100),
                of(EstimatedHistogram.ofPartitionSizes(), beyond * 2, Long.MAX_VALUE)));
    assertThat(sum.buckets()).isEqualTo(155);
    assertThat(sum.count()).isEqualTo(3);
    assertThat(sum.overflow()).isEqualTo(1);
    assertThat(sum.max()).isGreaterThanOrEqualTo(beyond * 2);
    // What had overflowed is in the first bucket that is above the last limit there.
    assertThat(sum.countIn(small.buckets())).isEqualTo(1);
  }

  @Test
  void aSumOfNothingIsEmpty() {
    EstimatedHistogram sum = EstimatedHistogram.sum(List.of());
    assertThat(sum.count()).isZero();
    assertThat(sum.percentile(0.5)).isZero();
    assertThat(sum.mean()).isZero();
  }

  @Test
  void aSumLeavesItsPartsAlone() {
    EstimatedHistogram part = of(EstimatedHistogram.ofPartitionSizes(), 7);
    EstimatedHistogram before = part.copy();
    EstimatedHistogram sum = EstimatedHistogram.sum(List.of(part, part));
    assertThat(sum.count()).isEqualTo(2);
    assertThat(part).isEqualTo(before);
  }
}
