package io.siltstone.cursor;

import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableSchema;
import java.util.List;

/**
 * The target encoding of a merge: the present columns of a table, whatever columns it had when its
 * rows were written.
 *
 * <p>Immutable, safe for all threads.
 *
 * @param rows the table's columns, and the form of merged rows. Its delta bases must be suitable
 *     for all times in the sources: {@link EncodingStats#ANY} for reads, those of the new file for
 *     compaction
 * @param droppedColumns whose older cells are left out
 */
public record TableEncoding(RowEncoding rows, List<DroppedColumn> droppedColumns) {

  /** Copies the list. */
  public TableEncoding {
    droppedColumns = List.copyOf(droppedColumns);
  }

  /** Returns the encoding of a table's present schema, for reads. */
  public static TableEncoding of(TableSchema schema) {
    return new TableEncoding(
        RowEncoding.of(schema, EncodingStats.ANY, true), schema.droppedColumns());
  }
}
