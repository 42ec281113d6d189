package io.siltstone.rows;

import io.siltstone.annotation.Expert;
import io.siltstone.cursor.ColumnMap;
import io.siltstone.cursor.CursorSource;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.RecentColumnMaps;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates queries of one table, and caches data that they share. Safe for use by all threads; a
 * table whose columns change gets a new factory.
 */
@Expert
public final class QueryFactory {
  private final TableSchema schema;
  private final Partitioner partitioner;
  private final KeyParts keys;
  private final RowEncoding encoding;
  private final SliceSet slices;
  private final List<Slice> allRows;
  private final ResultColumns allColumns;
  private final RecentColumnMaps maps;

  /** Creates a factory for a table whose partitions are in the partitioner's order. */
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

  /** Returns the table. */
  public TableSchema schema() {
    return schema;
  }

  /**
   * Returns the key of the partition that a query reads, without a copy, which must not be changed;
   * null if it reads a range of partitions.
   */
  public static @Nullable PartitionKey keyOf(Query query) {
    return query.keyView();
  }

  /**
   * Returns the reads that a query consists of, in order: usually one; none if nothing can match;
   * two if a page ended within a partition and a scan continues with the rest of it.
   */
  @SuppressWarnings("exports")
  public static List<Read> readsOf(Query query) {
    return ReadPlan.of(query);
  }

  /**
   * Returns the rows that a query reads of a partition, in clustering order; empty if nothing can
   * match.
   */
  @SuppressWarnings("exports")
  public static List<Slice> slicesOf(Query query) {
    return query.slices();
  }

  /**
   * Returns what makes slices of ranges of clusterings, sorted and without overlaps, as a query of
   * a table does.
   */
  @SuppressWarnings("exports")
  public static Function<List<ClusteringRange>, List<Slice>> slices(
      List<Column> clusteringColumns, RowEncoding encoding) {
    return new SliceSet(clusteringColumns, encoding)::of;
  }

  /**
   * Opens the rows of a query.
   *
   * @param nowSeconds decides what has expired, in seconds since 1970, unless the query says it
   * @param source opens a cursor for each read of the query; the rows close the cursors
   * @return the rows, to be closed by the caller
   */
  @SuppressWarnings("exports")
  public static LiveRows open(Query query, long nowSeconds, CursorSource source) {
    return LiveRows.open(query, nowSeconds, source);
  }

  /** Opens a columnar reader of a query, as {@link #open} its rows. */
  @SuppressWarnings("exports")
  public static ColumnarReader openColumns(Query query, long nowSeconds, CursorSource source) {
    return ColumnarReader.open(query, nowSeconds, source, System::nanoTime);
  }

  /**
   * Returns a timeout.
   *
   * @throws IllegalArgumentException if it is not more than 0, or more than 365 days
   */
  public static Duration requireTimeout(Duration timeout) {
    return Limits.requireTimeout(timeout);
  }

  Partitioner partitioner() {
    return partitioner;
  }

  /** Returns the columns of its partition key. */
  KeyParts keys() {
    return keys;
  }

  /** Returns the present encoding of the table's rows. */
  RowEncoding encoding() {
    return encoding;
  }

  SliceSet slices() {
    return slices;
  }

  /** Returns the slices of a query that restricts no rows. */
  List<Slice> allRows() {
    return allRows;
  }

  /** Returns the columns of a query that selects none. */
  ResultColumns allColumns() {
    return allColumns;
  }

  /** Returns the column map from an encoding, with dropped columns. */
  ColumnMap map(RowEncoding source) {
    return maps.of(source);
  }
}
