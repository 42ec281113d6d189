package io.siltstone.tools.load;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.tools.terminal.StoredTable;
import io.siltstone.type.CqlType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are exported: of one SSTable, or of all that a table has, merged. What they are read
 * from stays its opener's to close.
 *
 * @param name of what they are read from, for messages
 * @param keyType of the partition key
 * @param partitioner that orders the partitions
 * @param columns that are printed
 * @param cursors over them
 */
record ExportedRows(
    String name, CqlType keyType, Partitioner partitioner, OutputColumns columns, Cursors cursors) {

  /** Opens cursors, which the caller closes. */
  @FunctionalInterface
  interface Cursors {
    /** Over a range of partitions. */
    PartitionCursor over(PartitionRange range) throws IOException;
  }

  /**
   * Of an SSTable.
   *
   * @param schema what its columns are called; null if nobody knows
   */
  static ExportedRows of(SSTable table, @Nullable TableSchema schema) {
    return new ExportedRows(
        table.toString(),
        table.header().keyType(),
        table.partitioner(),
        new OutputColumns(table.header(), schema, table.toString()),
        table::scan);
  }

  /** Of a table, with what a database has of it in its commit log. */
  static ExportedRows of(StoredTable stored) {
    TableSchema schema = stored.table().schema();
    SerializationHeader header = TableEncoding.of(schema).rows().header();
    return new ExportedRows(
        stored.files().toString(),
        header.keyType(),
        stored.database().partitioner(),
        new OutputColumns(header, schema, stored.table().toString()),
        range -> stored.table().cursor(new Read.OfRange(range)));
  }
}
