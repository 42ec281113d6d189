package io.siltstone.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Changes of partitions that grow. */
class PartitionUpdateTest {
  @Test
  void growsByDoublingUpToWhatAnArrayCanHave() {
    assertThat(PartitionUpdate.grown(512, 513)).isEqualTo(1024);
    assertThat(PartitionUpdate.grown(512, 5000)).isEqualTo(5000);
    assertThat(PartitionUpdate.grown(1 << 30, (1 << 30) + 1L))
        .isEqualTo(PartitionUpdate.MAX_LENGTH);
    assertThat(PartitionUpdate.grown(PartitionUpdate.MAX_LENGTH - 1, PartitionUpdate.MAX_LENGTH))
        .isEqualTo(PartitionUpdate.MAX_LENGTH);
  }

  @Test
  void whatIsLargerThanAnArrayIsRefusedWithItsSize() {
    assertThatThrownBy(
            () ->
                PartitionUpdate.grown(PartitionUpdate.MAX_LENGTH, PartitionUpdate.MAX_LENGTH + 1L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2147483640 bytes")
        .hasMessageContaining("allowed 2147483639");
    assertThatThrownBy(() -> PartitionUpdate.grown(1 << 30, 3L << 30))
        .hasMessageContaining("3221225472 bytes");
  }
}
