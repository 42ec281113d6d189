package io.siltstone.spark;

import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.table.TableReader;
import io.siltstone.spark.types.TableColumns;
import java.time.InstantSource;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code sstable}: a table of Cassandra or Siltstone as a data frame, read from the
 * files in one directory or several, and written to one.
 *
 * <pre>{@code
 * spark.read().format("sstable").load("/backup/ks/readings-1b255f4d/snapshots/monday")
 * }</pre>
 *
 * Spark creates it by its name; programs need not refer to this class. Its options are listed in
 * {@code docs/spark.md}. Immutable, safe for use by all threads.
 */
public final class SSTableSource implements TableProvider, DataSourceRegister {

  /** Creates the data source, as Spark does. */
  public SSTableSource() {}

  /** Returns {@code sstable}. */
  @Override
  public String shortName() {
    return "sstable";
  }

  /**
   * Returns the columns of the table.
   *
   * @throws IllegalArgumentException if an option is wrong; the message names it
   * @throws java.io.UncheckedIOException if a directory or file cannot be read; the message names
   *     it
   */
  @Override
  public StructType inferSchema(CaseInsensitiveStringMap map) {
    SourceOptions options = new SourceOptions(map.asCaseSensitiveMap());
    if (options.showsUncoveredRanges()) {
      return UncoveredRanges.TYPE;
    }
    return TableColumns.rowType(reader(options).definition(), options.areNumbersText());
  }

  private static TableReader reader(SourceOptions options) {
    return new TableReader(SparkSession.active().sparkContext().hadoopConfiguration(), options);
  }

  /** Returns whether data frames bring their own columns, as those that are written do. */
  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public Table getTable(StructType type, Transform[] partitioning, Map<String, String> properties) {
    SourceOptions options = new SourceOptions(properties);
    if (options.showsUncoveredRanges()) {
      return new UncoveredRanges(reader(options));
    }
    return new SSTableTable(type, options, reader(options), InstantSource.system());
  }
}
