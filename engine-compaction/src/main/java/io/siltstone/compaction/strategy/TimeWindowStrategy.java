package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Time window compaction, Cassandra's {@code TimeWindowCompactionStrategy}: merges SSTables that
 * were written in one time window, and never those of different windows. It suits data that is
 * written in the order of time and expires. An SSTable belongs to the window of its greatest
 * timestamp; or of its greatest event time, for data that expires by a retention floor.
 *
 * <p>In the current window, SSTables are merged by size. In Cassandra, the current window is the
 * latest to which an SSTable ever belonged. Here it is the latest to which a live SSTable belongs,
 * but no later than now: otherwise one timestamp in the future would make all other windows past
 * ones.
 *
 * <p>A major compaction leaves one SSTable per window; in Cassandra it leaves one in all.
 */
final class TimeWindowStrategy implements StrategyRules {
  static final String NAME = "TimeWindowCompactionStrategy";

  private final TimeWindowOptions options;

  TimeWindowStrategy(TimeWindowOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long merge(CandidateSelection selection) {
    NavigableMap<Long, List<LiveTable>> all = windows(selection.tables());
    if (all.isEmpty()) {
      return 0;
    }
    long current = Math.min(all.lastKey(), options.windowOfMillis(selection.now()));
    long bytes = 0;
    int single = 0;
    for (var window : windows(selection.free()).descendingMap().entrySet()) {
      List<LiveTable> tables = window.getValue();
      if (window.getKey() >= current) {
        bytes += mergeCurrent(selection, window.getKey(), tables);
      } else if (tables.size() > 1) {
        bytes += mergePast(selection, window.getKey(), tables);
      } else {
        single++;
      }
    }
    if (single > 0) {
      selection.remark(
          single
              + (single == 1 ? " past window has" : " past windows have")
              + " only one free SSTable each");
    }
    return bytes;
  }

  private NavigableMap<Long, List<LiveTable>> windows(List<LiveTable> tables) {
    NavigableMap<Long, List<LiveTable>> windows = new TreeMap<>();
    for (LiveTable table : tables) {
      windows.computeIfAbsent(options.windowOf(table), start -> new ArrayList<>()).add(table);
    }
    return windows;
  }

  private long mergeCurrent(CandidateSelection selection, long start, List<LiveTable> tables) {
    SizeTieredOptions tiers = options.sizeTiered();
    long bytes = SizeTieredStrategy.merge(selection, tables, tiers, name(start) + ", current: ");
    List<LiveTable> left = tables.stream().filter(selection::isFree).toList();
    if (!left.isEmpty()) {
      selection.remark(
          name(start)
              + ", current: too few of one size among "
              + FigureText.tables(left)
              + ", min_threshold "
              + tiers.minThreshold());
    }
    return bytes;
  }

  /** Merges all SSTables of a past window, the smallest first if there are too many for one job. */
  private long mergePast(CandidateSelection selection, long start, List<LiveTable> tables) {
    List<LiveTable> left =
        tables.stream().sorted(Comparator.comparingLong(LiveTable::onDiskBytes)).toList();
    long bytes = 0;
    while (left.size() > 1) {
      int count = Math.min(left.size(), options.sizeTiered().maxThreshold());
      List<LiveTable> next = left.subList(0, count);
      bytes += CandidateSelection.onDiskBytes(next);
      selection.take(job(next, name(start) + " is past: " + FigureText.tables(next)));
      left = left.subList(count, left.size());
    }
    return bytes;
  }

  private static String name(long start) {
    return "window of " + Instant.ofEpochMilli(start);
  }

  private static Job job(List<LiveTable> tables, String reason) {
    return new Job(tables, 0, Split.NONE, false, reason);
  }

  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    long start = options.windowOf(table);
    return new TableGroup(start, name(start));
  }

  @Override
  public void mergeAll(CandidateSelection selection, boolean isSplit) {
    windows(selection.free())
        .forEach(
            (start, tables) ->
                selection.take(
                    new Job(
                        tables,
                        0,
                        isSplit
                            ? new Split.Halving(SizeTieredStrategy.LEAST_SPLIT_BYTES)
                            : Split.NONE,
                        false,
                        name(start) + ": " + FigureText.tables(tables) + ", on demand")));
  }

  /**
   * Returns false: in windows, data is removed by expiring. If tombstone compaction is asked for,
   * the smallest SSTable comes first.
   */
  @Override
  public boolean purgesByDefault() {
    return false;
  }

  @Override
  public void rewrite(
      CandidateSelection selection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates) {
    worth.stream()
        .sorted(Comparator.comparingLong(LiveTable::onDiskBytes))
        .map(table -> job(List.of(table), tombstoneCandidates.reason(table)))
        .forEach(selection::take);
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
