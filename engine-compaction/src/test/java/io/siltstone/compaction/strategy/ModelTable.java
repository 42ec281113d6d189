package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * An SSTable of a model: keys from 0 to 9999, each of a fixed size, with the time at which each was
 * last written. Strategies carry out their plans on it without files, and tests can see what became
 * of each key.
 */
final class ModelTable {
  static final int KEYS = 10_000;

  /** All SSTables of the model, by generation, and the running jobs. */
  static final class Model {
    final long keyBytes;
    final List<ModelTable> live = new ArrayList<>();
    final List<Job> running = new ArrayList<>();
    final Map<String, ModelTable> byId = new HashMap<>();
    long mergedBytes;
    int jobsDone;
    private long generation;

    Model(long keyBytes) {
      this.keyBytes = keyBytes;
    }

    ModelTable add(NavigableMap<Integer, Long> timeOf, int level, boolean isRepaired) {
      ModelTable table =
          new ModelTable(++generation, new TreeMap<>(timeOf), level, isRepaired, keyBytes);
      live.add(table);
      byId.put(table.made.descriptor().id(), table);
      return table;
    }

    /** Flushes a memtable: random keys of a range, all with one time. */
    ModelTable flush(Random random, long time, int keys, int from, int to) {
      NavigableMap<Integer, Long> timeOf = new TreeMap<>();
      for (int i = 0; i < keys; i++) {
        timeOf.put(from + random.nextInt(to - from), time);
      }
      return add(timeOf, 0, false);
    }

    LiveTables tables() {
      return MadeUp.live(live.stream().map(table -> table.described(isRunning(table))).toList());
    }

    boolean isRunning(ModelTable table) {
      return running.stream()
          .anyMatch(
              job ->
                  job.inputs().stream()
                      .anyMatch(input -> input.descriptor().equals(table.made.descriptor())));
    }

    List<ModelTable> inputs(Job job) {
      return job.inputs().stream().map(input -> byId.get(input.descriptor().id())).toList();
    }

    /** Replaces the inputs of a running job by its outputs. */
    List<ModelTable> complete(Job job) {
      running.remove(job);
      List<ModelTable> inputs = inputs(job);
      if (!live.containsAll(inputs)) {
        throw new AssertionError("inputs of " + job + " are not live");
      }
      live.removeAll(inputs);
      mergedBytes += job.onDiskBytes();
      jobsDone++;
      NavigableMap<Integer, Long> merged = new TreeMap<>();
      for (ModelTable input : inputs) {
        input.timeOf.forEach((key, time) -> merged.merge(key, time, Math::max));
      }
      boolean isRepaired = inputs.stream().allMatch(input -> input.isRepaired);
      List<ModelTable> outputs = new ArrayList<>();
      NavigableMap<Integer, Long> output = new TreeMap<>();
      for (Map.Entry<Integer, Long> entry : merged.entrySet()) {
        if (!output.isEmpty() && isDivided(job.split(), output, entry.getKey())) {
          outputs.add(add(output, job.level(), isRepaired));
          output = new TreeMap<>();
        }
        output.put(entry.getKey(), entry.getValue());
      }
      outputs.add(add(output, job.level(), isRepaired));
      return outputs;
    }

    private boolean isDivided(Split split, NavigableMap<Integer, Long> output, int next) {
      if (split instanceof Split.BySize size) {
        return output.size() * keyBytes >= size.onDiskBytes();
      }
      return split instanceof Split.AtTokens at
          && at.tokens().stream()
              .anyMatch(token -> token(output.lastKey()) <= token && token < token(next));
    }
  }

  final LiveTable made;
  final NavigableMap<Integer, Long> timeOf;
  final boolean isRepaired;

  private ModelTable(
      long generation,
      NavigableMap<Integer, Long> timeOf,
      int level,
      boolean isRepaired,
      long keyBytes) {
    this.timeOf = timeOf;
    this.isRepaired = isRepaired;
    MadeUp table =
        MadeUp.table(generation)
            .bytes(timeOf.size() * keyBytes)
            .tokens(token(timeOf.firstKey()), token(timeOf.lastKey()))
            .times(
                timeOf.values().stream().min(Comparator.naturalOrder()).orElseThrow(),
                timeOf.values().stream().max(Comparator.naturalOrder()).orElseThrow())
            .level(level);
    this.made = isRepaired ? table.repaired().make() : table.make();
  }

  /** Keys are evenly distributed over the token space. */
  static long token(int key) {
    return Long.MIN_VALUE + 1 + key * (Long.MAX_VALUE / (KEYS / 2));
  }

  private LiveTable described(boolean isClaimed) {
    return isClaimed ? made.claimed() : made;
  }

  boolean overlaps(ModelTable other) {
    return made.overlaps(other.made);
  }

  @Override
  public String toString() {
    return made.descriptor()
        + " level "
        + made.level()
        + " keys "
        + timeOf.firstKey()
        + ".."
        + timeOf.lastKey()
        + " ("
        + timeOf.size()
        + ") times "
        + made.minTimestamp()
        + ".."
        + made.maxTimestamp();
  }
}
