package io.siltstone.sstable.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.sstable.format.CorruptSSTableException;
import org.junit.jupiter.api.Test;

class CardinalityEstimatorTest {
  /** Of the sparse form, the distance between hashes of neighbouring registers. */
  private static final int STEP = 1 << 17;

  private static CardinalityEstimator read(int hashes) throws CorruptSSTableException {
    MetadataOutput out = new MetadataOutput();
    out.int32(-2);
    out.int8(13);
    out.int8(25);
    out.int8(1);
    leb128(out, hashes);
    for (int i = 0; i < hashes; i++) {
      leb128(out, STEP);
    }
    byte[] bytes = out.toByteArray();
    return CardinalityEstimator.read(new MetadataInput("file", bytes, 0, bytes.length));
  }

  private static void leb128(MetadataOutput out, int value) {
    int rest = value;
    while (rest > 0x7f) {
      out.int8((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.int8(rest);
  }

  @Test
  void hashesOfMoreBitsThanThereAreAreCorrupt() throws CorruptSSTableException {
    int most = (1 << 26) / STEP - 1;
    CardinalityEstimator sum = new CardinalityEstimator();
    sum.add(read(most));
    assertThat(sum.estimate()).isEqualTo(most);
    for (int hashes : new int[] {most + 1, 8_000}) {
      assertThatThrownBy(() -> new CardinalityEstimator().add(read(hashes)))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining("allowed 0 to 33554431");
    }
  }
}
