package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bench.child.NamedValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentRunnerTest {
  @TempDir Path directory;

  private final Tiny tiny = new Tiny();
  private ExperimentRunner experimentRunner;
  private int measured;

  @BeforeEach
  void open() throws IOException {
    experimentRunner = ExperimentRunner.open(tiny.setting("none", directory));
  }

  @AfterEach
  void close() throws IOException {
    experimentRunner.close();
  }

  private Samples<String> run(int rounds, int failing) throws IOException {
    return experimentRunner.inRounds(
        rounds,
        List.of("a", "b"),
        variant -> "variant " + variant,
        variant -> {
          if (++measured == failing) {
            throw new IOException("the disk is full");
          }
          return new NamedValues().put("n", measured);
        },
        result -> "n is " + (int) result.number("n"));
  }

  @Test
  void variantsAreMeasuredInTurn() throws IOException {
    Samples<String> samples = run(2, -1);

    assertThat(samples.of("a")).extracting(values -> values.number("n")).containsExactly(1.0, 3.0);
    assertThat(samples.of("b")).extracting(values -> values.number("n")).containsExactly(2.0, 4.0);
    assertThat(experimentRunner.notes()).isEmpty();
    assertThat(tiny.progress)
        .containsExactly(
            "round 1 of 2, variant a: n is 1",
            "round 1 of 2, variant b: n is 2",
            "round 2 of 2, variant a: n is 3",
            "round 2 of 2, variant b: n is 4");
  }

  @Test
  void aLaterFailureLeavesTheRoundsThatAreComplete() throws IOException {
    Samples<String> samples = run(3, 4);

    assertThat(samples.of("a")).hasSize(1);
    assertThat(samples.of("b")).hasSize(1);
    assertThat(measured).isEqualTo(4);
    assertThat(experimentRunner.notes())
        .containsExactly(
            "a measurement failed, and only the rounds before are used"
                + " (round 2 of 3, variant b: the disk is full)");
    assertThat(tiny.progress).contains("round 2 of 3, variant b: the disk is full");
  }

  @Test
  void withoutACompleteRoundThereIsNothingToReport() {
    assertThatThrownBy(() -> run(3, 2))
        .isInstanceOf(IOException.class)
        .hasMessage("round 1 of 3, variant b: the disk is full");
  }
}
