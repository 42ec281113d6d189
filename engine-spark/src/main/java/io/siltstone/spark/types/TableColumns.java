package io.siltstone.spark.types;

import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.TableSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of a table as Spark sees them: those of the primary key in its order, then static and
 * regular ones by name; and the metadata columns {@code writetime} and {@code ttl}, which have a
 * field for each column that is not of the primary key.
 */
public final class TableColumns {
  /** The metadata column of timestamps, in microseconds since 1970 by the writer's clock. */
  public static final String WRITETIME = "writetime";

  /** The metadata column of the seconds until values expire, null if they never do. */
  public static final String TTL = "ttl";

  private TableColumns() {}

  /** Returns the columns in their order. */
  public static List<Column> of(TableSchema table) {
    List<Column> columns = new ArrayList<>(table.partitionKeyColumns());
    columns.addAll(table.clusteringColumns());
    table.staticColumns().stream().sorted(Comparator.comparing(Column::name)).forEach(columns::add);
    table.regularColumns().stream()
        .sorted(Comparator.comparing(Column::name))
        .forEach(columns::add);
    return columns;
  }

  /**
   * Returns the type of rows.
   *
   * @param areNumbersText whether varint and decimal are strings
   */
  public static StructType rowType(TableSchema table, boolean areNumbersText) {
    StructType type = new StructType();
    for (Column column : of(table)) {
      boolean isNullable = column.kind() != ColumnKind.PARTITION_KEY || mayBeEmpty(table, column);
      type = type.add(column.name(), SparkTypes.of(column.type(), areNumbersText), isNullable);
    }
    return type;
  }

  /**
   * Returns whether a column of the primary key may have an empty value that is null in Spark. A
   * partition key of one column is never empty.
   */
  public static boolean mayBeEmpty(TableSchema table, Column column) {
    boolean isWholeKey =
        column.kind() == ColumnKind.PARTITION_KEY && table.partitionKeyColumns().size() == 1;
    return !isWholeKey && KeyValue.isEmptyNull(column.type());
  }

  /** Returns the type of a metadata column: a struct, without fields if there is only a key. */
  public static StructType timesType(TableSchema table, String name) {
    DataType type = name.equals(WRITETIME) ? DataTypes.LongType : DataTypes.IntegerType;
    StructType times = new StructType();
    for (Column column : of(table)) {
      if (!column.isPrimaryKey()) {
        times = times.add(column.name(), type, true);
      }
    }
    return times;
  }
}
