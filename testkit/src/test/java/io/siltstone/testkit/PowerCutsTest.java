package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Power cuts accept a correct protocol, and detect each omitted step. */
class PowerCutsTest {
  private static final long SEED = 20_241;

  private enum Step {
    SYNC_FILE,
    RENAME,
    SYNC_DIRECTORY
  }

  /** Replaces the file {@code CURRENT} a few times, with all or some of the necessary steps. */
  private static final class Replacing implements PowerCuts.Case {
    private final Set<Step> steps;
    private int begun;
    private int acknowledged;

    Replacing(Set<Step> steps) {
      this.steps = steps;
    }

    private static byte[] version(int number) {
      byte[] content = Files.bytes(number, 1_500);
      content[0] = (byte) number;
      return content;
    }

    @Override
    public void run(Directory disk) throws IOException {
      for (int number = 1; number <= 4; number++) {
        begun = number;
        String name = steps.contains(Step.RENAME) ? "new" : "CURRENT";
        if (disk.exists(name)) {
          disk.delete(name);
        }
        try (WritableFile file = disk.create(name, WriteIntent.OTHER)) {
          file.write(ByteBuffer.wrap(version(number)));
          if (steps.contains(Step.SYNC_FILE)) {
            file.sync();
          }
        }
        if (steps.contains(Step.RENAME)) {
          disk.rename("new", "CURRENT");
        }
        if (steps.contains(Step.SYNC_DIRECTORY)) {
          disk.sync();
        }
        acknowledged = number;
      }
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      if (!rebooted.exists("CURRENT")) {
        assertThat(acknowledged).as("acknowledged, but no file").isZero();
        return;
      }
      byte[] found = Files.read(rebooted, "CURRENT");
      assertThat(found).as("found").isNotEmpty();
      assertThat((int) found[0]).as("version").isBetween(acknowledged, begun);
      assertThat(found).isEqualTo(version(found[0]));
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void allStepsTogetherAreSafe(FileSystemModel model) {
    int points =
        PowerCuts.on(model, SEED)
            .lossesPerPoint(40)
            .atEachOperation(() -> new Replacing(EnumSet.allOf(Step.class)));
    // Create, write, sync, rename and sync the directory, four times; and no operation at all.
    assertThat(points).isEqualTo(21);
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void eachMissingStepIsFound(Step missing) {
    Set<Step> steps = EnumSet.complementOf(EnumSet.of(missing));
    for (FileSystemModel model : FileSystemModel.values()) {
      PowerCuts cuts = PowerCuts.on(model, SEED).lossesPerPoint(40);
      assertThatThrownBy(() -> cuts.atEachOperation(() -> new Replacing(steps)))
          .as("%s without %s", model, missing)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("power lost after operation")
          .hasMessageContaining(model.name());
    }
  }

  @Test
  void aFailureIsRepeatedByWhatItSays() {
    Set<Step> steps = EnumSet.of(Step.SYNC_FILE, Step.RENAME);
    PowerCuts cuts = PowerCuts.on(FileSystemModel.JOURNALED, SEED).lossesPerPoint(40);
    String message = "";
    try {
      cuts.atEachOperation(() -> new Replacing(steps));
    } catch (AssertionError e) {
      message = String.valueOf(e.getMessage());
    }
    Matcher repeat = Pattern.compile("repeat\\((\\d+), (-?\\d+)L").matcher(message);
    assertThat(repeat.find()).as(message).isTrue();
    long point = Long.parseLong(repeat.group(1));
    long loss = Long.parseLong(repeat.group(2));
    assertThatThrownBy(() -> cuts.repeat(point, loss, () -> new Replacing(steps)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("operation " + point);
  }

  @Test
  void workThatFailsOfItselfIsNoSurvivor() {
    PowerCuts.Case failing =
        new PowerCuts.Case() {
          @Override
          public void run(Directory disk) throws IOException {
            disk.delete("missing");
          }

          @Override
          public void check(Directory rebooted) {}
        };
    assertThatThrownBy(
            () -> PowerCuts.on(FileSystemModel.JOURNALED, 1).atEachOperation(() -> failing))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the work itself fails")
        .hasMessageContaining("missing");
  }

  @Test
  void fewerPointsAreTheFirstTheLastAndSomeBetween() {
    List<Long> points = new ArrayList<>();
    int tried =
        PowerCuts.on(FileSystemModel.JOURNALED, 3)
            .atMost(5)
            .atEachOperation(
                () ->
                    new PowerCuts.Case() {
                      private long operations;

                      @Override
                      public void run(Directory disk) throws IOException {
                        for (int i = 0; i < 50; i++) {
                          disk.create("file-" + i, WriteIntent.OTHER).close();
                          operations++;
                        }
                      }

                      @Override
                      public void check(Directory rebooted) {
                        points.add(operations);
                      }
                    });
    assertThat(tried).isEqualTo(5);
    assertThat(points).hasSize(5).isSorted().doesNotHaveDuplicates().contains(0L, 50L);
  }
}
