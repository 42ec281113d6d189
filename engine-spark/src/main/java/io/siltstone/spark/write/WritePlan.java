package io.siltstone.spark.write;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all tasks of a write have in common. They are sent to executors. Immutable.
 *
 * @param target the directory of the table
 * @param attempts the name of the directory in it that the attempts of tasks write to
 * @param definition of the table in CQL
 * @param rows the columns of the data frame
 * @param format how SSTables are written
 * @param times the timestamps and times to live
 * @param operationColumn the column with the operation of each row; null for none
 */
record WritePlan(
    String target,
    String attempts,
    String definition,
    StructType rows,
    WritePlan.Format format,
    WritePlan.Times times,
    @Nullable String operationColumn)
    implements Serializable {

  /**
   * The options with which SSTables are written.
   *
   * @param version their format version; null for the default
   * @param partitioner that orders their keys
   * @param compression the options of compression; null for those of the table
   * @param bounds tokens after each of which another SSTable begins
   * @param sortBytes the memory in which a task sorts rows, in bytes
   */
  record Format(
      @Nullable String version,
      Partitioner partitioner,
      @Nullable Map<String, String> compression,
      List<Long> bounds,
      long sortBytes)
      implements Serializable {}

  /**
   * The timestamps and times to live of rows.
   *
   * @param timestamp of rows in microseconds, where no column has it
   * @param timestampColumn the column that has it; null for none
   * @param ttl the seconds until rows expire, where no column has it; 0 for never
   * @param ttlColumn the column that has it; null for none
   */
  record Times(
      long timestamp,
      @Nullable String timestampColumn,
      @Nullable Integer ttl,
      @Nullable String ttlColumn)
      implements Serializable {}

  /** Returns the definition of the table. */
  TableSchema schema() {
    return SchemaParser.parseToWrite(definition).onlyTable();
  }

  /** Returns the definition of a table as text that {@link #schema} reads. */
  static String text(TableSchema schema) {
    return schema.toCql();
  }
}
