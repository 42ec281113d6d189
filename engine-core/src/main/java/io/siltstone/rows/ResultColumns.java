package io.siltstone.rows;

import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.TableSchema;
import io.siltstone.text.PrintableText;
import io.siltstone.type.CqlType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a query's result: those of the primary key in its order, followed by the selected
 * ones.
 *
 * <p>Immutable, safe for use by any number of threads.
 */
public final class ResultColumns {
  private static final Comparator<Column> BY_NAME =
      Comparator.comparing(Column::name, Column.NAME_ORDER);

  /** Slot of a column that was not selected. */
  static final int NOT_SELECTED = -1;

  private final String table;
  private final List<Column> columns;
  private final Map<String, Integer> byName = new HashMap<>();
  private final CqlType[] types;
  private final int[] slots;
  private final int partitionSlots;
  private final int rowSlots;
  private final int[] staticSlots;
  private final int[] regularSlots;

  private ResultColumns(TableSchema schema, List<Column> columns) {
    this.table = schema.keyspace() + "." + schema.name();
    this.columns = List.copyOf(columns);
    this.types = new CqlType[columns.size()];
    this.slots = new int[columns.size()];
    int ofPartition = 0;
    int ofRow = 0;
    for (int i = 0; i < slots.length; i++) {
      Column column = columns.get(i);
      byName.put(column.name(), i);
      types[i] = column.type().frozen();
      slots[i] = isOfPartition(column) ? ofPartition++ : ofRow++;
    }
    this.partitionSlots = ofPartition;
    this.rowSlots = ofRow;
    this.staticSlots = slotsOf(schema.staticColumns());
    this.regularSlots = slotsOf(schema.regularColumns());
  }

  private int[] slotsOf(List<Column> ofTable) {
    int[] found = new int[ofTable.size()];
    for (int i = 0; i < found.length; i++) {
      Integer index = byName.get(ofTable.get(i).name());
      found[i] = index == null ? NOT_SELECTED : slots[index];
    }
    return found;
  }

  /**
   * Returns the columns of rows.
   *
   * @param selected names of static and regular columns, or null for all; those of the primary key
   *     are always included
   */
  static ResultColumns of(TableSchema schema, @Nullable List<String> selected) {
    List<Column> columns = new ArrayList<>(schema.partitionKeyColumns());
    columns.addAll(schema.clusteringColumns());
    if (selected == null) {
      schema.staticColumns().stream().sorted(BY_NAME).forEach(columns::add);
      schema.regularColumns().stream().sorted(BY_NAME).forEach(columns::add);
    } else {
      for (Column column : named(schema, selected)) {
        if (!column.isPrimaryKey()) {
          columns.add(column);
        }
      }
    }
    return new ResultColumns(schema, columns);
  }

  /**
   * Returns the columns of a result with one row per partition: without clustering and regular
   * columns.
   */
  static ResultColumns ofPartitions(TableSchema schema, @Nullable List<String> selected) {
    List<Column> columns = new ArrayList<>(schema.partitionKeyColumns());
    if (selected == null) {
      schema.staticColumns().stream().sorted(BY_NAME).forEach(columns::add);
    } else {
      for (Column column : named(schema, selected)) {
        if (column.kind() == ColumnKind.STATIC) {
          columns.add(column);
        } else if (column.kind() != ColumnKind.PARTITION_KEY) {
          throw new IllegalArgumentException(
              "a query of distinct partitions selects column '"
                  + column.name()
                  + "', allowed columns of the partition key and static ones");
        }
      }
    }
    return new ResultColumns(schema, columns);
  }

  private static Set<Column> named(TableSchema schema, List<String> names) {
    Set<Column> columns = new LinkedHashSet<>();
    for (String name : names) {
      columns.add(
          schema
              .column(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          PrintableText.of(
                              "table " + schema.name() + " has no column '" + name + "'"))));
    }
    return columns;
  }

  /** Returns the number of columns. */
  public int size() {
    return columns.size();
  }

  /** Returns the columns in their order, unmodifiable. */
  public List<Column> asList() {
    return columns;
  }

  /** Returns the column at that index, from 0 on. */
  public Column get(int index) {
    return columns.get(index);
  }

  /**
   * Returns the index of the column with this name.
   *
   * @throws IllegalArgumentException if there is none; the message names the existing ones
   */
  public int indexOf(String name) {
    Integer index = byName.get(name);
    if (index == null) {
      throw new IllegalArgumentException(
          PrintableText.of(
              "rows have no column '"
                  + name
                  + "', only "
                  + columns.stream().map(Column::name).toList()));
    }
    return index;
  }

  /** Returns the exception for a value of a column that could not be decoded or passed on. */
  IllegalArgumentException refused(int index, RuntimeException cause) {
    Column column = get(index);
    return new IllegalArgumentException(
        "the value of column '"
            + column.name()
            + "' of "
            + table
            + " is none of type "
            + column.type()
            + ": "
            + cause.getMessage(),
        cause);
  }

  /** Returns whether the rows have a column with this name. */
  public boolean contains(String name) {
    return byName.containsKey(name);
  }

  /**
   * Returns the type that a value is decoded with: one value also where the column is multi-cell.
   */
  CqlType type(int index) {
    return types[index];
  }

  /** Returns whether all rows of a partition share the value, in a block of its own. */
  boolean isOfPartition(int index) {
    return isOfPartition(columns.get(index));
  }

  private static boolean isOfPartition(Column column) {
    return column.kind() == ColumnKind.PARTITION_KEY || column.kind() == ColumnKind.STATIC;
  }

  /** Returns the slot of the column in the block of its partition or row. */
  int slot(int index) {
    return slots[index];
  }

  /**
   * Returns the slots of the table's static or regular columns, in their order, {@link
   * #NOT_SELECTED} for columns that the rows do not have. Callers must not modify the array.
   */
  int[] slots(boolean isStatic) {
    return isStatic ? staticSlots : regularSlots;
  }

  int partitionSlots() {
    return partitionSlots;
  }

  int rowSlots() {
    return rowSlots;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResultColumns that && columns.equals(that.columns);
  }

  @Override
  public int hashCode() {
    return columns.hashCode();
  }

  /** Returns the names. */
  @Override
  public String toString() {
    return columns.stream().map(Column::name).toList().toString();
  }
}
