package io.siltstone.tools.load;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.UsageException;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table that is printed, and where a file's cells belong among them. Immutable.
 */
final class OutputColumns {
  private final List<String> names = new ArrayList<>();
  private final List<CqlType> keyTypes;
  private final boolean compositeKey;
  private final List<CqlType> clusteringTypes;
  private final int[] statics;
  private final int[] regulars;
  private final long[] staticDrops;
  private final long[] regularDrops;

  /**
   * @param schema what the columns are called; null if nobody knows
   * @param table for messages
   */
  OutputColumns(SerializationHeader header, @Nullable TableSchema schema, String table) {
    compositeKey = header.keyType().kind() == TypeKind.COMPOSITE;
    keyTypes = compositeKey ? header.keyType().elementTypes() : List.of(header.keyType());
    clusteringTypes = header.clusteringTypes();
    if (schema == null) {
      Set<String> taken = new HashSet<>();
      header.staticColumns().forEach(column -> taken.add(column.name()));
      header.regularColumns().forEach(column -> taken.add(column.name()));
      addGenerated("key", keyTypes.size(), taken);
      addGenerated("clustering", clusteringTypes.size(), taken);
      header.staticColumns().forEach(column -> names.add(column.name()));
      header.regularColumns().forEach(column -> names.add(column.name()));
    } else {
      check(schema.partitionKeyColumns(), keyTypes, "partition key", table);
      check(schema.clusteringColumns(), clusteringTypes, "clustering", table);
      schema.partitionKeyColumns().forEach(column -> names.add(column.name()));
      schema.clusteringColumns().forEach(column -> names.add(column.name()));
      schema.staticColumns().forEach(column -> names.add(column.name()));
      schema.regularColumns().forEach(column -> names.add(column.name()));
    }
    statics = places(header.staticColumns(), schema, ColumnKind.STATIC);
    regulars = places(header.regularColumns(), schema, ColumnKind.REGULAR);
    staticDrops = drops(header.staticColumns(), schema);
    regularDrops = drops(header.regularColumns(), schema);
  }

  private void addGenerated(String name, int count, Set<String> taken) {
    for (int i = 0; i < count; i++) {
      StringBuilder unique = new StringBuilder(i == 0 ? name : name + (i + 1));
      while (!taken.add(unique.toString())) {
        unique.append('_');
      }
      names.add(unique.toString());
    }
  }

  private static void check(List<Column> columns, List<CqlType> types, String what, String table) {
    List<CqlType> expected = columns.stream().map(Column::type).toList();
    boolean same = expected.size() == types.size();
    for (int i = 0; same && i < types.size(); i++) {
      // Types may have grown since, by a field of a user type.
      same =
          expected.get(i).isReversed() == types.get(i).isReversed()
              && expected.get(i).unreversed().canReadCellsOf(types.get(i).unreversed());
    }
    if (!same) {
      throw new UsageException(
          table
              + " is of another table than the schema: its "
              + what
              + " is "
              + types
              + ", the schema's "
              + expected);
    }
  }

  /** For each of the file's columns its index among {@link #names}, -1 if it is no more. */
  private int[] places(List<HeaderColumn> columns, @Nullable TableSchema schema, ColumnKind kind) {
    int[] places = new int[columns.size()];
    for (int i = 0; i < places.length; i++) {
      String name = columns.get(i).name();
      boolean there =
          schema == null || schema.column(name).map(column -> column.kind() == kind).orElse(false);
      places[i] = there ? names.indexOf(name) : -1;
    }
    return places;
  }

  private static long[] drops(List<HeaderColumn> columns, @Nullable TableSchema schema) {
    long[] drops = new long[columns.size()];
    for (int i = 0; i < drops.length; i++) {
      drops[i] =
          schema == null
              ? DeletionTime.NO_TIMESTAMP
              : schema
                  .droppedColumn(columns.get(i).name())
                  .map(DroppedColumn::droppedAtMicros)
                  .orElse(DeletionTime.NO_TIMESTAMP);
    }
    return drops;
  }

  /** In the order of printing: key, clustering, static, regular. */
  List<String> names() {
    return names;
  }

  List<CqlType> keyTypes() {
    return keyTypes;
  }

  /** Whether a key has lengths before its parts. */
  boolean hasCompositeKey() {
    return compositeKey;
  }

  List<CqlType> clusteringTypes() {
    return clusteringTypes;
  }

  /** Where the cells of a file's column belong, -1 if nowhere. */
  int place(boolean isStatic, int headerIndex) {
    return (isStatic ? statics : regulars)[headerIndex];
  }

  /** Cells up to this timestamp were dropped with their column. */
  long droppedAt(boolean isStatic, int headerIndex) {
    return (isStatic ? staticDrops : regularDrops)[headerIndex];
  }
}
