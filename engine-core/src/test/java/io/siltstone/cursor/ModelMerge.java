package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Column;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Marker;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.type.CqlType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What several tables say together, on plain objects: written to be obviously right, not to be
 * fast.
 *
 * <p>Each element (liveness, deletion, cell) is the greatest of all versions; of what that leaves,
 * everything that a deletion covers goes. Ranges are looked at one by one for each row, and for
 * each gap between two bounds. Counters have rules of their own, which are not in here.
 */
public final class ModelMerge {

  /** The greater deletion wins. */
  private static final Comparator<Deletion> DELETIONS =
      Comparator.comparingLong(Deletion::timestamp)
          .thenComparing(deletion -> deletion.isLive() ? Long.MIN_VALUE : deletion.localTime());

  /** The greater cell wins. */
  private static final Comparator<Cell> CELLS =
      Comparator.comparingLong(Cell::timestamp)
          .thenComparing(cell -> cell.localDeletionTime() != DeletionTime.NO_DELETION_TIME)
          .thenComparing(cell -> cell.ttl() == DeletionTime.NO_TTL)
          .thenComparingLong(Cell::localDeletionTime)
          .thenComparing(Cell::ttl, Comparator.reverseOrder())
          .thenComparing(Cell::value, Arrays::compareUnsigned);

  /** The row with the greater liveness wins. */
  private static final Comparator<Row> LIVENESS =
      Comparator.comparingLong(Row::liveness)
          .thenComparing(row -> row.ttl() == DeletionTime.EXPIRED_LIVENESS_TTL)
          .thenComparing(row -> row.ttl() != DeletionTime.NO_TTL)
          .thenComparingLong(Row::expiration)
          .thenComparing(Row::ttl, Comparator.reverseOrder());

  private final SerializationHeader header;
  private final Map<String, Long> droppedAt;
  private final ClusteringComparator order;

  private ModelMerge(SerializationHeader header, Map<String, Long> droppedAt) {
    this.header = header;
    this.droppedAt = droppedAt;
    this.order = new ClusteringComparator(header.clusteringTypes());
  }

  /**
   * The merge of tables with the same primary key and partitioner.
   *
   * @param header with the columns to be kept; what has others is left out
   * @param droppedAt until when cells of columns are gone, by name
   */
  public static TableModel of(
      SerializationHeader header, Map<String, Long> droppedAt, List<TableModel> tables) {
    return new ModelMerge(header, droppedAt).merge(tables);
  }

  /** A range tombstone. */
  private record Range(Clustering start, Clustering end, Deletion deletion) {}

  private TableModel merge(List<TableModel> tables) {
    TreeMap<PartitionKey, List<Partition>> byKey = new TreeMap<>();
    for (TableModel table : tables) {
      for (Partition partition : table.partitions()) {
        byKey
            .computeIfAbsent(partition.key(), key -> new ArrayList<>())
            .add(inTargetColumns(partition, table.header()));
      }
    }
    List<Partition> merged = new ArrayList<>();
    byKey.forEach(
        (key, versions) -> {
          Partition partition = merge(key, versions);
          if (!partition.deletion().isLive()
              || partition.staticRow() != null
              || !partition.items().isEmpty()) {
            merged.add(partition);
          }
        });
    return new TableModel(header, tables.get(0).partitioner(), merged);
  }

  private Partition merge(PartitionKey key, List<Partition> versions) {
    Deletion deletion =
        versions.stream().map(Partition::deletion).max(DELETIONS).orElse(Deletion.NONE);
    List<Row> statics =
        versions.stream().map(Partition::staticRow).flatMap(Stream::ofNullable).toList();
    List<Range> ranges = new ArrayList<>();
    TreeMap<Clustering, List<Row>> rows = new TreeMap<>(order);
    for (Partition version : versions) {
      ranges.addAll(ranges(version.items()));
      for (Item item : version.items()) {
        if (item instanceof Row row) {
          rows.computeIfAbsent(row.clustering(), place -> new ArrayList<>()).add(row);
        }
      }
    }
    ranges.removeIf(range -> DELETIONS.compare(range.deletion(), deletion) <= 0);
    TreeMap<Clustering, Item> items = new TreeMap<>(order);
    rows.forEach(
        (place, of) -> {
          Row row = merge(of, greater(deletion, covering(ranges, place, place)));
          if (row != null) {
            items.put(place, row);
          }
        });
    markers(ranges).forEach(marker -> items.put(marker.clustering(), marker));
    return new Partition(
        key,
        deletion,
        statics.isEmpty() ? null : merge(statics, deletion),
        new ArrayList<>(items.values()));
  }

  private static List<Range> ranges(List<Item> items) {
    List<Range> ranges = new ArrayList<>();
    @Nullable Clustering start = null;
    for (Item item : items) {
      if (item instanceof Marker marker) {
        if (start != null) {
          ranges.add(new Range(start, marker.clustering(), marker.deletion()));
        }
        start = marker.clustering().kind().opens() ? marker.clustering() : null;
      }
    }
    return ranges;
  }

  /** The greatest deletion of those that reach from before {@code from} to behind {@code to}. */
  private Deletion covering(List<Range> ranges, Clustering from, Clustering to) {
    return ranges.stream()
        .filter(range -> order.compare(range.start(), from) <= 0)
        .filter(range -> order.compare(to, range.end()) <= 0)
        .map(Range::deletion)
        .max(DELETIONS)
        .orElse(Deletion.NONE);
  }

  /** A marker at each bound where another deletion begins than was there before. */
  private List<Marker> markers(List<Range> ranges) {
    TreeSet<Clustering> bounds = new TreeSet<>(order);
    for (Range range : ranges) {
      bounds.add(range.start());
      bounds.add(range.end());
    }
    List<Marker> markers = new ArrayList<>();
    Deletion open = Deletion.NONE;
    for (Clustering bound : bounds) {
      Clustering next = bounds.higher(bound);
      Deletion opening = next == null ? Deletion.NONE : covering(ranges, bound, next);
      if (!opening.equals(open)) {
        markers.add(marker(bound, open, opening));
      }
      open = opening;
    }
    return markers;
  }

  private static Marker marker(Clustering at, Deletion left, Deletion right) {
    boolean before = at.kind().comparedToClustering() < 0;
    ClusteringKind kind;
    if (left.isLive()) {
      kind = before ? ClusteringKind.INCL_START_BOUND : ClusteringKind.EXCL_START_BOUND;
    } else if (right.isLive()) {
      kind = before ? ClusteringKind.EXCL_END_BOUND : ClusteringKind.INCL_END_BOUND;
    } else {
      kind =
          before
              ? ClusteringKind.EXCL_END_INCL_START_BOUNDARY
              : ClusteringKind.INCL_END_EXCL_START_BOUNDARY;
    }
    Clustering bound = new Clustering();
    bound.copyFrom(at, kind);
    return new Marker(bound, left.isLive() ? right : left, right.isLive() ? left : right);
  }

  /** One row of several versions, of which {@code covering} deletes what it covers. */
  private @Nullable Row merge(List<Row> versions, Deletion covering) {
    Row first = versions.get(0);
    Row live = versions.stream().max(LIVENESS).orElse(first);
    Deletion deletion = versions.stream().map(Row::deletion).max(DELETIONS).orElse(Deletion.NONE);
    if (DELETIONS.compare(deletion, covering) <= 0) {
      deletion = Deletion.NONE;
    }
    Deletion active = greater(deletion, covering);
    boolean isLive = live.liveness() > active.timestamp();
    TreeMap<Integer, List<Column>> byColumn = new TreeMap<>();
    for (Row version : versions) {
      for (Column column : version.columns()) {
        byColumn.computeIfAbsent(column.index(), index -> new ArrayList<>()).add(column);
      }
    }
    List<Column> columns = new ArrayList<>();
    byColumn.forEach(
        (index, of) -> {
          Column column =
              merge(header.columns(TableModel.isStatic(first)).get(index).type(), of, active);
          if (!column.cells().isEmpty() || !column.deletion().isLive()) {
            columns.add(column);
          }
        });
    if (!isLive && deletion.isLive() && columns.isEmpty()) {
      return null;
    }
    return new Row(
        first.clustering(),
        isLive ? live.liveness() : DeletionTime.NO_TIMESTAMP,
        isLive ? live.ttl() : DeletionTime.NO_TTL,
        isLive ? live.expiration() : DeletionTime.NO_DELETION_TIME,
        deletion,
        columns);
  }

  private static Column merge(CqlType type, List<Column> versions, Deletion active) {
    Deletion deletion =
        versions.stream().map(Column::deletion).max(DELETIONS).orElse(Deletion.NONE);
    if (DELETIONS.compare(deletion, active) <= 0) {
      deletion = Deletion.NONE;
    }
    long coveredTo = greater(deletion, active).timestamp();
    // In a simple column the path is empty.
    Comparator<byte[]> pathOrder =
        type.isMultiCell()
            ? (a, b) -> type.pathType().compare(a, 0, a.length, b, 0, b.length)
            : Arrays::compareUnsigned;
    TreeMap<byte[], Cell> cells = new TreeMap<>(pathOrder);
    versions.stream()
        .flatMap(version -> version.cells().stream())
        .filter(cell -> cell.timestamp() > coveredTo)
        .forEach(cell -> cells.merge(cell.path(), cell, BinaryOperator.maxBy(CELLS)));
    return new Column(versions.get(0).index(), deletion, new ArrayList<>(cells.values()));
  }

  private static Deletion greater(Deletion left, Deletion right) {
    return DELETIONS.compare(left, right) >= 0 ? left : right;
  }

  /**
   * Without what belongs to columns that are not there, or was written before they were dropped.
   */
  private Partition inTargetColumns(Partition partition, SerializationHeader from) {
    List<Item> items = new ArrayList<>();
    for (Item item : partition.items()) {
      items.add(item instanceof Row row ? inTargetColumns(row, from.regularColumns()) : item);
    }
    return new Partition(
        partition.key(),
        partition.deletion(),
        partition.staticRow() == null
            ? null
            : inTargetColumns(partition.staticRow(), from.staticColumns()),
        items);
  }

  private Row inTargetColumns(Row row, List<HeaderColumn> from) {
    List<String> names =
        header.columns(TableModel.isStatic(row)).stream().map(HeaderColumn::name).toList();
    List<Column> columns = new ArrayList<>();
    for (Column column : row.columns()) {
      String name = from.get(column.index()).name();
      long gone = droppedAt.getOrDefault(name, Long.MIN_VALUE);
      int index = names.indexOf(name);
      if (index >= 0) {
        columns.add(
            new Column(
                index,
                column.deletion().timestamp() <= gone ? Deletion.NONE : column.deletion(),
                column.cells().stream().filter(cell -> cell.timestamp() > gone).toList()));
      }
    }
    return new Row(
        row.clustering(), row.liveness(), row.ttl(), row.expiration(), row.deletion(), columns);
  }
}
