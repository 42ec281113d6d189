package io.siltstone.spark.read;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.HasPartitionKey;

/**
 * The part of a scan that one task reads, of which all keys are in one token range: Spark brings
 * those of the same range together, and with those of another table. It is sent to the task's
 * executor.
 *
 * @param split what is read
 * @param range the number of the range
 */
record RangePartition(SplitPartition split, int range) implements HasPartitionKey {
  @Override
  public InternalRow partitionKey() {
    return new GenericInternalRow(new Object[] {range});
  }
}
