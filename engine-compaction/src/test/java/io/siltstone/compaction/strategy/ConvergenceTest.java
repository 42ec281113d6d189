package io.siltstone.compaction.strategy;

import static io.siltstone.compaction.strategy.MadeUp.MIB;
import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compaction.strategy.ModelTable.Model;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plans that are carried out again and again, several jobs at a time and in any order while
 * SSTables come in, come to an end with bounded work, and keep their invariants on the way.
 */
class ConvergenceTest {
  private static final int SEEDS = Integer.getInteger("siltstone.convergence.seeds", 1);
  private static final long DAY_MICROS = 86_400_000_000L;
  private static final SizeTieredOptions SIZE_TIERED =
      SizeTieredOptions.of(new OptionValues("", Map.of()));
  private static final long TODAY = NOW * 1000 / DAY_MICROS * DAY_MICROS;

  /** The invariants of a strategy. */
  private interface Promise {
    void planned(Model model, Job job);

    void done(Model model);

    void atRest(Model model);
  }

  private static final Promise NOTHING =
      new Promise() {
        @Override
        public void planned(Model model, Job job) {}

        @Override
        public void done(Model model) {}

        @Override
        public void atRest(Model model) {}
      };

  @ParameterizedTest
  @ValueSource(ints = {4, 2, 32})
  void sizeTiers(int minThreshold) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Strategy strategy =
          MadeUp.strategy(
              "SizeTieredCompactionStrategy",
              "min_threshold",
              "" + minThreshold,
              "max_threshold",
              "" + (minThreshold + seed % 5));
      run(strategy, seed, 60, NOTHING);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 10})
  void levels(int fanout) {
    for (int seed = 0; seed < SEEDS; seed++) {
      int sstableMib = 20 + seed;
      Strategy strategy =
          MadeUp.strategy(
              "LeveledCompactionStrategy",
              "sstable_size_in_mb",
              "" + sstableMib,
              "fanout_size",
              "" + fanout,
              "min_sstable_size",
              "0");
      run(
          strategy,
          seed,
          200,
          new LevelsHold(new LeveledOptions(sstableMib * MIB, fanout, SIZE_TIERED)));
    }
  }

  @Test
  void levelsOfTablesThatWereBroughtFromElsewhere() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Strategy strategy =
          MadeUp.strategy(
              "LeveledCompactionStrategy", "sstable_size_in_mb", "30", "fanout_size", "3");
      run(strategy, seed, 200, NOTHING);
    }
  }

  @Test
  void levelsThatAreGivenAnewDoNotOverlapAndAreInOrderOfAge() {
    for (int seed = 0; seed < 10 * SEEDS; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      Model model = new Model(MIB);
      addForeign(model, random);
      Map<Descriptor, Integer> levels =
          StrategyRegistry.relevel(
              MadeUp.schema("LeveledCompactionStrategy", 0, "sstable_size_in_mb", "30"),
              model.tables());
      assertThat(levels).hasSize(model.live.size());
      for (ModelTable table : model.live) {
        for (ModelTable other : model.live) {
          if (other != table && table.isRepaired == other.isRepaired && table.overlaps(other)) {
            int level = levels.getOrDefault(table.made.descriptor(), -1);
            int otherLevel = levels.getOrDefault(other.made.descriptor(), -1);
            assertThat(level == 0 || level != otherLevel).as("seed %d", seed).isTrue();
            if (table.made.maxTimestamp() > other.made.maxTimestamp()) {
              assertThat(level).as("seed %d", seed).isLessThanOrEqualTo(otherLevel);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"T4", "L4", "N", "T2, L10", "L10, T8", "T32"})
  void unified(String scaling) {
    for (int seed = 0; seed < SEEDS; seed++) {
      // Each kind of overlap occurs with a single seed, too.
      int kind = seed + scaling.length();
      Strategy strategy =
          MadeUp.strategy(
              "UnifiedCompactionStrategy",
              "scaling_parameters",
              scaling,
              "target_sstable_size",
              "50MiB",
              "min_sstable_size",
              kind % 2 == 0 ? "0B" : "10MiB",
              "overlap_inclusion_method",
              List.of("TRANSITIVE", "SINGLE", "NONE").get(kind % 3),
              "max_sstables_to_compact",
              "" + kind % 7);
      run(strategy, seed, 200, NOTHING);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void windows(int days) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Strategy strategy =
          MadeUp.strategy("TimeWindowCompactionStrategy", "compaction_window_size", "" + days);
      run(strategy, seed, 60, new WindowsHold(days * DAY_MICROS));
    }
  }

  /** Runs from a random live set, and random flushes, until no job is left. */
  private static void run(Strategy strategy, int seed, long mostTimesMerged, Promise promise) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    try {
      Model model = new Model(MIB);
      boolean isFromElsewhere = promise == NOTHING && random.nextBoolean();
      if (isFromElsewhere) {
        addForeign(model, random);
      }
      int flushes = 20 + random.nextInt(100);
      long time = TODAY - 10 * DAY_MICROS;
      while (flushes > 0) {
        int dice = random.nextInt(10);
        if (dice < 4) {
          time += random.nextLong(DAY_MICROS / 4);
          int from = random.nextInt(4) == 0 ? random.nextInt(ModelTable.KEYS / 2) : 0;
          int to = from == 0 ? ModelTable.KEYS : from + 1 + random.nextInt(2000);
          model.flush(random, time, 1 + random.nextInt(60), from, to);
          flushes--;
        } else if (dice < 7) {
          start(strategy, model, random, promise);
        } else {
          completeOne(model, random, promise);
        }
      }
      long bytes = model.live.stream().mapToLong(table -> table.made.onDiskBytes()).sum();
      long before = model.mergedBytes;
      while (start(strategy, model, random, promise) || !model.running.isEmpty()) {
        completeOne(model, random, promise);
        assertThat(model.mergedBytes - before)
            .as("bytes merged until rest, of %d", bytes)
            .isLessThan(mostTimesMerged * bytes);
      }
      assertThat(strategy.plan(model.tables(), NOW).debtBytes()).isZero();
      promise.atRest(model);
    } catch (Throwable e) {
      throw new AssertionError(strategy + ", seed " + seed, e);
    }
  }

  private static void addForeign(Model model, Random random) {
    int tables = random.nextInt(60);
    for (int i = 0; i < tables; i++) {
      int from = random.nextInt(ModelTable.KEYS);
      int to = from + 1 + random.nextInt(ModelTable.KEYS - from);
      TreeMap<Integer, Long> timeOf = new TreeMap<>();
      int keys = 1 + random.nextInt(1 << random.nextInt(9));
      for (int j = 0; j < keys; j++) {
        timeOf.put(from + random.nextInt(to - from), TODAY - random.nextLong(20 * DAY_MICROS));
      }
      model.add(timeOf, random.nextInt(10), random.nextBoolean());
    }
  }

  /** Starts some of the planned jobs; returns false if there are none. */
  private static boolean start(Strategy strategy, Model model, Random random, Promise promise) {
    LiveTables live = model.tables();
    Plan plan = strategy.plan(live, NOW);
    checkPlan(live, plan);
    assertThat(strategy.plan(live, NOW)).isEqualTo(plan);
    int count = random.nextInt(3) == 0 ? plan.jobs().size() : Math.min(2, plan.jobs().size());
    for (Job job : new ArrayList<>(plan.jobs()).subList(0, count)) {
      promise.planned(model, job);
      model.running.add(job);
    }
    return !plan.jobs().isEmpty();
  }

  private static void completeOne(Model model, Random random, Promise promise) {
    if (!model.running.isEmpty()) {
      model.complete(model.running.get(random.nextInt(model.running.size())));
      promise.done(model);
    }
  }

  private static void checkPlan(LiveTables live, Plan plan) {
    Set<Descriptor> taken = new HashSet<>();
    for (Job job : plan.jobs()) {
      assertThat(job.reason()).isNotEmpty();
      for (LiveTable input : job.inputs()) {
        assertThat(live.tables()).contains(input);
        assertThat(input.isClaimed()).isFalse();
        assertThat(input.repair()).isEqualTo(job.inputs().get(0).repair());
        assertThat(taken.add(input.descriptor())).as("taken once: %s", input.descriptor()).isTrue();
      }
    }
    assertThat(plan.jobs().isEmpty() && plan.remarks().isEmpty()).isFalse();
  }

  /** The invariants of leveled compaction, starting with an empty table. */
  private static final class LevelsHold implements Promise {
    private final LeveledOptions options;
    private boolean isInOrder = true;

    LevelsHold(LeveledOptions options) {
      this.options = options;
    }

    @Override
    public void planned(Model model, Job job) {
      List<ModelTable> inputs = model.inputs(job);
      if (job.level() == 0) {
        assertThat(job.inputs()).allMatch(input -> input.level() == 0);
        // A merge by size may skip an SSTable that is older than another of the same size.
        isInOrder &= !job.reason().contains("min_threshold");
        return;
      }
      for (ModelTable other : model.live) {
        boolean isOverlapped = inputs.stream().anyMatch(other::overlaps);
        if (other.made.level() == job.level() && isOverlapped) {
          assertThat(inputs).contains(other);
        }
        if (other.made.level() == 0 && !inputs.contains(other)) {
          for (ModelTable input : inputs) {
            if (input.made.level() == 0 && input.overlaps(other)) {
              assertThat(other.made.maxTimestamp())
                  .as("%s stays above %s", other, input)
                  .isGreaterThanOrEqualTo(input.made.maxTimestamp());
            }
          }
        }
      }
    }

    @Override
    public void done(Model model) {
      Map<Integer, Map<Integer, Long>> timeOfByLevel = new TreeMap<>();
      for (ModelTable table : model.live) {
        int level = table.made.level();
        for (ModelTable other : model.live) {
          if (level > 0 && other != table && other.made.level() == level) {
            assertThat(table.overlaps(other)).as("%s and %s", table, other).isFalse();
          }
        }
        Map<Integer, Long> times = timeOfByLevel.computeIfAbsent(level, l -> new TreeMap<>());
        // Of level 0 the oldest SSTable of each key comes first.
        table.timeOf.forEach((key, time) -> times.merge(key, time, Math::min));
      }
      if (isInOrder) {
        Map<Integer, Long> above = new TreeMap<>();
        timeOfByLevel.forEach(
            (level, times) -> {
              times.forEach(
                  (key, time) -> {
                    Long newer = above.get(key);
                    assertThat(newer == null || newer >= time)
                        .as("key %d of level %d is newer than one above", key, level)
                        .isTrue();
                  });
              above.putAll(times);
            });
      }
    }

    @Override
    public void atRest(Model model) {
      Map<Integer, Long> bytes = new TreeMap<>();
      model.live.forEach(
          table -> bytes.merge(table.made.level(), table.made.onDiskBytes(), Long::sum));
      bytes.forEach(
          (level, sum) -> {
            if (level > 0 && level < Levels.COUNT - 1) {
              assertThat((double) sum).isLessThanOrEqualTo(1.001 * options.maxBytes(level));
            }
          });
    }
  }

  /** The invariants of time windows. */
  private record WindowsHold(long micros) implements Promise {
    @Override
    public void planned(Model model, Job job) {
      assertThat(job.inputs().stream().map(input -> windowOf(input.maxTimestamp())).distinct())
          .hasSize(1);
    }

    private long windowOf(long timestamp) {
      return Math.floorDiv(timestamp, micros);
    }

    @Override
    public void done(Model model) {}

    @Override
    public void atRest(Model model) {
      long newest =
          model.live.stream().mapToLong(table -> table.made.maxTimestamp()).max().orElseThrow();
      Set<Long> past = new HashSet<>();
      for (ModelTable table : model.live) {
        long window = windowOf(table.made.maxTimestamp());
        if (window < Math.min(windowOf(newest), windowOf(NOW * 1000))) {
          assertThat(past.add(window)).as("one table of window %d", window).isTrue();
        }
      }
    }
  }
}
