package io.siltstone.schema;

import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.util.Comparator;
import java.util.Objects;

/**
 * A column of a table. Immutable.
 *
 * @param name without quotes
 * @param type of its values; reversed for a clustering column with {@code DESC}
 * @param kind of column
 * @param position among the partition key columns or the clustering columns, from 0; {@link
 *     #NO_POSITION} for others
 */
public record Column(String name, CqlType type, ColumnKind kind, int position) {
  /** {@link #position} of static and regular columns. */
  public static final int NO_POSITION = -1;

  /**
   * The order of cells by name: UTF-8 bytes as unsigned, except that names whose first byte is not
   * ASCII come before all others.
   *
   * <p>Cassandra packs the first six bytes into a number with the top bit inverted, for a signed
   * comparison, and then shifts the sign away ({@code ColumnMetadata.comparisonOrder}). Its readers
   * sort a file's columns by this, whatever the file says; so cells must be written by it.
   */
  public static final Comparator<String> NAME_ORDER = Names::compareInCells;

  /** The order of cells in a row: simple before complex, then {@link #NAME_ORDER}. */
  public static final Comparator<Column> CELL_ORDER =
      Comparator.comparing((Column column) -> column.type().isMultiCell())
          .thenComparing(Column::name, NAME_ORDER);

  /** Checks that no component is missing. */
  public Column {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(kind, "kind");
  }

  /** Returns whether rows are in descending order of this clustering column. */
  public boolean isDescending() {
    return type.isReversed();
  }

  /** Returns the type without regard to the order of rows: what {@code CREATE TABLE} names. */
  public CqlType valueType() {
    return type.kind() == TypeKind.REVERSED ? type.elementTypes().get(0) : type;
  }

  /** Returns whether the column belongs to the partition key or the clustering. */
  public boolean isPrimaryKey() {
    return kind == ColumnKind.PARTITION_KEY || kind == ColumnKind.CLUSTERING;
  }
}
