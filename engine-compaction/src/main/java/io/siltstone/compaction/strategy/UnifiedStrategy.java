package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Unified compaction, Cassandra's {@code UnifiedCompactionStrategy}: merges overlapping SSTables
 * level by level of their density. One scaling parameter selects size tiers, levels, or a mix of
 * both, and outputs are divided by shards of the token space.
 *
 * <p>Levels begin at the size of a flush, which the live set reports. Of several places with the
 * same overlap Cassandra takes a random one; here the plan has all of them. Single SSTables are
 * rewritten for their tombstones if a tombstone option is given; Cassandra accepts these options
 * and never does.
 */
final class UnifiedStrategy implements StrategyRules {
  static final String NAME = "UnifiedCompactionStrategy";

  private final UnifiedOptions options;

  UnifiedStrategy(UnifiedOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** SSTables of similar density. */
  private record DensityLevel(int index, double min, double max, List<LiveTable> tables) {
    String name() {
      return "level "
          + index
          + " ("
          + FigureText.bytes((long) min)
          + " to "
          + FigureText.bytes((long) max)
          + ")";
    }
  }

  /** SSTables to merge, and how many of them overlap at one key. */
  private record Pick(int overlap, List<LiveTable> tables, String reason) {}

  @Override
  public long merge(CandidateSelection selection) {
    Partitioner partitioner = selection.live().partitioner();
    List<Pick> picks = new ArrayList<>();
    for (DensityLevel level : levels(selection)) {
      pick(selection, level, picks);
    }
    picks.sort(Comparator.comparingInt(Pick::overlap).reversed());
    long bytes = 0;
    for (Pick pick : picks) {
      bytes += CandidateSelection.onDiskBytes(pick.tables());
      selection.take(job(partitioner, pick.tables(), pick.reason()));
    }
    return bytes;
  }

  private List<DensityLevel> levels(CandidateSelection selection) {
    Partitioner partitioner = selection.live().partitioner();
    List<DensityLevel> levels = new ArrayList<>();
    double end = options.maxDensity(selection.live().flushBytes());
    levels.add(new DensityLevel(0, 0, end, new ArrayList<>()));
    for (LiveTable table : selection.tables()) {
      if (!selection.isFree(table)) {
        continue;
      }
      double density = TokenSpace.density(partitioner, table);
      while (density >= end) {
        double begin = end;
        end = options.maxDensity(levels.size(), begin);
        levels.add(new DensityLevel(levels.size(), begin, end, new ArrayList<>()));
      }
      int index = 0;
      while (density >= levels.get(index).max()) {
        index++;
      }
      levels.get(index).tables().add(table);
    }
    return levels;
  }

  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    double density = TokenSpace.density(live.partitioner(), table);
    double end = options.maxDensity(live.flushBytes());
    int level = 0;
    while (density >= end) {
      end = options.maxDensity(++level, end);
    }
    return new TableGroup(level, "level " + level);
  }

  /** Takes the SSTables to merge out of a level, and adds a remark about the others. */
  private void pick(CandidateSelection selection, DensityLevel level, List<Pick> picks) {
    String where = level.name() + ": ";
    String rule = options.name(level.index()) + " merges " + options.threshold(level.index());
    OverlapSets sets = new OverlapSets(level.tables());
    while (true) {
      Set<LiveTable> taken = pickOnce(level, sets, where, rule, picks);
      if (taken.isEmpty()) {
        break;
      }
      level.tables().removeIf(taken::contains);
      sets = new OverlapSets(level.tables());
    }
    if (!level.tables().isEmpty()) {
      selection.remark(
          where
              + FigureText.tables(level.tables())
              + ", at most "
              + sets.most()
              + " at one key, "
              + rule);
    }
  }

  /**
   * Picks sets of SSTables that share none; the SSTables that are left may be enough for further
   * sets.
   */
  private Set<LiveTable> pickOnce(
      DensityLevel level, OverlapSets sets, String where, String rule, List<Pick> picks) {
    Set<LiveTable> taken = Collections.newSetFromMap(new IdentityHashMap<>());
    for (OverlapSets.Section section :
        sets.sections(options.threshold(level.index()), options.inclusion())) {
      // Sections share SSTables unless all that overlap are included.
      if (!section.hasAnyOf(taken)) {
        int limit = limit(level.index(), section.overlap());
        int overlap = Math.min(section.overlap(), limit);
        List<LiveTable> tables = section.oldest(limit);
        picks.add(
            new Pick(
                overlap,
                tables,
                where
                    + FigureText.tables(tables)
                    + ", "
                    + overlap
                    + " overlap at one key, "
                    + rule));
        taken.addAll(tables);
      }
    }
    return taken;
  }

  /**
   * Returns how many overlapping SSTables to merge at once. If very many have gathered, it is as
   * many as lead to the density that they would have if each step had been done in time.
   */
  private int limit(int index, int overlap) {
    long fanout = options.fanout(index);
    long most = Math.max(fanout, options.maxToCompact());
    if (overlap <= fanout || overlap <= fanout * options.fanout(index + 1) || most == fanout) {
      return overlap <= fanout ? overlap : (int) Math.min(overlap, most);
    }
    long limit = Math.min(most, overlap);
    long step = fanout;
    long next = step * options.fanout(index + 1);
    for (int level = index + 2; next <= limit; level++) {
      step = next;
      next *= options.fanout(level);
    }
    return (int) (options.isLeveled(index) ? limit / step * step : step);
  }

  private Job job(Partitioner partitioner, List<LiveTable> tables, String reason) {
    int shards = options.shards(TokenSpace.density(partitioner, tables));
    return new Job(tables, 0, TokenSpace.split(partitioner, tables, shards), false, reason);
  }

  /** Takes one job for each group of SSTables that overlap, so that no SSTable spans two jobs. */
  @Override
  public void mergeAll(CandidateSelection selection, boolean isSplit) {
    List<LiveTable> together = new ArrayList<>();
    for (LiveTable table : selection.free()) {
      if (!together.isEmpty() && table.firstKey().compareTo(Levels.lastKey(together)) > 0) {
        takeAll(selection, together);
        together.clear();
      }
      together.add(table);
    }
    if (!together.isEmpty()) {
      takeAll(selection, together);
    }
  }

  private void takeAll(CandidateSelection selection, List<LiveTable> tables) {
    selection.take(
        job(selection.live().partitioner(), tables, FigureText.tables(tables) + ", on demand"));
  }

  /** Rewrites the largest SSTable first. */
  @Override
  public void rewrite(
      CandidateSelection selection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates) {
    Partitioner partitioner = selection.live().partitioner();
    worth.stream()
        .sorted(Comparator.comparingLong(LiveTable::onDiskBytes).reversed())
        .map(table -> job(partitioner, List.of(table), tombstoneCandidates.reason(table)))
        .forEach(selection::take);
  }

  @Override
  public boolean purgesByDefault() {
    return false;
  }

  @Override
  public ExpiryOptions expiry() {
    return options.expiry();
  }

  @Override
  public String toString() {
    return NAME + " " + options;
  }
}
