package io.siltstone.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;

/**
 * A table that was created for the rows of a query, and is dropped if they cannot be written.
 *
 * @param table as it was created
 * @param removal drops it
 */
record NewCatalogTable(CatalogTable table, Runnable removal) implements StagedTable, SupportsWrite {
  @Override
  public String name() {
    return table.name();
  }

  @Override
  public Column[] columns() {
    return table.columns();
  }

  @Override
  public Map<String, String> properties() {
    return table.properties();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return table.capabilities();
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return table.newWriteBuilder(info);
  }

  @Override
  public void commitStagedChanges() {
    // The write has made the rows part of the table.
  }

  @Override
  public void abortStagedChanges() {
    removal.run();
  }
}
