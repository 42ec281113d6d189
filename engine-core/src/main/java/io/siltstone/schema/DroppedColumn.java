package io.siltstone.schema;

import io.siltstone.type.CqlName;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import java.util.List;
import java.util.Objects;

/**
 * A dropped column: cells of it that are not newer than the drop are ignored. Source: Cassandra
 * {@code DroppedColumn}.
 *
 * @param column static or regular; user types in its type are replaced by tuples, as their
 *     definitions may be dropped later
 * @param droppedAtMicros time of the drop in microseconds since 1970: cells with this timestamp or
 *     a lower one are ignored
 */
public record DroppedColumn(Column column, long droppedAtMicros) {
  /** Checks that the column is one that can be dropped. */
  public DroppedColumn {
    Objects.requireNonNull(column, "column");
    if (column.isPrimaryKey()) {
      throw new SchemaException("Cannot drop PRIMARY KEY column " + CqlName.quoted(column.name()));
    }
    if (column.type().isMultiCell() && column.type().kind() == TypeKind.USER) {
      throw new SchemaException(
          "Cannot drop non-frozen column "
              + CqlName.quoted(column.name())
              + " of user type "
              + column.type().cqlName());
    }
    column =
        new Column(
            column.name(), withoutUserTypes(column.type()), column.kind(), column.position());
  }

  private static CqlType withoutUserTypes(CqlType type) {
    if (type.kind() == TypeKind.VECTOR) {
      // Cassandra does not change the element type of a vector.
      return type;
    }
    List<CqlType> parts =
        type.elementTypes().stream().map(DroppedColumn::withoutUserTypes).toList();
    if (type.kind() != TypeKind.USER && parts.equals(type.elementTypes())) {
      return type;
    }
    CqlType expanded =
        switch (type.kind()) {
          case LIST -> CqlTypes.list(parts.get(0));
          case SET -> CqlTypes.set(parts.get(0));
          case MAP -> CqlTypes.map(parts.get(0), parts.get(1));
          case TUPLE, USER -> CqlTypes.tuple(parts);
          case VECTOR, SCALAR, COMPOSITE, REVERSED -> type;
        };
    return type.isMultiCell() ? expanded : expanded.frozen();
  }
}
