package io.siltstone.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.offheap.PooledMemory;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkOffsetsTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 4095, 4096, 4097, 100_000})
  void eachOffsetIsFoundAgain(int count) {
    for (int most : new int[] {1, 100, 4100, 66_000, 40_000_000}) {
      Random random = new Random(count * 31L + most);
      long[] expected = new long[count];
      for (int i = 1; i < count; i++) {
        expected[i] = expected[i - 1] + 5 + random.nextInt(most);
      }
      try (PooledMemory memory = PooledMemory.unlimited();
          ChunkOffsets.Builder builder = new ChunkOffsets.Builder(memory)) {
        for (long offset : expected) {
          builder.add(offset);
        }
        try (ChunkOffsets offsets = builder.build()) {
          for (int i = 0; i < count; i++) {
            assertThat(offsets.get(i)).isEqualTo(expected[i]);
          }
        }
      }
    }
  }

  @Test
  void worstChunksOf64KibTakeThreeBytesEach() {
    int count = 1_000_000;
    try (PooledMemory memory = PooledMemory.unlimited();
        ChunkOffsets.Builder builder = new ChunkOffsets.Builder(memory)) {
      long offset = 0;
      for (int i = 0; i < count; i++) {
        builder.add(offset);
        // The line fits worst where half of a group compresses to nothing and half not at all.
        offset += i / 32 % 2 == 0 ? 65_540 : 270;
      }
      try (ChunkOffsets offsets = builder.build()) {
        assertThat(offsets.offHeapBytes()).isLessThanOrEqualTo(3L * count);
      }
    }
  }
}
