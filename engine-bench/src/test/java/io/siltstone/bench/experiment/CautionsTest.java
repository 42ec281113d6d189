package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CautionsTest {
  @Test
  void oneRoundAndALoadedMachineAreTold() {
    assertThat(new Cautions(1, 2.31, 2, "Others worked.").sentences())
        .satisfiesExactly(
            one -> assertThat(one).contains("one round"),
            other -> assertThat(other).contains("its load was 2.3 on 2 cores"),
            last -> assertThat(last).isEqualTo("Others worked."));
  }

  @Test
  void severalRoundsOnAMachineAtRestNeedNoCaution() {
    assertThat(new Cautions(3, 0.2, 2, "").sentences()).isEmpty();
    assertThat(new Cautions(3, -1, 2, "").sentences()).isEmpty();
  }
}
