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
 * Keeps tables of one size in levels, each about ten times the one below, within which none
 * overlap: a partition is in few tables, but is written again and again. Source of the rules:
 * Cassandra {@code LeveledManifest}, {@code LeveledGenerations}.
 *
 * <p>Where Cassandra remembers, this one does not:
 *
 * <ul>
 *   <li>Which table of a level comes next: there the one behind the last that was merged; here the
 *       one that has the fewest bytes of the next level to be rewritten for each of its own. That
 *       writes less, and goes round as well: where nothing was merged for long, more has gathered.
 *   <li>When a table of a level that is too high for the data is fetched down: there when that
 *       level was not merged in 25 rounds; here whenever a job covers it, all data would fit into
 *       lower levels, and nothing newer lies between.
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
  public long merge(CandidateSelection candidateSelection) {
    return new LeveledPlan(options, candidateSelection).make();
  }

  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    return new TableGroup(table.level(), "level " + table.level());
  }

  /**
   * Into one level, the lowest that may hold it all. Cassandra fills level 1, then 2, and so on,
   * with keys in order, so that a key's level says nothing about its age.
   */
  @Override
  public void mergeAll(CandidateSelection candidateSelection, boolean isSplit) {
    List<LiveTable> all = candidateSelection.free();
    if (all.isEmpty()) {
      return;
    }
    Levels others =
        new Levels(
            candidateSelection.tables().stream()
                .filter(t -> !candidateSelection.isFree(t))
                .toList(),
            candidateSelection::isFree);
    int level = options.levelFor(CandidateSelection.onDiskBytes(all));
    while (level < Levels.COUNT && !isRoom(others, level, all)) {
      level++;
    }
    if (level == Levels.COUNT) {
      level = 0;
    }
    candidateSelection.take(
        new Job(
            all,
            level,
            new Split.BySize(options.sstableBytes()),
            false,
            FigureText.tables(all) + " to level " + level + ", on demand"));
  }

  private static boolean isRoom(Levels others, int level, List<LiveTable> tables) {
    return others.get(level).overlapping(Levels.firstKey(tables), Levels.lastKey(tables)).isEmpty();
  }

  /** The highest level first, where tombstones have nothing more to shadow. */
  @Override
  public void rewrite(
      CandidateSelection candidateSelection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates) {
    Levels levels = new Levels(candidateSelection.tables(), candidateSelection::isFree);
    worth.stream()
        .sorted(
            Comparator.comparingInt(LiveTable::level)
                .thenComparingDouble(tombstoneCandidates::ratio)
                .reversed())
        .forEach(
            table -> {
              candidateSelection.take(
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
   * Levels for all tables, so that no two of one level overlap and none lies above an older one
   * that it overlaps: the oldest come first, each as high as it may, and no higher than all data
   * needs. Those that a job has stay where they are.
   */
  Map<Descriptor, Integer> relevel(CandidateSelection candidateSelection) {
    List<Placed> placed = new ArrayList<>();
    for (LiveTable table : candidateSelection.tables()) {
      if (!candidateSelection.isFree(table)) {
        placed.add(new Placed(table, table.level()));
      }
    }
    int highest = options.levelFor(CandidateSelection.onDiskBytes(candidateSelection.tables()));
    candidateSelection.free().stream()
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
