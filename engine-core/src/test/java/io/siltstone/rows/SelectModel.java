package io.siltstone.rows;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.Column;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * CQL's {@code SELECT} over a {@link TableModel}, on maps from names to values: written to be
 * obviously right. Deletions of partitions, ranges, rows and collections are taken as applied.
 */
record SelectModel(TableSchema schema, TableModel model, long now) {

  /** A row: all its columns by name, null or not; byte arrays as hexadecimal text. */
  record ModelRow(
      PartitionKey key, @Nullable Clustering at, Map<String, @Nullable Object> values) {}

  /**
   * All rows, partition by partition.
   *
   * @param wanted which rows; null for no restriction, so that static columns alone make a row
   */
  List<List<ModelRow>> rows(@Nullable Predicate<Clustering> wanted, boolean reversed) {
    List<List<ModelRow>> all = new ArrayList<>();
    for (Partition partition : model.partitions()) {
      Map<String, @Nullable Object> shared = new LinkedHashMap<>();
      for (Column column : schema.partitionKeyColumns()) {
        shared.put(column.name(), null);
      }
      key(partition.key(), shared);
      boolean hasStatic =
          partition.staticRow() != null && cells(partition.staticRow(), true, shared);
      List<ModelRow> rows = new ArrayList<>();
      for (TableModel.Item item : partition.items()) {
        if (item instanceof TableModel.Row row) {
          Map<String, @Nullable Object> values = new LinkedHashMap<>(shared);
          boolean live = liveness(row);
          live |= cells(row, false, values);
          clustering(row.clustering(), values);
          if (live && (wanted == null || wanted.test(row.clustering()))) {
            rows.add(new ModelRow(partition.key(), row.clustering(), values));
          }
        }
      }
      if (reversed) {
        Collections.reverse(rows);
      }
      if (rows.isEmpty() && hasStatic && wanted == null) {
        rows.add(new ModelRow(partition.key(), null, shared));
      }
      all.add(rows);
    }
    return all;
  }

  private void key(PartitionKey key, Map<String, @Nullable Object> values) {
    List<@Nullable Object> parts = keyValues(schema, key);
    for (int i = 0; i < parts.size(); i++) {
      values.put(schema.partitionKeyColumns().get(i).name(), plain(parts.get(i)));
    }
  }

  /** The decoded columns of a partition key. */
  static List<@Nullable Object> keyValues(TableSchema schema, PartitionKey key) {
    List<@Nullable Object> values = new ArrayList<>();
    Object decoded = schema.keyType().decode(key.bytes(), key.offset(), key.length());
    if (schema.partitionKeyColumns().size() > 1 && decoded instanceof List<?> parts) {
      values.addAll(parts);
    } else {
      values.add(decoded);
    }
    return values;
  }

  private void clustering(Clustering clustering, Map<String, @Nullable Object> values) {
    for (int i = 0; i < clustering.size(); i++) {
      Column column = schema.clusteringColumns().get(i);
      byte[] value = clustering.value(i);
      values.put(
          column.name(),
          clustering.valueLength(i) == Clustering.NULL
              ? null
              : plain(column.type().decode(value, 0, value.length)));
    }
  }

  private boolean liveness(TableModel.Row row) {
    if (DeletionTime.isLive(row.liveness())) {
      return false;
    }
    return row.ttl() == DeletionTime.NO_TTL || row.expiration() > now;
  }

  private boolean isLive(Cell cell) {
    if (cell.localDeletionTime() == DeletionTime.NO_DELETION_TIME) {
      return true;
    }
    return cell.ttl() != DeletionTime.NO_TTL && cell.localDeletionTime() > now;
  }

  private boolean cells(
      TableModel.Row row, boolean isStatic, Map<String, @Nullable Object> values) {
    boolean live = false;
    for (TableModel.Column stored : row.columns()) {
      String name = model.header().columns(isStatic).get(stored.index()).name();
      Column column = schema.column(name).orElse(null);
      if (column == null) {
        continue;
      }
      long dropped =
          schema.droppedColumn(name).map(DroppedColumn::droppedAtMicros).orElse(Long.MIN_VALUE);
      List<Cell> cells =
          stored.cells().stream()
              .filter(cell -> isLive(cell) && cell.timestamp() > dropped)
              .toList();
      if (!cells.isEmpty()) {
        live = true;
        values.put(name, plain(value(column.type(), cells)));
      }
    }
    return live;
  }

  private static @Nullable Object value(CqlType type, List<Cell> cells) {
    if (!type.isMultiCell()) {
      return decode(type, cells.get(0).value());
    }
    if (type.kind() == TypeKind.LIST) {
      return cells.stream().map(cell -> decode(type.elementTypes().get(0), cell.value())).toList();
    }
    if (type.kind() == TypeKind.SET) {
      return cells.stream().map(cell -> decode(type.elementTypes().get(0), cell.path())).toList();
    }
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    if (type.kind() == TypeKind.MAP) {
      for (Cell cell : cells) {
        Object key = plain(decode(type.elementTypes().get(0), cell.path()));
        map.put(key == null ? "null" : key, decode(type.elementTypes().get(1), cell.value()));
      }
      return map;
    }
    UserType user = (UserType) type;
    user.fields().forEach(field -> map.put(field.name(), null));
    for (Cell cell : cells) {
      int index = cell.path()[1];
      map.put(
          user.fields().get(index).name(), decode(user.elementTypes().get(index), cell.value()));
    }
    return map;
  }

  private static @Nullable Object decode(CqlType type, byte[] value) {
    return type.decode(value, 0, value.length);
  }

  /** A value without arrays, sets as lists, so that equal ones are equal, in the same order. */
  static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof Collection<?> all) {
      List<@Nullable Object> list = new ArrayList<>();
      all.forEach(element -> list.add(plain(element)));
      return list;
    }
    if (value instanceof Map<?, ?> map) {
      List<@Nullable Object> list = new ArrayList<>();
      map.forEach(
          (key, element) -> {
            list.add(plain(key));
            list.add(plain(element));
          });
      return list;
    }
    return value;
  }

  /** A row of the engine in the same form. */
  static Map<String, @Nullable Object> plain(Row row) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Column column : row.columns().asList()) {
      values.put(column.name(), plain(row.get(column.name())));
    }
    return values;
  }

  /** A row of the model with these columns only, null where it has none. */
  static Map<String, @Nullable Object> only(ModelRow row, ResultColumns columns) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Column column : columns.asList()) {
      values.put(column.name(), row.values().get(column.name()));
    }
    return values;
  }
}
