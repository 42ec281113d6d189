package io.siltstone.spark.read;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.types.StructType;

/**
 * A scan whose result the statistics of the SSTables have proven, so that no task reads anything.
 *
 * @param path of the table, for messages
 * @param readSchema types of the result
 * @param row the result
 */
record AnsweredScan(String path, StructType readSchema, InternalRow row) implements LocalScan {
  @Override
  public InternalRow[] rows() {
    return new InternalRow[] {row};
  }

  @Override
  public String description() {
    return "sstable " + path + ", answered by statistics: " + row;
  }
}
