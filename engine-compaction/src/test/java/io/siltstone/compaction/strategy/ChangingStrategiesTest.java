package io.siltstone.compaction.strategy;

import static io.siltstone.compaction.strategy.MadeUp.MIB;
import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compaction.strategy.ModelTable.Model;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Strategies with random options replace each other while jobs of earlier ones still run or are
 * cancelled, SSTables are found damaged and repaired, and some are merged on request: no plan takes
 * an SSTable twice, levels do not overlap, no key is lost, and all comes to rest with bounded work.
 * {@code -Dsiltstone.convergence.seeds} runs more.
 */
class ChangingStrategiesTest {
  private static final int SEEDS = 3 * Integer.getInteger("siltstone.convergence.seeds", 4);
  private static final long MOST_TIMES_MERGED = 60;
  private static final long DAY_MICROS = 86_400_000_000L;
  private static final long BEGIN = NOW * 1000 / DAY_MICROS * DAY_MICROS - 10 * DAY_MICROS;

  @Test
  void eachTakesOverWhatTheOneBeforeHasLeftAndComesToRest() {
    for (int seed = 0; seed < SEEDS; seed++) {
      run(seed);
    }
  }

  static void run(int seed) {
    Story story = new Story(new Random(seed * 0x9E3779B97F4A7C15L));
    try {
      story.run();
    } catch (Throwable e) {
      throw new AssertionError("seed " + seed + String.join("\n  ", story.strategies), e);
    }
  }

  /** The events of one table. */
  private static final class Story {
    final List<String> strategies = new ArrayList<>(List.of(""));
    private final Random random;
    private final Model model = new Model(MIB);
    private final Set<Integer> written = new HashSet<>();
    private final Set<Descriptor> damaged = new HashSet<>();
    // Damaged SSTables are on no level, and others may come to overlap them.
    private final boolean mayDamage;
    private Strategy strategy;
    private long time = BEGIN;
    private long flushBytes;

    Story(Random random) {
      this.random = random;
      this.mayDamage = random.nextInt(4) == 0;
      this.strategy = draw();
    }

    void run() {
      int steps = 100 + random.nextInt(300);
      for (int i = 0; i < steps; i++) {
        int dice = random.nextInt(100);
        if (dice < 30) {
          flush();
        } else if (dice < 55) {
          start();
        } else if (dice < 85) {
          completeAny();
        } else if (dice < 92) {
          giveUpAny();
        } else if (dice < 96) {
          strategy = draw();
        } else if (dice < 98) {
          mergeOnDemand();
        } else if (mayDamage) {
          damageOrMend();
        }
      }
      long most = MOST_TIMES_MERGED * (1 + tables().onDiskBytes());
      long before = model.mergedBytes;
      while (start() || !model.running.isEmpty()) {
        completeAny();
        assertThat(model.mergedBytes - before).as("bytes merged until rest").isLessThan(most);
      }
      assertThat(strategy.plan(tables(), NOW).debtBytes()).isZero();
    }

    private void flush() {
      time += random.nextLong(DAY_MICROS / 4);
      int from = random.nextInt(4) == 0 ? random.nextInt(ModelTable.KEYS / 2) : 0;
      int to = from == 0 ? ModelTable.KEYS : from + 1 + random.nextInt(2000);
      ModelTable table = model.flush(random, time, 1 + random.nextInt(60), from, to);
      written.addAll(table.timeOf.keySet());
      long bytes = table.made.onDiskBytes();
      flushBytes = flushBytes == 0 ? bytes : flushBytes + (bytes - flushBytes) / 8;
    }

    private LiveTables tables() {
      Set<Descriptor> claimed = new HashSet<>();
      model.running.forEach(job -> job.inputs().forEach(input -> claimed.add(input.descriptor())));
      List<LiveTable> tables = new ArrayList<>();
      for (ModelTable each : model.live) {
        LiveTable table = each.made;
        table = claimed.contains(table.descriptor()) ? table.claimed() : table;
        tables.add(damaged.contains(table.descriptor()) ? table.damaged() : table);
      }
      tables.sort(Comparator.comparing(LiveTable::firstKey));
      return new LiveTables(tables, Partitioner.MURMUR3, Long.MAX_VALUE, flushBytes);
    }

    /** Starts some of the planned jobs, in any order; returns false if there are none. */
    private boolean start() {
      List<Job> jobs = new ArrayList<>(strategy.plan(tables(), NOW).jobs());
      requireDisjoint(jobs);
      if (random.nextBoolean()) {
        Collections.shuffle(jobs, random);
      }
      int count = random.nextInt(3) == 0 ? jobs.size() : Math.min(2, jobs.size());
      model.running.addAll(jobs.subList(0, count));
      return !jobs.isEmpty();
    }

    private static void requireDisjoint(List<Job> jobs) {
      Set<Descriptor> taken = new HashSet<>();
      for (Job job : jobs) {
        for (LiveTable input : job.inputs()) {
          if (!input.isFree() || !taken.add(input.descriptor())) {
            throw new AssertionError(input.descriptor() + " is not free for " + job);
          }
        }
      }
    }

    private void completeAny() {
      if (!model.running.isEmpty()) {
        complete(model.running.get(random.nextInt(model.running.size())));
      }
    }

    private void complete(Job job) {
      model.complete(job);
      Set<Integer> found = new HashSet<>();
      ModelTable[] last = new ModelTable[Levels.COUNT];
      List<ModelTable> tables = new ArrayList<>(model.live);
      tables.sort(Comparator.comparing((ModelTable table) -> table.made.firstKey()));
      for (ModelTable table : tables) {
        found.addAll(table.timeOf.keySet());
        int level = table.made.level();
        if (level > 0 && !mayDamage) {
          if (last[level] != null && last[level].overlaps(table)) {
            throw new AssertionError(last[level] + " overlaps " + table + " after " + job);
          }
          last[level] = table;
        }
      }
      assertThat(found).isEqualTo(written);
    }

    private void giveUpAny() {
      if (!model.running.isEmpty()) {
        model.running.remove(random.nextInt(model.running.size()));
      }
    }

    /** A request, which cancels the strategy's jobs; all but some SSTables count as claimed. */
    private void mergeOnDemand() {
      model.running.clear();
      boolean isAll = random.nextBoolean();
      List<LiveTable> tables = new ArrayList<>();
      for (LiveTable table : tables().tables()) {
        tables.add(isAll || random.nextBoolean() ? table : table.claimed());
      }
      List<Job> jobs = strategy.major(tables().with(tables), random.nextBoolean(), NOW);
      requireDisjoint(jobs);
      model.running.addAll(jobs);
      jobs.forEach(this::complete);
    }

    private void damageOrMend() {
      if (!model.live.isEmpty()) {
        Descriptor table = model.live.get(random.nextInt(model.live.size())).made.descriptor();
        if (!damaged.remove(table)) {
          damaged.add(table);
        }
      }
    }

    // Strategies.

    private Strategy draw() {
      List<String> options = new ArrayList<>();
      String name =
          one(
              SizeTieredStrategy.NAME,
              LeveledStrategy.NAME,
              TimeWindowStrategy.NAME,
              UnifiedStrategy.NAME);
      if (name.equals(UnifiedStrategy.NAME)) {
        drawUnified(options);
      } else {
        int min = 2 + random.nextInt(random.nextBoolean() ? 3 : 8);
        put(options, "min_threshold", min);
        put(options, "max_threshold", min + random.nextInt(random.nextBoolean() ? 2 : 40));
        put(options, "min_sstable_size", one(0, MIB, 10 * MIB, 50 * MIB));
        put(options, "bucket_low", one(0.5, 0.9, 0, -1, 0.01));
        put(options, "bucket_high", one(1.5, 1.01, 3, 1000));
      }
      if (name.equals(LeveledStrategy.NAME)) {
        put(options, "sstable_size_in_mb", 5 + random.nextInt(random.nextBoolean() ? 10 : 100));
        put(options, "fanout_size", 1 + random.nextInt(10));
      } else if (name.equals(TimeWindowStrategy.NAME)) {
        put(options, "compaction_window_unit", one("MINUTES", "HOURS", "DAYS"));
        put(options, "compaction_window_size", 1 + random.nextInt(40));
      }
      strategies.add(name + " " + options);
      return MadeUp.strategy(name, options.toArray(String[]::new));
    }

    private void drawUnified(List<String> options) {
      List<String> scaling = new ArrayList<>();
      int levels = 1 + random.nextInt(3);
      for (int i = 0; i < levels; i++) {
        int fanout = 2 + random.nextInt(random.nextBoolean() ? 4 : 12);
        scaling.add(one("N", "T" + fanout, "L" + fanout));
      }
      put(options, "scaling_parameters", String.join(", ", scaling));
      int target = 5 + random.nextInt(100);
      put(options, "target_sstable_size", target + "MiB");
      put(options, "min_sstable_size", random.nextInt(1 + target / 2) + "MiB");
      put(options, "base_shard_count", 1 + random.nextInt(9));
      put(options, "sstable_growth", one("0", "0.333", "50%", "1"));
      put(options, "max_sstables_to_compact", random.nextInt(10));
      put(options, "overlap_inclusion_method", one("NONE", "SINGLE", "TRANSITIVE"));
      if (random.nextBoolean()) {
        put(options, "flush_size_override", 1 + random.nextInt(50) + "MiB");
      }
    }

    @SafeVarargs
    private <T> T one(T... of) {
      return of[random.nextInt(of.length)];
    }

    private static void put(List<String> options, String name, Object value) {
      options.add(name);
      options.add(value.toString());
    }
  }
}
