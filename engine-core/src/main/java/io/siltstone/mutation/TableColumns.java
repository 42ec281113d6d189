package io.siltstone.mutation;

import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.QueryFactory;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.text.PrintableText;
import io.siltstone.type.CqlType;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The columns of a table for writes: finds them by name, and holds the encoders of their values,
 * keys and ranges. Immutable, safe for use by all threads.
 */
final class TableColumns {
  private final TableSchema schema;
  private final RowEncoding encoding;
  private final ValueEncoder values;
  private final KeyEncoder keys;
  private final Function<List<ClusteringRange>, List<Slice>> slices;
  private final CqlType[] clusteringTypes;
  private final ClusteringComparator order;
  private final Map<String, ColumnSlot> slots = new HashMap<>();

  /**
   * @throws IllegalArgumentException if the encoding is not one of the table's columns
   */
  TableColumns(TableSchema schema, RowEncoding encoding) {
    this.schema = schema;
    this.encoding = encoding;
    this.values = new ValueEncoder(schema);
    this.keys = new KeyEncoder(schema, values);
    this.slices = QueryFactory.slices(schema.clusteringColumns(), encoding);
    this.clusteringTypes = schema.clusteringTypes().toArray(CqlType[]::new);
    this.order = new ClusteringComparator(schema.clusteringTypes());
    if (!encoding.header().clusteringTypes().equals(schema.clusteringTypes())) {
      throw new IllegalArgumentException(
          "an encoding of clustering columns "
              + encoding.header().clusteringTypes()
              + " for "
              + values.tableName()
              + ", which has "
              + schema.clusteringTypes());
    }
    for (boolean isStatic : new boolean[] {true, false}) {
      Map<String, Integer> indexes = new HashMap<>();
      List<HeaderColumn> header = encoding.header().columns(isStatic);
      for (int i = 0; i < header.size(); i++) {
        indexes.put(header.get(i).name(), i);
      }
      for (Column column : isStatic ? schema.staticColumns() : schema.regularColumns()) {
        Integer index = indexes.get(column.name());
        if (index == null || !header.get(index).type().equals(column.type())) {
          throw new IllegalArgumentException(
              "an encoding without " + values.describe(column) + " among its columns " + header);
        }
        slots.put(column.name(), new ColumnSlot(column, index));
      }
    }
  }

  TableSchema schema() {
    return schema;
  }

  RowEncoding encoding() {
    return encoding;
  }

  /** Returns the encoder of its values. */
  ValueEncoder values() {
    return values;
  }

  /** Returns the encoder of its keys and clusterings. */
  KeyEncoder keys() {
    return keys;
  }

  /** Returns the slice that a range of its rows is; none if it has no rows. */
  List<Slice> slices(ClusteringRange range) {
    return slices.apply(List.of(range));
  }

  /** Returns a static or regular column. */
  ColumnSlot slot(String name) {
    ColumnSlot slot = slots.get(name);
    if (slot != null) {
      return slot;
    }
    Column key = schema.column(name).orElse(null);
    if (key != null) {
      throw new IllegalArgumentException(
          values.describe(key) + " belongs to the primary key, which names what is written");
    }
    throw new IllegalArgumentException(
        PrintableText.of(
            values.tableName()
                + " has no column '"
                + name
                + "', it has "
                + Stream.concat(schema.staticColumns().stream(), schema.regularColumns().stream())
                    .map(Column::name)
                    .toList()));
  }

  /** Returns the order of rows and of the bounds of ranges. */
  ClusteringComparator order() {
    return order;
  }

  /** Returns a description of a row with its clustering, for the end of a message. */
  String describe(RowChange row) {
    if (clusteringTypes.length == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder(" in row (");
    for (int i = 0; i < clusteringTypes.length; i++) {
      byte[] value = row.clustering[i];
      text.append(i == 0 ? "" : ", ").append(text(clusteringTypes[i], value));
    }
    return text.append(')').toString();
  }

  private static String text(CqlType type, byte[] value) {
    try {
      return type.format(value, 0, value.length);
    } catch (IllegalArgumentException e) {
      return "0x" + HexFormat.of().formatHex(value);
    }
  }

  /** Returns the order of rows by their clustering. */
  int compareRows(RowChange left, RowChange right) {
    for (int i = 0; i < clusteringTypes.length; i++) {
      byte[] one = left.clustering[i];
      byte[] other = right.clustering[i];
      int result = clusteringTypes[i].compare(one, 0, one.length, other, 0, other.length);
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }
}
