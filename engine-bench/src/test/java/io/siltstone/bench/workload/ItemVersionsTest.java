package io.siltstone.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ItemVersionsTest {
  private final ItemVersions versions = new ItemVersions(3);

  @Test
  void writesThatRunMayBeSeenAndNeedNot() {
    assertThat(versions.begin(1)).isEqualTo(1);
    assertThat(versions.begin(1)).isEqualTo(2);
    assertThat(versions.completed(1)).isZero();
    versions.end(1);
    // One of two writes has ended; it is not known which.
    assertThat(versions.completed(1)).isEqualTo(1);
    assertThat(versions.begun(1)).isEqualTo(2);
    versions.end(1);
    assertThat(versions.completed(1)).isEqualTo(2);
    assertThat(versions.begun(0)).isZero();
    assertThat(versions.begun(2)).isZero();
  }

  @Test
  void theLastVersionIsWrittenAgain() {
    for (int i = 0; i < ItemVersions.LAST + 5; i++) {
      versions.begin(0);
      versions.end(0);
    }
    assertThat(versions.begun(0)).isEqualTo(ItemVersions.LAST);
    assertThat(versions.completed(0)).isEqualTo(ItemVersions.LAST);
    assertThat(versions.begun(1)).isZero();
  }
}
