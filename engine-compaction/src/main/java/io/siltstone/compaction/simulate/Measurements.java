package io.siltstone.compaction.simulate;

import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.TableGroup;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Measures the live SSTables of a simulation at a moment. Confined to one thread. */
final class Measurements {
  private static final int READS = 500;

  private final SampledTable.Scale scale;
  private final SplittableRandom random;

  Measurements(SampledTable.Scale scale, long seed) {
    this.scale = scale;
    // A generator of its own, so that more frequent measuring changes nothing else.
    this.random = new SplittableRandom(seed).split();
  }

  /**
   * The cost of reads.
   *
   * @param liveBytes bytes of the rows that a full scan returns
   */
  record Reads(long liveBytes, Measure.Reads cost) {}

  Reads read(List<SampledTable> tables, long nowMillis) {
    long[] tokens = liveTokens(tables, nowMillis);
    long withRow = 0;
    long covering = 0;
    int most = 0;
    int reads = tokens.length == 0 ? 0 : READS;
    for (int i = 0; i < reads; i++) {
      long token = tokens[random.nextInt(tokens.length)];
      int found = 0;
      for (SampledTable table : tables) {
        if (table.live().firstKey().token() > token) {
          break;
        }
        if (table.live().lastKey().token() >= token) {
          covering++;
          found += table.rows().contains(token) ? 1 : 0;
        }
      }
      withRow += found;
      most = Math.max(most, found);
    }
    return new Reads(
        (long) (tokens.length * scale.liveBytes()),
        new Measure.Reads(
            reads == 0 ? 0 : (double) withRow / reads,
            most,
            reads == 0 ? 0 : (double) covering / reads));
  }

  private long[] liveTokens(List<SampledTable> tables, long nowMillis) {
    PriorityQueue<SampledRows> parts =
        new PriorityQueue<>(Comparator.comparingInt(SampledRows::size));
    tables.forEach(table -> parts.add(table.rows()));
    while (parts.size() > 1) {
      parts.add(SampledRows.merge(parts.remove(), parts.remove()));
    }
    SampledRows all = parts.isEmpty() ? new SampledRows(0) : parts.remove();
    long[] tokens = new long[all.size()];
    int count = 0;
    for (int i = 0; i < all.size(); i++) {
      if (all.kind(i) == SampledRows.LIVE && scale.deletionTime(all, i) > nowMillis / 1000) {
        tokens[count++] = all.token(i);
      }
    }
    return Arrays.copyOf(tokens, count);
  }

  static List<Measure.Group> groups(Strategy strategy, LiveTables live) {
    Map<TableGroup, List<LiveTable>> groups = new TreeMap<>();
    for (LiveTable table : live.tables()) {
      groups.computeIfAbsent(strategy.group(live, table), group -> new ArrayList<>()).add(table);
    }
    List<Measure.Group> measured = new ArrayList<>();
    groups.forEach(
        (group, tables) ->
            measured.add(
                new Measure.Group(
                    group.name(),
                    tables.size(),
                    tables.stream().mapToLong(LiveTable::onDiskBytes).sum())));
    return measured;
  }
}
