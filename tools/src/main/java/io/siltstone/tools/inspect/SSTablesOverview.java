package io.siltstone.tools.inspect;

import io.siltstone.compaction.strategy.Strategy;
import io.siltstone.compaction.strategy.TableGroup;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.tools.terminal.TableStrategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The SSTables of a table in the groups of its compaction strategy.
 *
 * @param name of the table
 * @param schema of the table
 * @param retentionFloor text of its retention floor; null for none
 * @param nowMillis time of the overview
 * @param lanes its groups of SSTables, in the strategy's order
 * @param coverage of all of them
 */
record SSTablesOverview(
    String name,
    TableSchema schema,
    @Nullable String retentionFloor,
    long nowMillis,
    List<Lane> lanes,
    TokenCoverage coverage) {

  /**
   * A group of SSTables.
   *
   * @param group its name
   * @param rows number of rows in which they are drawn
   * @param files sorted by first token
   */
  record Lane(TableGroup group, int rows, List<SSTableFigures> files) {
    Lane {
      files = List.copyOf(files);
    }

    long onDiskBytes() {
      return files.stream().mapToLong(each -> each.table().onDiskBytes()).sum();
    }
  }

  SSTablesOverview {
    lanes = List.copyOf(lanes);
  }

  static SSTablesOverview of(InspectedTable of, long nowMillis) throws IOException {
    TableSchema schema = of.schema();
    LiveTables live = of.table().live();
    TokenScale scale = TokenScale.of(live.partitioner(), live.tables());
    Strategy strategy = TableStrategy.of(schema);
    TreeMap<TableGroup, List<LiveTable>> groups = new TreeMap<>();
    for (LiveTable table : live.tables()) {
      groups.computeIfAbsent(strategy.group(live, table), group -> new ArrayList<>()).add(table);
    }
    List<Lane> lanes = new ArrayList<>();
    groups.forEach(
        (group, tables) -> lanes.add(lane(group, tables, live, schema, scale, nowMillis / 1000)));
    return new SSTablesOverview(
        of.table().toString(),
        schema,
        of.table().retentionFloor().map(Object::toString).orElse(null),
        nowMillis,
        lanes,
        TokenCoverage.of(live.tables(), scale));
  }

  private static Lane lane(
      TableGroup group,
      List<LiveTable> tables,
      LiveTables live,
      TableSchema schema,
      TokenScale scale,
      long now) {
    List<LiveTable> sorted = new ArrayList<>(tables);
    sorted.sort(
        Comparator.comparing(LiveTable::firstKey)
            .thenComparing(each -> each.descriptor().toString()));
    List<Double> rowEnds = new ArrayList<>();
    List<SSTableFigures> files = new ArrayList<>();
    for (LiveTable table : sorted) {
      double from = scale.share(table.firstKey().token());
      double to = scale.share(table.lastKey().token());
      int row = 0;
      while (row < rowEnds.size() && rowEnds.get(row) >= from) {
        row++;
      }
      if (row == rowEnds.size()) {
        rowEnds.add(to);
      } else {
        rowEnds.set(row, to);
      }
      int overlaps = 0;
      for (LiveTable other : live.tables()) {
        overlaps += other.overlaps(table) ? 1 : 0;
      }
      files.add(
          new SSTableFigures(
              table,
              group,
              from,
              to,
              row,
              overlaps - 1,
              table.droppableTombstoneRatio(now),
              table.droppableTombstoneRatio(now - schema.options().gcGraceSeconds())));
    }
    return new Lane(group, rowEnds.size(), files);
  }

  List<SSTableFigures> files() {
    return lanes.stream().flatMap(lane -> lane.files().stream()).toList();
  }

  long onDiskBytes() {
    return lanes.stream().mapToLong(Lane::onDiskBytes).sum();
  }

  long dataBytes() {
    return files().stream().mapToLong(each -> each.table().dataBytes()).sum();
  }

  /** Returns the number of SSTables of which the retention floor hides all. */
  long hidden() {
    return files().stream().filter(each -> each.table().hidden() == LiveTable.Hidden.ALL).count();
  }

  /** Returns the strategy's simple name. */
  String strategy() {
    String name = schema.options().compactionStrategy();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
