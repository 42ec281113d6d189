package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The disk fails at any call while compaction runs: nothing is lost or comes back, and nothing is
 * left open. Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class CompactionFaultsTest {
  private static final long SEED = Long.getLong("siltstone.seed", 1);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int POINTS = 1;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @ParameterizedTest
  @EnumSource(Operation.class)
  void aFailureLosesNothing(Operation operation) throws IOException {
    for (long seed = SEED; seed < SEED + SCALE; seed++) {
      CompactionStory story = new CompactionStory(seed, 60);
      Fault counter = Fault.on(operation).runs("counted", () -> {});
      story.new Telling().tell(new FaultyDirectory(new MemoryDirectory(), seed, counter));
      long step = Math.max(1, counter.calls() / POINTS);
      for (long call = 1 + seed % step; call <= counter.calls(); call += step) {
        tell(story, seed, Fault.on(operation).call(call).fails("bad sector"));
        tell(story, seed, Fault.on(operation).call(call).failsAfterwards("bad sector"));
        tell(story, seed, Fault.on(operation).fromCall(call).fails("bad sector"));
      }
    }
  }

  private void tell(CompactionStory story, long seed, Fault fault) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory faulty = leaks.watch(new FaultyDirectory(disk, seed, fault));
    CompactionStory.Telling telling = story.new Telling();
    try {
      try {
        telling.tell(faulty);
      } catch (IOException | UncheckedIOException e) {
        assertThat(fault.fired()).as("%s", e).isPositive();
      }
      leaks.requireNothingOpen();
      telling.check(disk);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed " + seed + ", " + fault + ", step " + telling.done() + ": " + e, e);
    }
  }
}
