package io.siltstone.cursor;

import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableSchema;
import java.util.List;

/**
 * What rows of several sources are merged into: the rows of a table as it is today, whatever
 * columns it had when they were written.
 *
 * <p>Immutable, safe for all threads.
 *
 * @param rows the table's columns, and the form in which a row is written that is made of several.
 *     Its delta bases should allow for all times there are: {@link EncodingStats#ANY} for reads,
 *     those of the file to be written for compaction
 * @param droppedColumns of which older cells are gone
 */
public record TableEncoding(RowEncoding rows, List<DroppedColumn> droppedColumns) {

  /** Copies the list. */
  public TableEncoding {
    droppedColumns = List.copyOf(droppedColumns);
  }

  /** Of a table as its schema defines it, for rows that are read. */
  public static TableEncoding of(TableSchema schema) {
    return new TableEncoding(
        RowEncoding.of(schema, EncodingStats.ANY, true), schema.droppedColumns());
  }
}
