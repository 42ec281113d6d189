package io.siltstone.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To what direct I/O is aligned, by the blocks of a file system. */
class AlignmentTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 256, 512, 4096, 1 << 20})
  void followsTheBlocks(long blockBytes) {
    assertThat(NioDirectory.alignment(blockBytes)).isEqualTo((int) Math.max(512, blockBytes));
  }

  /** So that buffered files are used instead. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3000, 1 << 22, 1L << 40})
  void isNotToBeHadWithOthers(long blockBytes) {
    assertThatThrownBy(() -> NioDirectory.alignment(blockBytes))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining(Long.toString(blockBytes));
  }
}
