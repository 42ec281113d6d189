package io.siltstone.schema;

import java.util.Objects;

/**
 * A column that a table once had: cells of it that were written until then are no longer there.
 * Source: Cassandra {@code DroppedColumn}.
 *
 * @param column static or regular
 * @param droppedAtMicros cells with this timestamp or an earlier one are gone, microseconds since
 *     1970
 */
public record DroppedColumn(Column column, long droppedAtMicros) {
  /** Checks that the column is one that can be dropped. */
  public DroppedColumn {
    Objects.requireNonNull(column, "column");
    if (column.isPrimaryKey()) {
      throw new SchemaException("Cannot drop PRIMARY KEY column " + Names.quoted(column.name()));
    }
    if (column.type().isMultiCell() && column.type().kind() == io.siltstone.type.TypeKind.USER) {
      throw new SchemaException(
          "Cannot drop non-frozen column "
              + Names.quoted(column.name())
              + " of user type "
              + column.type().cqlName());
    }
  }
}
