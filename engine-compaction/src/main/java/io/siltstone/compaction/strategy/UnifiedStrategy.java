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
 * Merges tables that overlap, level by level of their density: size tiers, levels and all between
 * by one parameter, with tables divided by shards of the token space. Source of the rules:
 * Cassandra {@code UnifiedCompactionStrategy}.
 *
 * <p>Levels begin at the size of a flush, which is told by the live set. Of several places of equal
 * overlap Cassandra takes one by chance; here the plan has them all. Single tables are rewritten
 * for their tombstones if an option of tombstones is given; Cassandra takes these options and never
 * does.
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

  /** Tables of similar density. */
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

  /** Tables to merge, the most overlapping of which are so many. */
  private record Pick(int overlap, List<LiveTable> tables, String reason) {}

  @Override
  public long merge(CandidateSelection candidateSelection) {
    Partitioner partitioner = candidateSelection.live().partitioner();
    List<Pick> picks = new ArrayList<>();
    for (DensityLevel level : levels(candidateSelection)) {
      pick(candidateSelection, level, picks);
    }
    picks.sort(Comparator.comparingInt(Pick::overlap).reversed());
    long bytes = 0;
    for (Pick pick : picks) {
      bytes += CandidateSelection.onDiskBytes(pick.tables());
      candidateSelection.take(job(partitioner, pick.tables(), pick.reason()));
    }
    return bytes;
  }

  private List<DensityLevel> levels(CandidateSelection candidateSelection) {
    Partitioner partitioner = candidateSelection.live().partitioner();
    List<DensityLevel> levels = new ArrayList<>();
    double end = options.maxDensity(candidateSelection.live().flushBytes());
    levels.add(new DensityLevel(0, 0, end, new ArrayList<>()));
    for (LiveTable table : candidateSelection.tables()) {
      if (!candidateSelection.isFree(table)) {
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

  /** Takes out of a level what is to be merged, and says what is left. */
  private void pick(CandidateSelection candidateSelection, DensityLevel level, List<Pick> picks) {
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
      candidateSelection.remark(
          where
              + FigureText.tables(level.tables())
              + ", at most "
              + sets.most()
              + " at one key, "
              + rule);
    }
  }

  /** Picks tables of which none is picked twice; what they leave may be enough for others. */
  private Set<LiveTable> pickOnce(
      DensityLevel level, OverlapSets sets, String where, String rule, List<Pick> picks) {
    Set<LiveTable> taken = Collections.newSetFromMap(new IdentityHashMap<>());
    for (OverlapSets.Section section :
        sets.sections(options.threshold(level.index()), options.inclusion())) {
      // Sections have tables in common unless all that overlap are included.
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
   * How many overlapping tables to merge at once. Where very many have gathered, as many as lead to
   * the density that they would have had if each step had been done in time.
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

  /** As many jobs as there are places of the token space that no table reaches over. */
  @Override
  public void mergeAll(CandidateSelection candidateSelection, boolean isSplit) {
    List<LiveTable> together = new ArrayList<>();
    for (LiveTable table : candidateSelection.free()) {
      if (!together.isEmpty() && table.firstKey().compareTo(Levels.lastKey(together)) > 0) {
        takeAll(candidateSelection, together);
        together.clear();
      }
      together.add(table);
    }
    if (!together.isEmpty()) {
      takeAll(candidateSelection, together);
    }
  }

  private void takeAll(CandidateSelection candidateSelection, List<LiveTable> tables) {
    candidateSelection.take(
        job(
            candidateSelection.live().partitioner(),
            tables,
            FigureText.tables(tables) + ", on demand"));
  }

  /** Only if asked for. The largest first. */
  @Override
  public void rewrite(
      CandidateSelection candidateSelection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates) {
    Partitioner partitioner = candidateSelection.live().partitioner();
    worth.stream()
        .sorted(Comparator.comparingLong(LiveTable::onDiskBytes).reversed())
        .map(table -> job(partitioner, List.of(table), tombstoneCandidates.reason(table)))
        .forEach(candidateSelection::take);
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
