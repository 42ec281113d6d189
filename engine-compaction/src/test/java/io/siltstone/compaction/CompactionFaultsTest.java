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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final int POINTS = 2;

  /** More calls of a kind than opening an empty database and creating a table take. */
  private static final int OF_OPENING = 30;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** The calls of each operation in the story of a seed that nothing disturbs. */
  private static final Map<Long, Map<Operation, Long>> CALLS = new HashMap<>();

  private static long calls(long seed, Operation operation) throws IOException {
    Map<Operation, Long> calls = CALLS.get(seed);
    if (calls == null) {
      Operation[] operations = Operation.values();
      Fault[] counters = new Fault[operations.length];
      Arrays.setAll(counters, i -> Fault.on(operations[i]).runs("counted", () -> {}));
      new CompactionStory(seed, 60).new Telling()
          .tell(new FaultyDirectory(new MemoryDirectory(), seed, counters));
      calls = new EnumMap<>(Operation.class);
      for (int i = 0; i < operations.length; i++) {
        calls.put(operations[i], counters[i].calls());
      }
      CALLS.put(seed, calls);
    }
    return calls.get(operation);
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void aFailureLosesNothing(Operation operation) throws IOException {
    for (long seed = SEED; seed < SEED + SCALE; seed++) {
      CompactionStory story = new CompactionStory(seed, 60);
      long calls = calls(seed, operation);
      int met = 0;
      int midway = 0;
      for (int point = 1; calls > 0 && point <= POINTS; point++) {
        // Not the first calls, which open the database.
        long call = Math.max(1, calls * point / (POINTS + 1));
        for (Fault fault : faults(operation, call, point)) {
          int done = tell(story, seed, fault);
          met += fault.fired() > 0 ? 1 : 0;
          midway += done > 0 ? 1 : 0;
        }
      }
      if (calls > 0) {
        assertThat(met).as("seed %s: faults met", seed).isPositive();
      }
      if (calls > OF_OPENING) {
        assertThat(midway).as("seed %s: stories that had begun", seed).isPositive();
      }
    }
  }

  /**
   * Returns the faults to try at a call: all kinds with a scale, else one at point 1, or the rest.
   */
  private static List<Fault> faults(Operation operation, long call, int point) {
    Fault.Rule once = Fault.on(operation).call(call);
    Fault fails = once.fails("bad sector");
    Fault afterwards = once.failsAfterwards("bad sector");
    Fault onwards = Fault.on(operation).fromCall(call).fails("bad sector");
    if (SCALE > 1) {
      return List.of(fails, afterwards, onwards);
    }
    return point == 1 ? List.of(fails) : List.of(afterwards, onwards);
  }

  /** Returns how many steps were done. */
  private int tell(CompactionStory story, long seed, Fault fault) throws IOException {
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
      return telling.done();
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed " + seed + ", " + fault + ", step " + telling.done() + ": " + e, e);
    }
  }
}
