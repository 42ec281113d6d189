package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leveled compaction, Cassandra's {@code LeveledCompactionStrategy}: keeps SSTables of one size in
 * levels, each about ten times as large as the level before it, and no two SSTables of a level
 * overlap. A partition is therefore in few SSTables, at the price of a high write amplification.
 * {@link LeveledPlan} picks the jobs by the compaction score of the levels. Source of the rules:
 * Cassandra {@code LeveledManifest}, {@code LeveledGenerations}.
 *
 * <p>Two rules differ, because this strategy keeps no state between plans:
 *
 * <ul>
 *   <li>Which SSTable of a level moves next: Cassandra takes the one after the last that was
 *       merged. Here it is the one with the fewest bytes of the next level to rewrite for each byte
 *       of its own. That writes less, and every SSTable still gets its turn: where no merge took
 *       place for long, more data is waiting.
 *   <li>When an SSTable of a level that is higher than the data needs is merged into a lower one:
 *       Cassandra does so when that level was not compacted in 25 rounds. Here it happens whenever
 *       a job covers the SSTable, all data would fit into lower levels, and no newer data lies
 *       between.
 * </ul>
 */
final class LeveledStrategy implements StrategyRules {
  static final String NAME = "LeveledCompactionStrategy";

  private final LeveledOptions options;

  LeveledStrategy(LeveledOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long merge(CandidateSelection selection) {
    return new LeveledPlan(options, selection).make();
  }

  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    return new TableGroup(table.level(), "level " + table.level());
  }

  /**
   * Merges all SSTables into one level, the lowest that may hold them. Cassandra fills level 1,
   * then level 2 and so on in the order of keys, by which the level of a key says nothing about its
   * age.
   */
  @Override
  public void mergeAll(CandidateSelection selection, boolean isSplit) {
    List<LiveTable> all = selection.free();
    if (all.isEmpty()) {
      return;
    }
    Levels others =
        new Levels(
            selection.tables().stream().filter(t -> !selection.isFree(t)).toList(),
            selection::isFree);
    int level = options.levelFor(CandidateSelection.onDiskBytes(all));
    while (level < Levels.COUNT && !hasRoom(others, level, all)) {
      level++;
    }
    if (level == Levels.COUNT) {
      level = 0;
    }
    selection.take(
        new Job(
            all,
            level,
            new Split.BySize(options.sstableBytes()),
            false,
            FigureText.tables(all) + " to level " + level + ", on demand"));
  }

  private static boolean hasRoom(Levels others, int level, List<LiveTable> tables) {
    return others.get(level).overlapping(Levels.firstKey(tables), Levels.lastKey(tables)).isEmpty();
  }

  /** Rewrites the highest level first, where tombstones have nothing left to shadow. */
  @Override
  public void rewrite(
      CandidateSelection selection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates) {
    Levels levels = new Levels(selection.tables(), selection::isFree);
    worth.stream()
        .sorted(
            Comparator.comparingInt(LiveTable::level)
                .thenComparingDouble(tombstoneCandidates::ratio)
                .reversed())
        .forEach(
            table -> {
              selection.take(
                  new Job(
                      List.of(table),
                      levels.isLeveled(table) ? table.level() : 0,
                      new Split.BySize(options.sstableBytes()),
                      false,
                      tombstoneCandidates.reason(table)));
            });
  }

  @Override
  public ExpiryOptions expiry() {
    return ExpiryOptions.DEFAULT;
  }

  /**
   * Returns new levels for all SSTables by which no two of one level overlap, and none is in a
   * higher level than an older one that it overlaps. The oldest come first; each gets the highest
   * level that this allows, but none above what all data needs. Those that a job has stay where
   * they are.
   */
  Map<Descriptor, Integer> relevel(CandidateSelection selection) {
    List<Placed> placed = new ArrayList<>();
    for (LiveTable table : selection.tables()) {
      if (!selection.isFree(table)) {
        placed.add(new Placed(table, table.level()));
      }
    }
    int highest = options.levelFor(CandidateSelection.onDiskBytes(selection.tables()));
    selection.free().stream()
        .sorted(Levels.BY_AGE)
        .forEach(
            table -> {
              int level = highest;
              for (Placed older : placed) {
                if (older.table().overlaps(table)) {
                  level = Math.min(level, older.level() - 1);
                }
              }
              placed.add(new Placed(table, Math.max(level, 0)));
            });
    Map<Descriptor, Integer> levels = new HashMap<>();
    placed.forEach(table -> levels.put(table.table().descriptor(), table.level()));
    return levels;
  }

  private record Placed(LiveTable table, int level) {}

  @Override
  public String toString() {
    return NAME + " " + options;
  }
}
