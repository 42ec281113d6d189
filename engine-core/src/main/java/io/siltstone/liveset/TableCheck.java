package io.siltstone.liveset;

import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.text.PrintableText;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import java.util.List;
import java.util.Optional;

/** Checks whether an SSTable fits a table. */
final class TableCheck {
  private TableCheck() {}

  /**
   * Checks partitioner, keys and columns of an SSTable that is to be imported.
   *
   * @throws IllegalArgumentException naming the file, what it has and what is allowed
   */
  static void check(SSTable table, TableSchema schema, Partitioner partitioner) {
    SerializationHeader header = table.header();
    require(table, "partitioner", table.partitioner(), partitioner);
    requireKey(table, header.keyType(), schema.keyType());
    requireClusterings(table, header.clusteringTypes(), schema.clusteringTypes());
    header.staticColumns().forEach(column -> check(table, schema, column, ColumnKind.STATIC));
    header.regularColumns().forEach(column -> check(table, schema, column, ColumnKind.REGULAR));
  }

  /**
   * Checks whether an SSTable in a table's directory can be read by the table's schema, which may
   * be another one, written by hand. The schema may lack columns that were dropped.
   *
   * @param isReadOnly whether it is only read: then a column may have another type, since each
   *     value is checked when it is read; rewritten, it would have that type for good
   * @throws IllegalArgumentException naming the file, what it has and what is allowed
   */
  static void checkPresent(SSTable table, TableSchema schema, boolean isReadOnly) {
    SerializationHeader header = table.header();
    List<CqlType> found = partsOf(header.keyType());
    List<CqlType> expected = partsOf(schema.keyType());
    boolean isReadable = found.size() == expected.size();
    for (int i = 0; isReadable && i < found.size(); i++) {
      CqlType type = expected.get(i);
      isReadable = type.hasGrownFrom(found.get(i)) || type.canReadCellsOf(found.get(i));
    }
    if (!isReadable) {
      throw refused(
          table,
          "partition key",
          header.keyType(),
          schema.keyType(),
          CqlTypes.describeDifference(header.keyType(), schema.keyType()));
    }
    requireClusterings(table, header.clusteringTypes(), schema.clusteringTypes());
    checkPresent(table, schema, header.staticColumns(), ColumnKind.STATIC, isReadOnly);
    checkPresent(table, schema, header.regularColumns(), ColumnKind.REGULAR, isReadOnly);
  }

  private static List<CqlType> partsOf(CqlType key) {
    return key.kind() == TypeKind.COMPOSITE ? key.elementTypes() : List.of(key);
  }

  private static void checkPresent(
      SSTable table,
      TableSchema schema,
      List<HeaderColumn> columns,
      ColumnKind kind,
      boolean isReadOnly) {
    for (HeaderColumn column : columns) {
      Column known = schema.column(column.name()).orElse(null);
      if (known == null || schema.droppedColumn(column.name()).isPresent()) {
        continue;
      }
      if (isReadOnly && isReadAsAnother(column.type(), known.type())) {
        require(table, "kind of column " + column.name(), kind, known.kind());
      } else {
        check(table, schema, column, kind);
      }
    }
  }

  /** Returns whether cells of both types have the same form, even if their values differ. */
  private static boolean isReadAsAnother(CqlType found, CqlType known) {
    return !found.isMultiCell()
        && !known.isMultiCell()
        && found.isCounter() == known.isCounter()
        && (known.fixedLength() == CqlType.VARIABLE_LENGTH
            || known.fixedLength() == found.fixedLength());
  }

  private static void check(
      SSTable table, TableSchema schema, HeaderColumn found, ColumnKind kind) {
    Optional<Column> column = schema.column(found.name());
    if (column.isEmpty() && schema.droppedColumn(found.name()).isPresent()) {
      return;
    }
    if (column.isEmpty()) {
      throw new IllegalArgumentException(
          table
              + " has a "
              + kind.name().toLowerCase(java.util.Locale.ROOT)
              + " column "
              + found.name()
              + ", which "
              + schema.keyspace()
              + "."
              + schema.name()
              + " has not");
    }
    require(table, "kind of column " + found.name(), kind, column.get().kind());
    CqlType type = column.get().type();
    boolean isReadable =
        type.canReadCellsOf(found.type())
            || type.hasGrownFrom(found.type())
            || schema
                .droppedColumn(found.name())
                .filter(dropped -> dropped.column().type().canReadCellsOf(found.type()))
                .isPresent();
    if (!isReadable) {
      throw refused(
          table,
          "type of column " + found.name(),
          found.type(),
          type,
          CqlTypes.describeDifference(found.type(), type));
    }
  }

  /**
   * Checks a key type. A key with another field is another key, so no field may have been added.
   */
  private static void requireKey(SSTable table, CqlType found, CqlType expected) {
    if (!expected.hasGrownFrom(found) || !found.hasGrownFrom(expected)) {
      throw refused(
          table, "partition key", found, expected, CqlTypes.describeDifference(found, expected));
    }
  }

  /**
   * Checks the clustering types. User types may have got a field since; rows are in the same order
   * nevertheless.
   */
  private static void requireClusterings(
      SSTable table, List<CqlType> found, List<CqlType> expected) {
    boolean same = found.size() == expected.size();
    for (int i = 0; same && i < found.size(); i++) {
      CqlType today = expected.get(i);
      CqlType before = found.get(i);
      boolean isGrownType =
          today.isReversed() == before.isReversed()
              && today.unreversed().kind() == TypeKind.USER
              && today.unreversed().canReadCellsOf(before.unreversed());
      same = isGrownType || today.hasGrownFrom(before) || today.canOrderValuesOf(before);
    }
    if (!same) {
      throw refused(
          table,
          "clustering columns",
          ordered(found),
          ordered(expected),
          CqlTypes.describeDifference(found, expected));
    }
  }

  private static List<String> ordered(List<CqlType> types) {
    return types.stream()
        .map(type -> type.isReversed() ? type.unreversed() + " DESC" : type.toString())
        .toList();
  }

  private static void require(SSTable table, String what, Object found, Object expected) {
    if (!found.equals(expected)) {
      throw refused(table, what, found, expected, "");
    }
  }

  private static IllegalArgumentException refused(
      SSTable table, String what, Object found, Object expected, String difference) {
    return new IllegalArgumentException(
        PrintableText.of(
            table + ": " + what + " is " + found + ", allowed " + expected + difference));
  }
}
