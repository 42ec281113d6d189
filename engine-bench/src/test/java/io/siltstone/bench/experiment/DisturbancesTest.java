package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.siltstone.bench.volume.Kernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DisturbancesTest {
  @TempDir private Path root;

  @Test
  void timeOfOthersIsThatOfTheMachineWithoutThisProcessAndItsChildren() throws IOException {
    Kernel kernel = new Kernel.Tree(root);
    assertThat(ProcessorTime.isKnown(kernel)).isFalse();
    Files.createDirectories(root.resolve("proc/self"));
    write("cpu  100 10 50 9000 70 5 5 30 20 0", 40, 10, 20, 5);
    assertThat(ProcessorTime.isKnown(kernel)).isTrue();
    ProcessorTime before = ProcessorTime.now(kernel);
    assertThat(before.ownTicks()).isEqualTo(75);
    assertThat(before.otherTicks()).isEqualTo(200 - 75);

    write("cpu  300 10 50 9900 99 5 5 40 20 0", 60, 10, 100, 5);
    ProcessorTime after = ProcessorTime.now(kernel);
    assertThat(after.otherTicks() - before.otherTicks()).isEqualTo(210 - 100);
    ProcessorTime secondsLater =
        new ProcessorTime(before.nanoTime() + 2_000_000_000L, after.ownTicks(), after.otherTicks());
    assertThat(secondsLater.othersSince(before)).isCloseTo(0.55, within(1e-9));
  }

  /** Writes the first line of /proc/stat, and fields 14 to 17 of /proc/self/stat. */
  private void write(String all, int utime, int stime, int cutime, int cstime) throws IOException {
    Files.writeString(root.resolve("proc/stat"), all + "\ncpu0 1 2 3\n");
    Files.writeString(
        root.resolve("proc/self/stat"),
        "7 (a (name) x) S 1 2 3 4 5 6 7 8 9 10 "
            + String.join(
                " ",
                String.valueOf(utime),
                String.valueOf(stime),
                String.valueOf(cutime),
                String.valueOf(cstime))
            + " 20 0");
  }

  @Test
  void theMostDisturbedMeasurementIsNamed() {
    Disturbances disturbances = new Disturbances(new Kernel.Tree(root));
    disturbances.add("round 1, a", 0.1);
    assertThat(disturbances.sentence()).isEmpty();
    disturbances.add("round 1, b", 0.3);
    disturbances.add("round 2, a", 1.26);
    disturbances.add("round 2, b", 0.5);
    assertThat(disturbances.sentence())
        .contains("3 of 4 measurements", "more than 0.2 processors", "1.3 in round 2, a.");
  }
}
