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
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The exported columns of a table, and the places of its files' cells among them. Immutable. */
final class OutputColumns {
  private final List<String> names = new ArrayList<>();
  private final List<CqlType> keyTypes;
  private final boolean compositeKey;
  private final List<CqlType> clusteringTypes;
  private final @Nullable TableSchema schema;

  /**
   * @param schema with the names of columns; null if there is none
   * @param table name for messages
   */
  OutputColumns(SerializationHeader header, @Nullable TableSchema schema, String table) {
    compositeKey = header.keyType().kind() == TypeKind.COMPOSITE;
    List<CqlType> ownKeyTypes =
        compositeKey ? header.keyType().elementTypes() : List.of(header.keyType());
    this.schema = schema;
    if (schema == null) {
      keyTypes = ownKeyTypes;
      clusteringTypes = header.clusteringTypes();
      Set<String> taken = new HashSet<>();
      header.staticColumns().forEach(column -> taken.add(column.name()));
      header.regularColumns().forEach(column -> taken.add(column.name()));
      addGenerated("key", keyTypes.size(), taken);
      addGenerated("clustering", clusteringTypes.size(), taken);
      header.staticColumns().forEach(column -> names.add(column.name()));
      header.regularColumns().forEach(column -> names.add(column.name()));
    } else {
      keyTypes = types(schema.partitionKeyColumns(), ownKeyTypes, "partition key", table);
      clusteringTypes =
          types(schema.clusteringColumns(), header.clusteringTypes(), "clustering", table);
      schema.partitionKeyColumns().forEach(column -> names.add(column.name()));
      schema.clusteringColumns().forEach(column -> names.add(column.name()));
      schema.staticColumns().forEach(column -> names.add(column.name()));
      schema.regularColumns().forEach(column -> names.add(column.name()));
    }
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

  /**
   * Returns the types of the schema, which may have more fields of a user-defined type than a file,
   * and other names.
   */
  private static List<CqlType> types(
      List<Column> columns, List<CqlType> types, String what, String table) {
    List<CqlType> expected = columns.stream().map(Column::type).toList();
    boolean same = expected.size() == types.size();
    for (int i = 0; same && i < types.size(); i++) {
      same =
          expected.get(i).isReversed() == types.get(i).isReversed()
              && expected.get(i).unreversed().canReadCellsOf(types.get(i).unreversed());
    }
    if (!same) {
      throw new UsageException(
          table
              + " does not match the schema: its "
              + what
              + " is "
              + types
              + ", the schema's "
              + expected
              + CqlTypes.describeDifference(types, expected));
    }
    return expected;
  }

  /** Returns the names in the order of export: key, clustering, static, regular. */
  List<String> names() {
    return names;
  }

  List<CqlType> keyTypes() {
    return keyTypes;
  }

  /** Returns whether components of the partition key have lengths before them. */
  boolean hasCompositeKey() {
    return compositeKey;
  }

  List<CqlType> clusteringTypes() {
    return clusteringTypes;
  }

  /** Returns the places of the columns of a file's header. Each file has its own header. */
  Places places(SerializationHeader header) {
    return new Places(
        places(header.staticColumns(), ColumnKind.STATIC),
        places(header.regularColumns(), ColumnKind.REGULAR));
  }

  /**
   * Returns the names of a header's columns that are not exported, because the schema neither has
   * them nor says that they were dropped.
   */
  List<String> omitted(SerializationHeader header) {
    Stream<String> statics = omitted(header.staticColumns(), ColumnKind.STATIC);
    return Stream.concat(statics, omitted(header.regularColumns(), ColumnKind.REGULAR)).toList();
  }

  private Stream<String> omitted(List<HeaderColumn> columns, ColumnKind kind) {
    TableSchema known = schema;
    if (known == null) {
      return Stream.of();
    }
    return columns.stream()
        .filter(column -> place(column, kind).index() == Place.NOWHERE)
        .map(HeaderColumn::name)
        .filter(name -> known.droppedColumn(name).isEmpty());
  }

  private List<Place> places(List<HeaderColumn> columns, ColumnKind kind) {
    return columns.stream().map(column -> place(column, kind)).toList();
  }

  private Place place(HeaderColumn stored, ColumnKind kind) {
    if (schema == null) {
      return new Place(names.indexOf(stored.name()), stored.type(), DeletionTime.NO_TIMESTAMP);
    }
    Column column =
        schema.column(stored.name()).filter(present -> present.kind() == kind).orElse(null);
    if (column == null) {
      return new Place(Place.NOWHERE, stored.type(), DeletionTime.NO_TIMESTAMP);
    }
    return new Place(
        names.indexOf(stored.name()),
        column.type().canReadCellsOf(stored.type()) ? column.type() : stored.type(),
        schema
            .droppedColumn(stored.name())
            .map(DroppedColumn::droppedAtMicros)
            .orElse(DeletionTime.NO_TIMESTAMP));
  }

  /**
   * The place of the cells of a column.
   *
   * @param index among {@link #names}, or {@link #NOWHERE}
   * @param type that formats them
   * @param droppedAt cells up to this timestamp were dropped with the column
   */
  record Place(int index, CqlType type, long droppedAt) {
    /** The index of a column that the table does not have, or not of that kind. */
    static final int NOWHERE = -1;
  }

  /** The places of the columns of a header, by their index there. */
  record Places(List<Place> statics, List<Place> regulars) {
    Place of(boolean isStatic, int headerIndex) {
      return (isStatic ? statics : regulars).get(headerIndex);
    }
  }
}
