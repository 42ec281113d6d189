package io.siltstone.rows;

import io.siltstone.cursor.ColumnMap;
import io.siltstone.cursor.RecentColumnMaps;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import java.util.List;

/**
 * Begins queries of one table, and has ready what they all need. Immutable but for what it
 * remembers, safe for all threads; a table whose columns change gets a new one.
 */
public final class QueryFactory {
  private final TableSchema schema;
  private final Partitioner partitioner;
  private final KeyParts keys;
  private final RowEncoding encoding;
  private final SliceSet slices;
  private final List<Slice> allRows;
  private final ResultColumns allColumns;
  private final RecentColumnMaps maps;

  /** Of a table whose partitions are in the partitioner's order. */
  public QueryFactory(TableSchema schema, Partitioner partitioner) {
    TableEncoding table = TableEncoding.of(schema);
    this.schema = schema;
    this.partitioner = partitioner;
    this.keys = new KeyParts(schema.partitionKeyColumns(), partitioner);
    this.encoding = table.rows();
    this.slices = new SliceSet(schema.clusteringColumns(), encoding);
    this.allRows = List.of(Slice.all(encoding));
    this.allColumns = ResultColumns.of(schema, null);
    this.maps = new RecentColumnMaps(table);
  }

  /** Begins a query of all rows. */
  public Query.Builder query() {
    return new Query.Builder(this);
  }

  /** The table. */
  public TableSchema schema() {
    return schema;
  }

  Partitioner partitioner() {
    return partitioner;
  }

  /** The columns of its partition key. */
  KeyParts keys() {
    return keys;
  }

  /** Of its rows as they are today. */
  RowEncoding encoding() {
    return encoding;
  }

  SliceSet slices() {
    return slices;
  }

  /** The slices of a query that restricts no rows. */
  List<Slice> allRows() {
    return allRows;
  }

  /** The columns of a query that selects none. */
  ResultColumns allColumns() {
    return allColumns;
  }

  /** Where the columns of rows of an encoding are, with what was dropped. */
  ColumnMap map(RowEncoding source) {
    return maps.of(source);
  }
}
