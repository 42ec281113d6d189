package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power is lost at any operation while compaction runs. Afterwards all acknowledged writes are
 * there, deleted data is not, and of each job there are either the inputs or the outputs. Repeated
 * with {@code -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class CompactionPowerLossTest {
  private static final long SEED = Long.getLong("siltstone.seed", 1);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int POINTS = 6;

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void eachJobIsDoneOrNot(FileSystemModel model) throws IOException {
    for (long seed = SEED; seed < SEED + SCALE; seed++) {
      CompactionStory story = new CompactionStory(seed, 60);
      CompactionStory.Telling whole = story.new Telling();
      whole.tell(new SimulatedDisk(model));
      assertThat(whole.failures()).isEmpty();
      assertThat(whole.jobs()).as("jobs of seed %d", seed).isGreaterThan(5);
      int points =
          PowerCuts.on(model, seed)
              .atMost(POINTS)
              .atEachOperation(() -> new Case(story.new Telling()));
      assertThat(points).isEqualTo(POINTS);
    }
  }

  @Test
  void soItIsOnAnEncryptedDisk() throws IOException {
    CompactionStory story = new CompactionStory(SEED, 60);
    EncryptedDirectory.Keys keys =
        EncryptedDirectory.Keys.of("one", new SecretKeySpec(new byte[32], "AES"));
    int points =
        PowerCuts.on(FileSystemModel.UNORDERED, SEED)
            .atMost(POINTS / 3)
            .atEachOperation(
                () ->
                    new PowerCuts.Case() {
                      private final Case plain = new Case(story.new Telling());

                      @Override
                      public void run(Directory disk) throws IOException {
                        plain.run(EncryptedDirectory.over(disk, keys));
                      }

                      @Override
                      public void check(Directory rebooted) throws IOException {
                        plain.check(EncryptedDirectory.over(rebooted, keys));
                      }
                    });
    assertThat(points).isEqualTo(POINTS / 3);
  }

  private record Case(CompactionStory.Telling telling) implements PowerCuts.Case {
    @Override
    public void run(Directory disk) throws IOException {
      telling.tell(disk);
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      telling.check(rebooted);
    }
  }
}
