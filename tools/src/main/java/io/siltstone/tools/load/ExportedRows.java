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
 * The rows that are exported: of one SSTable, or of all SSTables of a table, merged. The opener of
 * the source closes it.
 *
 * @param name of the source, for messages
 * @param keyType of the partition key
 * @param partitioner that orders the partitions
 * @param columns that are exported
 * @param cursors opens cursors over the source
 */
record ExportedRows(
    String name, CqlType keyType, Partitioner partitioner, OutputColumns columns, Cursors cursors) {

  /** Opens cursors, which the caller closes. */
  @FunctionalInterface
  interface Cursors {
    /** Returns a cursor over a range of partitions. */
    PartitionCursor over(PartitionRange range) throws IOException;
  }

  /**
   * Returns the rows of an SSTable.
   *
   * @param schema with the names of columns; null if there is none
   */
  static ExportedRows of(SSTable table, @Nullable TableSchema schema) {
    return new ExportedRows(
        table.toString(),
        table.header().keyType(),
        table.partitioner(),
        new OutputColumns(table.header(), schema, table.toString()),
        table::scan);
  }

  /** Returns the rows of a table, including those in the commit log of its database. */
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
