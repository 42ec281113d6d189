package io.siltstone.model;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that a database shows, as text: its tables with their columns, and their rows. */
public final class Contents {
  private Contents() {}

  /** Rows, sorted, by table. */
  public static Map<String, List<String>> of(Database database) throws IOException {
    Map<String, List<String>> contents = new TreeMap<>();
    for (Table table : database.tables()) {
      contents.put(table + ": " + String.join(" ", columns(table.schema())), of(table));
    }
    return contents;
  }

  /** Rows, sorted. */
  public static List<String> of(Table table) throws IOException {
    // Of one definition, though the table may be altered meanwhile.
    Query query = table.query().build();
    List<String> columns = columns(query.schema());
    List<String> lines = new ArrayList<>();
    try (LiveRows rows = table.read(query)) {
      while (rows.hasNext()) {
        lines.add(line(columns, rows.next()));
      }
    }
    lines.sort(null);
    return lines;
  }

  /** How many rows there are. */
  public static long count(Table table) throws IOException {
    long count = 0;
    try (LiveRows rows = table.read(table.query().build())) {
      while (rows.hasNext()) {
        rows.next();
        count++;
      }
    }
    return count;
  }

  private static List<String> columns(TableSchema schema) {
    return Stream.of(
            schema.partitionKeyColumns(), schema.clusteringColumns(), schema.regularColumns())
        .flatMap(List::stream)
        .map(Column::name)
        .toList();
  }

  private static String line(List<String> columns, Row row) {
    return columns.stream()
        .map(column -> String.valueOf(row.get(column)))
        .collect(Collectors.joining(" "));
  }
}
