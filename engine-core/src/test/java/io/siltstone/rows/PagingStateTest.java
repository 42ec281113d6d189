package io.siltstone.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The forms in which a paging state is kept. */
class PagingStateTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final byte[] CLUSTERING = {4, 5};
  private static final PagingState AFTER_ROW =
      PagingState.of(PagingState.Place.AFTER_ROW, -7, 99, 5, KEY, CLUSTERING);
  private static final List<PagingState> TOKENS =
      List.of(
          PagingState.ofBeginning(7, Long.MAX_VALUE),
          AFTER_ROW,
          PagingState.of(
              PagingState.Place.AFTER_PARTITION, 7, 0, 0, new byte[65_535], new byte[0]));

  @Test
  void bytesAndTextOfATokenGiveItBack() {
    for (PagingState state : TOKENS) {
      assertThat(PagingState.ofBytes(state.toBytes())).isEqualTo(state).hasSameHashCodeAs(state);
      assertThat(PagingState.parse(state.toString())).isEqualTo(state);
    }
    PagingState read = PagingState.ofBytes(AFTER_ROW.toBytes());
    assertThat(read.place()).isEqualTo(PagingState.Place.AFTER_ROW);
    assertThat(read.query()).isEqualTo(-7);
    assertThat(read.rowsLeft()).isEqualTo(99);
    assertThat(read.inPartition()).isEqualTo(5);
    assertThat(read.key()).isEqualTo(KEY);
    assertThat(read.clustering()).isEqualTo(CLUSTERING);
  }

  @Test
  void bytesGivenAndTakenAreCopies() {
    byte[] bytes = AFTER_ROW.toBytes();
    PagingState read = PagingState.ofBytes(bytes);
    Arrays.fill(bytes, (byte) 0);
    Arrays.fill(read.toBytes(), (byte) 0);
    assertThat(read).isEqualTo(AFTER_ROW);
  }

  @Test
  void stateThatIsCutOrHasAFlippedBitIsRefused() {
    byte[] bytes = AFTER_ROW.toBytes();
    for (int i = 0; i < bytes.length; i++) {
      byte[] cut = Arrays.copyOf(bytes, i);
      assertThatIllegalArgumentException().isThrownBy(() -> PagingState.ofBytes(cut));
      byte[] flipped = bytes.clone();
      flipped[i] ^= 1;
      assertThatIllegalArgumentException().isThrownBy(() -> PagingState.ofBytes(flipped));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> PagingState.parse("not Base64"));
  }
}
