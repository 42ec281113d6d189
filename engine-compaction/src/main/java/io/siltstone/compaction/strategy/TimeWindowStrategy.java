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
 * Merges what was written in one window of time, and windows never with each other: for data that
 * is written in the order of its time and expires. A table belongs to the window of its greatest
 * timestamp. Source of the rules: Cassandra {@code TimeWindowCompactionStrategy}.
 *
 * <p>The current window, within which tables are merged by size, is there the latest that a table
 * ever belonged to. Here it is the latest that a table belongs to, but no later than now: one
 * timestamp of the future would otherwise make windows of the past of all others.
 *
 * <p>A major compaction leaves a table per window; in Cassandra it leaves one of all.
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
  public long merge(CandidateSelection candidateSelection) {
    NavigableMap<Long, List<LiveTable>> all = windows(candidateSelection.tables());
    if (all.isEmpty()) {
      return 0;
    }
    long current = Math.min(all.lastKey(), options.windowOfMillis(candidateSelection.now()));
    long bytes = 0;
    int single = 0;
    for (var window : windows(candidateSelection.free()).descendingMap().entrySet()) {
      List<LiveTable> tables = window.getValue();
      if (window.getKey() >= current) {
        bytes += mergeCurrent(candidateSelection, window.getKey(), tables);
      } else if (tables.size() > 1) {
        bytes += mergePast(candidateSelection, window.getKey(), tables);
      } else {
        single++;
      }
    }
    if (single > 0) {
      candidateSelection.remark(
          single
              + (single == 1 ? " window of the past has" : " windows of the past have")
              + " one table each that is free");
    }
    return bytes;
  }

  private NavigableMap<Long, List<LiveTable>> windows(List<LiveTable> tables) {
    NavigableMap<Long, List<LiveTable>> windows = new TreeMap<>();
    for (LiveTable table : tables) {
      windows
          .computeIfAbsent(options.windowOf(table.maxTimestamp()), start -> new ArrayList<>())
          .add(table);
    }
    return windows;
  }

  private long mergeCurrent(
      CandidateSelection candidateSelection, long start, List<LiveTable> tables) {
    SizeTieredOptions tiers = options.sizeTiered();
    long bytes =
        SizeTieredStrategy.merge(candidateSelection, tables, tiers, name(start) + ", current: ");
    List<LiveTable> left = tables.stream().filter(candidateSelection::isFree).toList();
    if (!left.isEmpty()) {
      candidateSelection.remark(
          name(start)
              + ", current: too few of one size among "
              + FigureText.tables(left)
              + ", min_threshold "
              + tiers.minThreshold());
    }
    return bytes;
  }

  /** All of them, the smallest first where there are too many for one job. */
  private long mergePast(
      CandidateSelection candidateSelection, long start, List<LiveTable> tables) {
    List<LiveTable> left =
        tables.stream().sorted(Comparator.comparingLong(LiveTable::onDiskBytes)).toList();
    long bytes = 0;
    while (left.size() > 1) {
      int count = Math.min(left.size(), options.sizeTiered().maxThreshold());
      List<LiveTable> next = left.subList(0, count);
      bytes += CandidateSelection.onDiskBytes(next);
      candidateSelection.take(job(next, name(start) + " is past: " + FigureText.tables(next)));
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
    long start = options.windowOf(table.maxTimestamp());
    return new TableGroup(start, name(start));
  }

  @Override
  public void mergeAll(CandidateSelection candidateSelection, boolean isSplit) {
    windows(candidateSelection.free())
        .forEach(
            (start, tables) ->
                candidateSelection.take(
                    new Job(
                        tables,
                        0,
                        isSplit
                            ? new Split.Halving(SizeTieredStrategy.LEAST_SPLIT_BYTES)
                            : Split.NONE,
                        false,
                        name(start) + ": " + FigureText.tables(tables) + ", on demand")));
  }

  /** Only if asked for: in windows data goes by expiring. The smallest first. */
  @Override
  public boolean purgesByDefault() {
    return false;
  }

  @Override
  public void rewrite(
      CandidateSelection candidateSelection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates) {
    worth.stream()
        .sorted(Comparator.comparingLong(LiveTable::onDiskBytes))
        .map(table -> job(List.of(table), tombstoneCandidates.reason(table)))
        .forEach(candidateSelection::take);
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
