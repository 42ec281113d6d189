package io.siltstone.tools.load;

import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;

/** The columns of the table that is loaded: partition key, clustering, static, regular. */
final class InputColumns {
  private final List<InputColumn> all = new ArrayList<>();
  private final ColumnNames names;
  private final int keys;
  private final int clusterings;
  private final int statics;

  InputColumns(TableSchema table) {
    add(table.partitionKeyColumns());
    add(table.clusteringColumns());
    add(table.staticColumns());
    add(table.regularColumns());
    keys = table.partitionKeyColumns().size();
    clusterings = table.clusteringColumns().size();
    statics = table.staticColumns().size();
    names = new ColumnNames(all.stream().map(InputColumn::name).toList());
  }

  private void add(List<Column> columns) {
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      all.add(
          new InputColumn(
              column.name(), column.type(), column.kind(), i, ValueCodec.of(column.type())));
    }
  }

  int count() {
    return all.size();
  }

  InputColumn get(int index) {
    return all.get(index);
  }

  /** Returns how many columns the kind has. */
  int count(ColumnKind kind) {
    return switch (kind) {
      case PARTITION_KEY -> keys;
      case CLUSTERING -> clusterings;
      case STATIC -> statics;
      case REGULAR -> all.size() - first(ColumnKind.REGULAR);
    };
  }

  /** Returns the index of the kind's first column. */
  int first(ColumnKind kind) {
    return switch (kind) {
      case PARTITION_KEY -> 0;
      case CLUSTERING -> keys;
      case STATIC -> keys + clusterings;
      case REGULAR -> keys + clusterings + statics;
    };
  }

  /** Returns whether there is a column with that name in a text. */
  boolean has(String name) {
    return names.indexOf(name) >= 0;
  }

  /**
   * Returns the index of the column with that name in a text; see {@link ColumnNames}.
   *
   * @throws IllegalArgumentException if there is none
   */
  int indexOf(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "there is no column '" + Excerpt.of(name) + "', allowed " + names);
    }
    return index;
  }
}
