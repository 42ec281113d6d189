package io.siltstone.tools.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.memory.OutOfBudgetException;
import org.junit.jupiter.api.Test;

final class FailureReporterTest {

  @Test
  void memoryThatIsNotEnoughIsNoDefectOfTheTool() {
    OutOfBudgetException failure = new OutOfBudgetException("BLOOM_FILTER asks for 9 bytes");

    assertThat(FailureReporter.describe(failure)).isEqualTo("BLOOM_FILTER asks for 9 bytes");
    assertThat(FailureReporter.exitCode(failure)).isEqualTo(ExitCode.IO);
    assertThat(FailureReporter.exitCode(new IllegalStateException())).isEqualTo(ExitCode.INTERNAL);
  }
}
