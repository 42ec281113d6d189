package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.maintenance.OutputVerification;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CompactionOptionsTest {
  @Test
  void defaultsAreAllowedOnAnyMachine() {
    for (int processors = 1; processors <= 1024; processors++) {
      CompactionOptions options = CompactionOptions.builder(processors).build();
      assertThat(options.compactors()).isBetween(2, 8);
      assertThat(options.pipelineThreads()).isBetween(1, 64);
      assertThat(options.subCompactions()).isBetween(1, 64);
    }
  }

  @Test
  void allThatIsWrongIsTold() {
    assertThatThrownBy(() -> CompactionOptions.builder().compactors(0).bytesPerSecond(1000).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("compactors = 0")
        .hasMessageContaining("bytesPerSecond = 1000, allowed 0 (no limit) or 65536");
    assertThat(CompactionOptions.builder().bytesPerSecond(0).build().bytesPerSecond()).isZero();
  }

  @Test
  void whatABuilderBeginsWithIsAllThatTheOptionsHad() {
    CompactionOptions options =
        CompactionOptions.builder()
            .compactors(64)
            .pipelineThreads(0)
            .subCompactions(63)
            .bytesPerSecond(1 << 20)
            .readAheadBytes(1)
            .historySize(2)
            .outputVerification(OutputVerification.FULL)
            .clock(() -> Instant.EPOCH)
            .build();

    assertThat(options.toBuilder().build()).usingRecursiveComparison().isEqualTo(options);
  }
}
