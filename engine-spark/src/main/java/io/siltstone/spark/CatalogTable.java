package io.siltstone.spark;

import io.siltstone.schema.TableSchema;
import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.table.TableProperties;
import io.siltstone.spark.table.TableReader;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;

/** A table of a catalog, whose columns Spark knows before it is written to. */
final class CatalogTable extends SSTableTable {
  private final String name;
  private final TableSchema schema;
  private final String path;
  private final Optional<String> refusal;

  /**
   * @param name for messages
   * @param type the columns, in the order in which rows are written
   * @param refusal why the table is not written to, if it is not
   */
  CatalogTable(
      String name,
      StructType type,
      TableSchema schema,
      SourceOptions options,
      TableReader reader,
      Optional<String> refusal) {
    super(type, options, reader, InstantSource.system());
    this.name = name;
    this.schema = schema;
    this.path = options.paths().get(0);
    this.refusal = refusal;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Map<String, String> properties() {
    return TableProperties.of(schema, path);
  }

  /** Returns what can be done: Spark itself matches the columns of rows that are written. */
  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(
        TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.TRUNCATE);
  }

  /**
   * Begins a write.
   *
   * @throws IllegalArgumentException if the catalog's tables are only read; the message says why
   */
  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    if (refusal.isPresent()) {
      throw new IllegalArgumentException(name + " is only read: " + refusal.get());
    }
    return super.newWriteBuilder(info);
  }
}
