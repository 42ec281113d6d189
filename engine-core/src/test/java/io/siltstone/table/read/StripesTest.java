package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StripesTest {
  @Test
  void aPlaceIsGivenBackThoughCountingFails() {
    Stripes<int[]> stripes = new Stripes<>(() -> new int[1]);
    stripes.take().close();
    assertThatThrownBy(
            () ->
                stripes.visit(
                    counters -> {
                      throw new IllegalStateException("no memory");
                    }))
        .hasMessage("no memory");
    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> stripes.take().close());
  }
}
