package io.siltstone.spark.read;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.spark.types.KeyValue;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CoveredClustering;
import io.siltstone.sstable.metadata.Statistics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Proves facts about a table's rows by the statistics of its SSTables. These count rows that are
 * there, not rows that are live, and each SSTable for itself. So something is proven only of a
 * table without tombstones and expiring data, whose rows are all live therefore; and their number
 * only if no two SSTables can have the same partition.
 */
final class StatisticsProof {
  private final SourceTable table;

  StatisticsProof(SourceTable table) {
    this.table = table;
  }

  /**
   * Returns the number of the table's rows, if it is proven.
   *
   * @throws IOException if statistics cannot be read
   */
  OptionalLong rows() throws IOException {
    if (!areAllLive() || !areDisjoint()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(table.statistics().stream().mapToLong(LiveTable::rows).sum());
  }

  /**
   * Returns whether each row of each SSTable is live. Without tombstones each row has a cell or was
   * inserted, except that an addition of nothing to a collection leaves a row without either; and
   * cells of columns that were dropped, or that the definition does not have, do not count.
   */
  private boolean areAllLive() throws IOException {
    TableSchema schema = table.schema();
    return !schema.hasStatic()
        && !schema.isCounter()
        && schema.droppedColumns().isEmpty()
        && schema.regularColumns().stream().noneMatch(column -> column.type().isMultiCell())
        && table.others().isEmpty()
        && table.skippedCount() == 0
        && table.statistics().stream()
            .allMatch(each -> each.minLocalDeletionTime() == DeletionTime.NO_DELETION_TIME)
        && areColumnsKnown();
  }

  private boolean areColumnsKnown() throws IOException {
    for (LiveTable each : table.statistics()) {
      SerializationHeader header = read(each.descriptor()).header();
      if (!header.columns(true).isEmpty()
          || !header.columns(false).stream()
              .allMatch(column -> table.schema().column(column.name()).isPresent())) {
        return false;
      }
    }
    return true;
  }

  private Statistics read(Descriptor descriptor) throws IOException {
    return Statistics.read(
        SourceTable.directory(table.storage(), table.path(), table.sstables(), List.of(), false),
        descriptor.fileName(Component.STATISTICS),
        descriptor.version());
  }

  private boolean areDisjoint() {
    List<LiveTable> byFirstKey = table.statistics();
    for (int i = 1; i < byFirstKey.size(); i++) {
      if (byFirstKey.get(i - 1).lastKey().compareTo(byFirstKey.get(i).firstKey()) >= 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the least or greatest value of the first clustering column, as Spark has it, if it is
   * proven. Statistics have it of each SSTable, and it does not matter whether these overlap.
   *
   * @throws IOException if statistics cannot be read
   */
  Optional<Object> extreme(Column column, boolean isGreatest) throws IOException {
    List<Column> clustering = table.schema().clusteringColumns();
    if (clustering.isEmpty()
        || !clustering.get(0).equals(column)
        || !KeyValue.isOrdered(column.type())
        || !areAllLive()
        || table.statistics().isEmpty()) {
      return Optional.empty();
    }
    boolean isLast = isGreatest != column.type().isReversed();
    byte[] best = null;
    for (LiveTable each : table.statistics()) {
      Descriptor descriptor = each.descriptor();
      if (!descriptor.version().hasReliableClusterings()) {
        return Optional.empty();
      }
      CoveredClustering covered = read(descriptor).stats().coveredClustering();
      if ((isLast ? covered.endSize() : covered.startSize()) == 0) {
        return Optional.empty();
      }
      byte[] value = isLast ? covered.endValue(0) : covered.startValue(0);
      if (value == null) {
        return Optional.empty();
      }
      if (best == null
          || (column.type().compare(value, 0, value.length, best, 0, best.length) > 0) == isLast) {
        best = value;
      }
    }
    return best == null ? Optional.empty() : KeyValue.of(column.type(), best);
  }
}
